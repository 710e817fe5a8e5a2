import { type FormEvent, useId, useState } from 'react'
import type { TodoView } from '../../features/tasks/todos/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Field } from '../parts/Field'
import { Select } from '../parts/Select'
import { useTodoLists } from './data'
import { todoTexts } from './texts'
import { useTodoActions } from './use-todo-actions'

const messages = defineMessages({
  en: {
    title: (title: string) => `Move ${title}`,
    position: 'Position',
    positionHint: (count: number) => `From 1 to ${count}`,
    unread: (count: number) => `Type a number from 1 to ${count}.`,
    move: 'Move',
  },
  de: {
    title: (title) => `${title} verschieben`,
    position: 'Platz',
    positionHint: (count) => `Von 1 bis ${count}`,
    unread: (count) => `Bitte eine Zahl von 1 bis ${count} eingeben.`,
    move: 'Verschieben',
  },
})

interface PlaceDialogProps {
  readonly todo: TodoView
  /** Its place among those that are open, counted from 0; undefined where the order is not the user's. */
  readonly place: { readonly at: number; readonly count: number } | undefined
  readonly onMove: (to: number) => void
  readonly onClose: () => void
}

/** Asks to which list and place a todo goes: what dragging does, for everybody. */
export function PlaceDialog(props: PlaceDialogProps) {
  const { todo, onClose } = props
  const m = useMessages(messages)
  const texts = useMessages(todoTexts)
  const { lists } = useTodoLists()
  const form = useId()
  const { listId, setListId, position, setPosition, isWrong, movable, submit } = usePlaceForm(props)
  return (
    <Dialog
      title={m.title(todo.title)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" form={form}>
            {m.move}
          </Button>
        </>
      }
    >
      <form id={form} className="event-form" noValidate onSubmit={submit}>
        <Select
          label={texts.list}
          options={lists.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={listId}
          onChange={setListId}
        />
        {movable && (
          <Field
            label={m.position}
            hint={m.positionHint(movable.count)}
            problem={isWrong ? m.unread(movable.count) : undefined}
            type="number"
            min={1}
            max={movable.count}
            value={position}
            onChange={({ target }) => setPosition(target.value)}
          />
        )}
      </form>
    </Dialog>
  )
}

function usePlaceForm({ todo, place, onMove, onClose }: PlaceDialogProps) {
  const { lists } = useTodoLists()
  const { moveToList } = useTodoActions()
  // Somebody else may move it meanwhile.
  const [opened] = useState(todo)
  const [listId, setListId] = useState(String(opened.list_id))
  const [position, setPosition] = useState(String((place?.at ?? 0) + 1))
  const [isWrong, setWrong] = useState(false)
  const movable = todo.completed ? undefined : place
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const to = Number(position) - 1
    const isPlace = movable === undefined || (Number.isInteger(to) && to >= 0 && to < movable.count)
    setWrong(!isPlace)
    if (!isPlace) return
    const list = lists.find(({ id }) => String(id) === listId)
    onClose()
    if (list && list.id !== opened.list_id) moveToList(opened, list)
    if (movable && to !== movable.at) onMove(to)
  }
  return { listId, setListId, position, setPosition, isWrong, movable, submit }
}
