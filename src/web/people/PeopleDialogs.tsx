import { useLocation } from 'wouter'
import type { PersonView } from '../../features/people/people/model'
import { useKeys } from '../store/use-store'
import { BooksDialog } from './BooksDialog'
import { FilesDialog } from './FilesDialog'
import { type PeopleFilters, personAddress } from './filters'
import { PersonDialog } from './PersonDialog'
import { useShownDialog } from './use-shown-dialog'

interface PeopleDialogsProps {
  /** Who is open. */
  readonly person: PersonView | undefined
  readonly filters: PeopleFilters
}

/** The dialogs that have an address of this page. */
export function PeopleDialogs({ person, filters }: PeopleDialogsProps) {
  const keyOf = useKeys('person')
  const { shown, addressOf, close } = useShownDialog()
  const [, navigate] = useLocation()
  if (shown === 'books') return <BooksDialog onClose={close} />
  if (shown === 'files') return <FilesDialog filters={filters} onClose={close} />
  if (shown === 'edit' && person)
    return (
      <PersonDialog
        key={keyOf(person.id)}
        address={addressOf('edit')}
        person={person}
        onDone={close}
        onClose={close}
      />
    )
  if (shown !== 'new') return null
  const done = (made: number | undefined) =>
    made === undefined ? close() : navigate(personAddress(made, filters), { replace: true })
  const given = { book_id: filters.book, category: filters.category ?? '', is_favourite: filters.favourites }
  return <PersonDialog address={addressOf('new')} given={given} onDone={done} onClose={close} />
}
