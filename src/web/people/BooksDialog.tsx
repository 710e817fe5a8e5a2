import { useMemo, useState } from 'react'
import type { AddressBookView } from '../../features/people/address-books/model'
import type { PersonView } from '../../features/people/people/model'
import { useMessages } from '../messages/language'
import { counted, defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Icon } from '../parts/Icon'
import type { MenuAction } from '../parts/Menu'
import { MenuButton } from '../parts/MenuButton'
import { useKeys } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { BookDialog } from './BookDialog'
import { useBooks, usePeople } from './data'
import { deletingBook, movingBook } from './intents'
import { peopleTexts } from './texts'

const messages = defineMessages({
  en: {
    title: 'Address books',
    default: 'New people go here',
    count: (count: number) => counted(count, '1 person', `${count} people`),
    new: 'New address book',
    up: 'Move up',
    down: 'Move down',
    moved: (name: string) => `Moved ${name}`,
    deleted: (name: string, count: number) =>
      count === 0
        ? `Deleted the address book ${name}`
        : `Deleted the address book ${name} with ${counted(count, '1 person', `${count} people`)}`,
    deleting: (name: string) => `Delete ${name}`,
    along: (count: number) =>
      `${counted(count, 'One person goes', `${count} people go`)} to the trash with it, from where all comes back for 30 days.`,
  },
  de: {
    title: 'Adressbücher',
    default: 'Neue Personen kommen hierher',
    count: (count) => counted(count, '1 Person', `${count} Personen`),
    new: 'Neues Adressbuch',
    up: 'Nach oben',
    down: 'Nach unten',
    moved: (name) => `${name} verschoben`,
    deleted: (name, count) =>
      count === 0
        ? `Adressbuch ${name} gelöscht`
        : `Adressbuch ${name} mit ${counted(count, '1 Person', `${count} Personen`)} gelöscht`,
    deleting: (name) => `${name} löschen`,
    along: (count) =>
      `${counted(count, 'Eine Person kommt', `${count} Personen kommen`)} mit in den Papierkorb, aus dem sich 30 Tage lang alles zurückholen lässt.`,
  },
})

interface BooksDialogProps {
  readonly onClose: () => void
}

type OpenBook = { readonly is: 'new' } | { readonly is: 'edit' | 'delete'; readonly key: string }

/** The address books, each with what one can do to it. */
export function BooksDialog({ onClose }: BooksDialogProps) {
  const m = useMessages(messages)
  const keyOf = useKeys('address_book')
  const { people, loading } = usePeople()
  const books = useBooks()
  const [opened, open] = useState<OpenBook>()
  const inBook = useMemo(() => Map.groupBy(people, ({ book_id: book }) => book), [people])
  const close = () => open(undefined)
  const book = opened && 'key' in opened && books.find(({ id }) => keyOf(id) === opened.key)
  return (
    <Dialog
      title={m.title}
      onClose={onClose}
      footer={
        <Button onClick={() => open({ is: 'new' })}>
          <Icon name="add" />
          {m.new}
        </Button>
      }
    >
      <ul className="calendar-links" aria-label={m.title}>
        {books.map((each) => (
          <BookLine
            key={keyOf(each.id)}
            book={each}
            people={inBook.get(each.id) ?? NOBODY}
            isWhole={loading.is === 'loaded'}
            onOpen={(is) => open({ is, key: keyOf(each.id) })}
          />
        ))}
      </ul>
      {opened?.is === 'new' && <BookDialog onClose={close} />}
      {book && opened.is === 'edit' && <BookDialog book={book} onClose={close} />}
      {book && opened.is === 'delete' && (
        <DeleteBookDialog book={book} people={inBook.get(book.id) ?? NOBODY} onClose={close} />
      )}
    </Dialog>
  )
}

const NOBODY: readonly PersonView[] = []

interface BookProps {
  readonly book: AddressBookView
  /** Those who are in it. */
  readonly people: readonly PersonView[]
}

function useDeletingBook({ book, people }: BookProps): () => void {
  const m = useMessages(messages)
  const write = useWriting()
  return () => void write(deletingBook(book, people, m.deleted(book.name, people.length)))
}

interface BookLineProps extends BookProps {
  /** Whether all who are in it are known; before, nobody can say who goes along with it. */
  readonly isWhole: boolean
  readonly onOpen: (is: 'edit' | 'delete') => void
}

/** Only the default address book cannot be deleted. */
function useBookActions({ book, people, isWhole, onOpen }: BookLineProps): readonly MenuAction[] {
  const m = useMessages(messages)
  const texts = useMessages(peopleTexts)
  const write = useWriting()
  const books = useBooks()
  const remove = useDeletingBook({ book, people })
  const place = books.indexOf(book)
  const move = (steps: 1 | -1) => write(movingBook(books, book, steps, m.moved(book.name)))
  const askOrRemove = people.length > 0 ? () => onOpen('delete') : remove
  return [
    { id: 'edit', label: texts.edit, icon: 'edit', run: () => onOpen('edit') },
    { id: 'up', label: m.up, icon: 'chevron-up', isDisabled: place <= 0, run: () => move(-1) },
    {
      id: 'down',
      label: m.down,
      icon: 'chevron-down',
      isDisabled: place === books.length - 1,
      run: () => move(1),
    },
    ...(book.is_default
      ? []
      : [
          {
            id: 'delete',
            label: texts.delete,
            icon: 'delete' as const,
            isDangerous: true,
            isDisabled: !isWhole,
            run: askOrRemove,
          },
        ]),
  ]
}

function BookLine(props: BookLineProps) {
  const m = useMessages(messages)
  const texts = useMessages(peopleTexts)
  const actions = useBookActions(props)
  const { book, people, isWhole } = props
  const more = texts.more(book.name)
  return (
    <li>
      <span className="book">
        <svg className="calendar-dot" viewBox="0 0 10 10" aria-hidden="true">
          <circle cx="5" cy="5" r="5" fill={book.color} />
        </svg>
        <span className="person-line-text">
          <span>{book.name}</span>
          <span className="person-line-detail">
            {[isWhole && m.count(people.length), book.is_default && m.default].filter(Boolean).join(' · ')}
          </span>
        </span>
      </span>
      <MenuButton kind="quiet" actions={actions} aria-label={more} title={more}>
        <Icon name="more" />
      </MenuButton>
    </li>
  )
}

/** Says how many people go along. */
function DeleteBookDialog({ book, people, onClose }: BookProps & { readonly onClose: () => void }) {
  const m = useMessages(messages)
  const texts = useMessages(peopleTexts)
  const remove = useDeletingBook({ book, people })
  return (
    <Dialog
      title={m.deleting(book.name)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button
            kind="danger"
            onClick={() => {
              onClose()
              remove()
            }}
          >
            {texts.delete}
          </Button>
        </>
      }
    >
      <p>{m.along(people.length)}</p>
    </Dialog>
  )
}
