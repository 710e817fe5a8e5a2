import { type FormEvent, useId, useState } from 'react'
import type { TodoListView } from '../../features/tasks/todo-lists/model'
import { pathOf } from '../api/call'
import { History } from '../history/History'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Field } from '../parts/Field'
import { isLocal } from '../store/commands'
import { useWriting } from '../store/use-writing'
import { changingList } from './intents'
import { todoTexts } from './texts'

const messages = defineMessages({
  en: {
    title: 'Edit list',
    name: 'Name',
    colour: 'Colour',
    taken: 'You have a list of this name. Choose another name.',
    changed: (name: string) => `Changed the list ${name}`,
  },
  de: {
    title: 'Liste bearbeiten',
    name: 'Name',
    colour: 'Farbe',
    taken: 'Eine Liste dieses Namens gibt es schon. Bitte einen anderen Namen wählen.',
    changed: (name) => `Liste ${name} geändert`,
  },
})

const FIELDS = ['name', 'color']

interface ListDialogProps {
  readonly list: TodoListView
  readonly lists: readonly TodoListView[]
  readonly onClose: () => void
}

/** The name and the colour of a list of todos. */
export function ListDialog({ list, lists, onClose }: ListDialogProps) {
  const m = useMessages(messages)
  const texts = useMessages(todoTexts)
  const form = useId()
  const { name, color, problem, setName, setColor, save } = useListForm(list, lists, onClose)
  return (
    <Dialog
      title={m.title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" form={form}>
            {texts.save}
          </Button>
        </>
      }
    >
      <form id={form} className="event-form" noValidate onSubmit={save}>
        <Field
          label={m.name}
          value={name}
          maxLength={100}
          autoComplete="off"
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
      {!isLocal(list.id) && (
        <div className="event-more">
          <History
            record={{ kind: 'todo_list', id: list.id }}
            path={pathOf`todo-lists/${list.id}`}
            title={list.name}
            fields={FIELDS}
            onRestored={onClose}
          />
        </div>
      )}
    </Dialog>
  )
}

function useListForm(list: TodoListView, lists: readonly TodoListView[], onDone: () => void) {
  const m = useMessages(messages)
  const texts = useMessages(todoTexts)
  const write = useWriting()
  // What others change while it is open is merged against what was opened.
  const [opened] = useState(list)
  const [name, setName] = useState(opened.name)
  const [color, setColor] = useState(opened.color)
  const [problem, setProblem] = useState<string>()
  const save = (event: FormEvent) => {
    event.preventDefault()
    const wanted = name.trim()
    if (wanted === '') return setProblem(texts.missing)
    if (lists.some((other) => other.id !== list.id && other.name === wanted)) return setProblem(m.taken)
    const changes = {
      ...(wanted !== opened.name && { name: wanted }),
      ...(color !== opened.color && { color }),
    }
    onDone()
    if (Object.keys(changes).length > 0) write(changingList(opened, changes, m.changed(wanted)))
    return undefined
  }
  return { name, color, problem, setName, setColor, save }
}
