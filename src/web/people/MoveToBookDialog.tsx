import { type FormEvent, useId, useState } from 'react'
import type { PersonView } from '../../features/people/people/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Select } from '../parts/Select'
import { useWriting } from '../store/use-writing'
import { useBooks } from './data'
import { changingPerson } from './intents'
import { nameOf } from './names'
import { peopleTexts } from './texts'

const messages = defineMessages({
  en: {
    title: (name: string) => `Move ${name}`,
    move: 'Move',
    moved: (name: string, book: string) => `Moved ${name} to ${book}`,
  },
  de: {
    title: (name) => `${name} verschieben`,
    move: 'Verschieben',
    moved: (name, book) => `${name} nach ${book} verschoben`,
  },
})

interface MoveToBookDialogProps {
  readonly person: PersonView
  readonly onClose: () => void
}

/** Chooses the address book of a person. */
export function MoveToBookDialog({ person, onClose }: MoveToBookDialogProps) {
  const m = useMessages(messages)
  const texts = useMessages(peopleTexts)
  const formId = useId()
  const write = useWriting()
  const others = useBooks().filter(({ id }) => id !== person.book_id)
  const [chosen, choose] = useState(String(others[0]?.id))
  const move = (event: FormEvent) => {
    event.preventDefault()
    onClose()
    const book = others.find(({ id }) => String(id) === chosen)
    if (book) write(changingPerson(person, { book_id: book.id }, m.moved(nameOf(person), book.name)))
  }
  return (
    <Dialog
      title={m.title(nameOf(person))}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" form={formId}>
            {m.move}
          </Button>
        </>
      }
    >
      <form id={formId} className="event-form" onSubmit={move}>
        <Select
          label={texts.book}
          options={others.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={chosen}
          onChange={choose}
        />
      </form>
    </Dialog>
  )
}
