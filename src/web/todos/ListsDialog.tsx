import { type FormEvent, useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { TodoListView } from '../../features/tasks/todo-lists/model'
import { addressWith, PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { counted, defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Field } from '../parts/Field'
import { Icon } from '../parts/Icon'
import type { MenuAction } from '../parts/Menu'
import { MenuButton } from '../parts/MenuButton'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { isLocal } from '../store/commands'
import { useKeys, useStore } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { cssVariables } from '../styles/variables'
import { useTodoLists, useTodos } from './data'
import { creatingList, deletingList, preferringList } from './intents'
import { ListDialog } from './ListDialog'
import { todoTexts } from './texts'
import { searchOf } from './views'

const messages = defineMessages({
  en: {
    title: 'Lists',
    default: 'Default list',
    open: (count: number) => `${count} open`,
    prefer: 'Make it the default',
    preferred: (name: string) => `${name} is the default list`,
    deleted: (name: string) => `Deleted the list ${name}`,
    deletedWith: (name: string, count: number) =>
      `Deleted the list ${name} with ${count} ${counted(count, 'todo', 'todos')}`,
    name: 'Name of the new list',
    create: 'Create list',
    created: (name: string) => `Created the list ${name}`,
    taken: 'You have a list of this name. Choose another name.',
    unread: 'The lists could not be read.',
  },
  de: {
    title: 'Listen',
    default: 'Standardliste',
    open: (count) => `${count} offen`,
    prefer: 'Zum Standard machen',
    preferred: (name) => `${name} ist jetzt die Standardliste`,
    deleted: (name) => `Liste ${name} gelöscht`,
    deletedWith: (name, count) =>
      `Liste ${name} mit ${count} ${counted(count, 'Aufgabe', 'Aufgaben')} gelöscht`,
    name: 'Name der neuen Liste',
    create: 'Liste anlegen',
    created: (name) => `Liste ${name} angelegt`,
    taken: 'Eine Liste dieses Namens gibt es schon. Bitte einen anderen Namen wählen.',
    unread: 'Die Listen konnten nicht gelesen werden.',
  },
})

/** The lists of todos, each with what one can do to it. */
export function ListsDialog({ onClose }: { readonly onClose: () => void }) {
  const m = useMessages(messages)
  const { loader } = useStore()
  const keyOf = useKeys('todo_list')
  const { lists, loading } = useTodoLists()
  const [editedKey, edit] = useState<string>()
  const edited = lists.find(({ id }) => keyOf(id) === editedKey)
  return (
    <Dialog title={m.title} onClose={onClose}>
      {loading.is === 'loading' && <Skeleton />}
      {loading.is === 'refused' && (
        <ProblemNote refusal={loading.refusal} sentence={m.unread} onTryAgain={() => loader.retry()} />
      )}
      <ul className="calendar-links" aria-label={m.title}>
        {lists.map((list) => (
          <ListLine
            key={keyOf(list.id)}
            list={list}
            lists={lists}
            onEdit={() => edit(keyOf(list.id))}
            onClose={onClose}
          />
        ))}
      </ul>
      <NewList lists={lists} />
      {edited && <ListDialog list={edited} lists={lists} onClose={() => edit(undefined)} />}
    </Dialog>
  )
}

interface ListLineProps {
  readonly list: TodoListView
  readonly lists: readonly TodoListView[]
  readonly onEdit: () => void
  readonly onClose: () => void
}

function ListLine({ list, lists, onEdit, onClose }: ListLineProps) {
  const m = useMessages(messages)
  const texts = useMessages(todoTexts)
  const { todos } = useTodos()
  const inside = useMemo(() => todos.filter(({ list_id: id }) => id === list.id), [todos, list.id])
  const actions = useListActions({ list, lists, count: inside.length, onEdit })
  const more = texts.more(list.name)
  const address = addressWith(PATTERNS.todos, searchOf({ view: 'all', category: undefined, listId: list.id }))
  return (
    <li>
      <Link href={address} onClick={onClose}>
        <span className="todo-dot" style={cssVariables({ '--calendar': list.color })} />
        {list.name}
      </Link>
      <span>{list.is_default && m.default}</span>
      <span>{m.open(inside.filter(({ completed }) => !completed).length)}</span>
      <MenuButton kind="quiet" actions={actions} aria-label={more} title={more}>
        <Icon name="more" />
      </MenuButton>
    </li>
  )
}

interface ListUse extends Pick<ListLineProps, 'list' | 'lists' | 'onEdit'> {
  /** How many todos go with it. */
  readonly count: number
}

function useListActions({ list, lists, count, onEdit }: ListUse): readonly MenuAction[] {
  const m = useMessages(messages)
  const texts = useMessages(todoTexts)
  const write = useWriting()
  return useMemo(() => {
    const said = count === 0 ? m.deleted(list.name) : m.deletedWith(list.name, count)
    const editing = { id: 'edit', label: texts.edit, icon: 'edit', run: onEdit } as const
    // The default list cannot be deleted: there is always one for new todos.
    if (list.is_default) return [editing]
    return [
      editing,
      {
        id: 'default',
        label: m.prefer,
        icon: 'check',
        isDisabled: isLocal(list.id),
        run: () => void write(preferringList(list, lists, m.preferred(list.name))),
      },
      {
        id: 'delete',
        label: texts.delete,
        icon: 'delete',
        isDangerous: true,
        run: () => void write(deletingList(list, said)),
      },
    ]
  }, [m, texts, write, list, lists, count, onEdit])
}

const COLOUR = '#3b82f6'

function NewList({ lists }: { readonly lists: readonly TodoListView[] }) {
  const m = useMessages(messages)
  const write = useWriting()
  const [name, setName] = useState('')
  const [isTaken, setTaken] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = name.trim()
    const taken = lists.some((list) => list.name === wanted)
    setTaken(taken)
    if (taken || wanted === '') return
    setName('')
    write(creatingList({ name: wanted, color: COLOUR }, lists, m.created(wanted)))
  }
  return (
    <form className="one-line-form" onSubmit={submit} noValidate>
      <Field
        label={m.name}
        value={name}
        maxLength={100}
        autoComplete="off"
        problem={isTaken ? m.taken : undefined}
        onChange={({ target }) => {
          setTaken(false)
          setName(target.value)
        }}
      />
      <Button type="submit">{m.create}</Button>
    </form>
  )
}
