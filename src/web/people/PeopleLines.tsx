import { type KeyboardEvent, useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import type { PersonView } from '../../features/people/people/model'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Avatar } from '../parts/Avatar'
import { Icon } from '../parts/Icon'
import { ItemList } from '../parts/ItemList'
import { MenuButton } from '../parts/MenuButton'
import { useKeys } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { type PeopleFilters, personAddress } from './filters'
import { deletingPerson } from './intents'
import { byInitial, nameOf } from './names'
import { peopleTexts } from './texts'
import { usePersonActions } from './use-person-actions'

const messages = defineMessages({
  en: { favourite: 'Favourite', others: 'Others' },
  de: { favourite: 'Favorit', others: 'Andere' },
})

interface PersonItem {
  readonly key: string
  readonly person: PersonView
  /** The heading above the first person of an initial. */
  readonly initial: string | undefined
}

interface PeopleLinesProps {
  /** By name. */
  readonly people: readonly PersonView[]
  readonly filters: PeopleFilters
  /** The id of the person who is open beside the list. */
  readonly opened: number | undefined
}

const LINE_HEIGHT = 54

/** The people by initial, each with a heading. */
export function PeopleLines({ people, filters, opened }: PeopleLinesProps) {
  const texts = useMessages(peopleTexts)
  const items = useItems(people)
  const press = useLineKeys(filters)
  return (
    <ItemList label={texts.people} items={items} lineHeight={LINE_HEIGHT} onKey={press}>
      {({ person, initial }) => (
        <>
          {initial !== undefined && <Initial letter={initial} />}
          <PersonLine person={person} filters={filters} isOpen={person.id === opened} />
        </>
      )}
    </ItemList>
  )
}

function useItems(people: readonly PersonView[]): readonly PersonItem[] {
  const keyOf = useKeys('person')
  const locale = useLocale()
  return useMemo(
    () =>
      byInitial(people, locale).flatMap((group) =>
        group.people.map((person, place) => ({
          key: keyOf(person.id),
          person,
          initial: place === 0 ? group.initial : undefined,
        })),
      ),
    [people, keyOf, locale],
  )
}

function useLineKeys(filters: PeopleFilters) {
  const texts = useMessages(peopleTexts)
  const write = useWriting()
  const [, navigate] = useLocation()
  return ({ person }: PersonItem, event: KeyboardEvent) => {
    const acts: Readonly<Record<string, () => unknown>> = {
      e: () => navigate(personAddress(person.id, filters, { show: 'edit' })),
      Delete: () => write(deletingPerson(person, texts.deleted(nameOf(person)))),
    }
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
}

function Initial({ letter }: { readonly letter: string }) {
  const m = useMessages(messages)
  return <h2 className="initial">{letter === '#' ? m.others : letter}</h2>
}

interface PersonLineProps {
  readonly person: PersonView
  readonly filters: PeopleFilters
  readonly isOpen: boolean
}

function PersonLine({ person, filters, isOpen }: PersonLineProps) {
  const m = useMessages(messages)
  const texts = useMessages(peopleTexts)
  const { actions, dialog } = usePersonActions(person, filters)
  const name = nameOf(person)
  const { company, job_title: job, email, mobile, phone, is_favourite: isFavourite } = person
  const detail = [job, company].filter(Boolean).join(', ') || (email ?? mobile ?? phone)
  return (
    <div className="person-line" data-open={isOpen || undefined}>
      <Link href={personAddress(person.id, filters)} aria-current={isOpen ? 'true' : undefined}>
        <Avatar name={name} />
        <span className="person-line-text">
          <span>{name}</span>
          {detail !== null && <span className="person-line-detail">{detail}</span>}
        </span>
        {isFavourite && (
          <>
            <Icon name="star" />
            <span className="visually-hidden">{m.favourite}</span>
          </>
        )}
      </Link>
      <MenuButton kind="quiet" actions={actions} aria-label={texts.more(name)} title={texts.more(name)}>
        <Icon name="more" />
      </MenuButton>
      {dialog}
    </div>
  )
}
