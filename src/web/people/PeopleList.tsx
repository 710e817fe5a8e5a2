import { useMemo } from 'react'
import type { PersonView } from '../../features/people/people/model'
import { useLanguage, useMessages } from '../messages/language'
import { defineMessages, localeOf } from '../messages/messages'
import { Button } from '../parts/Button'
import { EmptyState } from '../parts/EmptyState'
import { Icon } from '../parts/Icon'
import type { MenuAction } from '../parts/Menu'
import { MenuButton } from '../parts/MenuButton'
import { PageHeading } from '../parts/PageHeading'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { Status } from '../parts/Status'
import type { Loading } from '../store/loader'
import { useStore } from '../store/use-store'
import { useLocation } from 'wouter'
import { isFiltering, NO_FILTERS, type PeopleFilters, peopleAddress } from './filters'
import { PeopleLines } from './PeopleLines'
import { PeopleTools } from './PeopleTools'
import { peopleTexts } from './texts'
import { UpcomingBirthdays } from './UpcomingBirthdays'
import { useShownDialog } from './use-shown-dialog'

const messages = defineMessages({
  en: {
    options: 'People options',
    files: 'Import and export…',
    books: 'Address books…',
    unread: 'The people could not be read.',
    empty: 'Nobody here yet',
    emptyHint: 'Bring the people of another address book along, or begin with one.',
    import: 'Import vCards',
    first: 'Add the first person',
    none: 'Nobody fits',
    all: 'Show everybody',
    count: (count: string, isOne: boolean) => (isOne ? '1 person' : `${count} people`),
    part: (count: string, all: string) => `${count} of ${all} people`,
  },
  de: {
    options: 'Weitere Funktionen für Personen',
    files: 'Import und Export …',
    books: 'Adressbücher …',
    unread: 'Die Personen konnten nicht gelesen werden.',
    empty: 'Noch niemand da',
    emptyHint: 'Die Personen eines anderen Adressbuchs lassen sich mitbringen, oder es beginnt mit einer.',
    import: 'vCards importieren',
    first: 'Erste Person hinzufügen',
    none: 'Niemand passt dazu',
    all: 'Alle zeigen',
    count: (count, isOne) => (isOne ? '1 Person' : `${count} Personen`),
    part: (count, all) => `${count} von ${all} Personen`,
  },
})

interface PeopleListProps {
  readonly people: readonly PersonView[]
  /** Those whom the filters leave. */
  readonly shown: readonly PersonView[]
  readonly loading: Loading
  readonly filters: PeopleFilters
  readonly text: string
  readonly opened: number | undefined
  readonly onType: (text: string) => void
}

/** The list with everything around it. */
export function PeopleList(props: PeopleListProps) {
  const { people, shown, loading, filters, text, opened, onType } = props
  const m = useMessages(messages)
  const texts = useMessages(peopleTexts)
  const { loader } = useStore()
  const isFiltered = isFiltering(filters) || text.trim() !== ''
  return (
    <div className="people">
      <header className="page-head">
        <PageHeading>{texts.people}</PageHeading>
        <PeopleActions />
      </header>
      {loading.is === 'refused' && (
        <ProblemNote refusal={loading.refusal} sentence={m.unread} onTryAgain={() => loader.retry()} />
      )}
      {(people.length > 0 || isFiltered) && <PeopleTools {...{ people, filters, text, onType }} />}
      {!isFiltered && <UpcomingBirthdays people={people} filters={filters} />}
      <Count {...{ people, shown }} isFiltered={isFiltered} />
      {shown.length > 0 && <PeopleLines people={shown} filters={filters} opened={opened} />}
      {loading.is === 'loading' && <Skeleton lines={people.length === 0 ? 8 : 2} />}
      {loading.is === 'loaded' && shown.length === 0 && (
        <NothingShown isFiltered={isFiltered} onAll={() => onType('')} />
      )}
    </div>
  )
}

/** Stands in the place of the list only once everything is read. */
const NothingShown = ({ isFiltered, onAll }: { readonly isFiltered: boolean; readonly onAll: () => void }) =>
  isFiltered ? <NobodyFits onAll={onAll} /> : <Nobody />

function PeopleActions() {
  const m = useMessages(messages)
  const texts = useMessages(peopleTexts)
  const { open } = useShownDialog()
  const actions = useMemo<readonly MenuAction[]>(
    () => [
      { id: 'files', label: m.files, icon: 'upload', run: () => open('files') },
      { id: 'books', label: m.books, icon: 'people', run: () => open('books') },
    ],
    [m, open],
  )
  return (
    <>
      <Button onClick={() => open('new')}>
        <Icon name="add" />
        {texts.newPerson}
      </Button>
      <MenuButton kind="quiet" actions={actions} aria-label={m.options} title={m.options}>
        <Icon name="more" />
      </MenuButton>
    </>
  )
}

function Count(props: {
  readonly people: readonly PersonView[]
  readonly shown: readonly PersonView[]
  readonly isFiltered: boolean
}) {
  const { people, shown, isFiltered } = props
  const m = useMessages(messages)
  const { language } = useLanguage()
  const number = (count: number) => count.toLocaleString(localeOf(language))
  const all = m.count(number(people.length), people.length === 1)
  return (
    <Status isVisible={people.length > 0}>
      {isFiltered ? m.part(number(shown.length), number(people.length)) : all}
    </Status>
  )
}

function Nobody() {
  const m = useMessages(messages)
  const { open } = useShownDialog()
  return (
    <EmptyState icon="people" title={m.empty}>
      <p>{m.emptyHint}</p>
      <Button kind="primary" onClick={() => open('files')}>
        <Icon name="upload" />
        {m.import}
      </Button>
      <Button onClick={() => open('new')}>{m.first}</Button>
    </EmptyState>
  )
}

function NobodyFits({ onAll }: { readonly onAll: () => void }) {
  const m = useMessages(messages)
  const [, navigate] = useLocation()
  const showAll = () => {
    onAll()
    navigate(peopleAddress(NO_FILTERS), { replace: true })
  }
  return (
    <EmptyState icon="search" title={m.none}>
      <Button onClick={showAll}>{m.all}</Button>
    </EmptyState>
  )
}
