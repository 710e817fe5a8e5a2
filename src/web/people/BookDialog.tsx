import { type FormEvent, useId, useState } from 'react'
import type { AddressBookView } from '../../features/people/address-books/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Field } from '../parts/Field'
import { useWriting } from '../store/use-writing'
import { useBooks } from './data'
import { changingBook, creatingBook } from './intents'
import { peopleTexts } from './texts'

const messages = defineMessages({
  en: {
    new: 'New address book',
    edit: 'Edit address book',
    name: 'Name',
    colour: 'Colour',
    missing: 'Fill this in.',
    taken: 'You have an address book of this name. Choose another name.',
    added: (name: string) => `Added the address book ${name}`,
    changed: (name: string) => `Changed the address book ${name}`,
  },
  de: {
    new: 'Neues Adressbuch',
    edit: 'Adressbuch bearbeiten',
    name: 'Name',
    colour: 'Farbe',
    missing: 'Bitte ausfüllen.',
    taken: 'Ein Adressbuch dieses Namens gibt es schon. Bitte einen anderen Namen wählen.',
    added: (name) => `Adressbuch ${name} hinzugefügt`,
    changed: (name) => `Adressbuch ${name} geändert`,
  },
})

interface BookDialogProps {
  /** A new one without it. */
  readonly book?: AddressBookView
  readonly onClose: () => void
}

/** The name and colour of an address book. */
export function BookDialog({ book, onClose }: BookDialogProps) {
  const m = useMessages(messages)
  const texts = useMessages(peopleTexts)
  const formId = useId()
  const { name, color, problem, setName, setColor, save } = useBookForm(book, onClose)
  return (
    <Dialog
      title={book ? m.edit : m.new}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" form={formId}>
            {texts.save}
          </Button>
        </>
      }
    >
      <form id={formId} className="event-form calendar-fields" noValidate onSubmit={save}>
        <Field
          label={m.name}
          maxLength={100}
          value={name}
          problem={problem}
          onChange={({ target }) => setName(target.value)}
        />
        <Field
          label={m.colour}
          type="color"
          value={color}
          onChange={({ target }) => setColor(target.value)}
        />
      </form>
    </Dialog>
  )
}

/** As the service colours what has no colour of its own. */
const DEFAULT_COLOR = '#3b82f6'

function useBookForm(book: AddressBookView | undefined, onDone: () => void) {
  const m = useMessages(messages)
  const write = useWriting()
  const books = useBooks()
  // What others change while it is open is merged against what was opened.
  const [opened] = useState(book)
  const [name, setName] = useState(opened?.name ?? '')
  const [color, setColor] = useState(opened?.color ?? DEFAULT_COLOR)
  const [problem, setProblem] = useState<string>()
  const save = (event: FormEvent) => {
    event.preventDefault()
    const wanted = { name: name.trim(), color }
    const isTaken = books.some((each) => each.id !== book?.id && each.name === wanted.name)
    if (wanted.name === '') return setProblem(m.missing)
    if (isTaken) return setProblem(m.taken)
    onDone()
    if (!opened) write(creatingBook(wanted, books.at(-1), m.added(wanted.name)))
    else if (opened.name !== wanted.name || opened.color !== wanted.color)
      write(changingBook(opened, differing(wanted, opened), m.changed(wanted.name)))
  }
  return { name, color, problem, setName, setColor, save }
}

const differing = (wanted: Pick<AddressBookView, 'name' | 'color'>, book: AddressBookView) => ({
  ...(wanted.name !== book.name && { name: wanted.name }),
  ...(wanted.color !== book.color && { color: wanted.color }),
})
