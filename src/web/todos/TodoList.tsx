import { type KeyboardEvent, useCallback, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { TodoView } from '../../features/tasks/todos/model'
import { todoAddress } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { EmptyState } from '../parts/EmptyState'
import { ItemList } from '../parts/ItemList'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { Status } from '../parts/Status'
import type { Loading } from '../store/loader'
import { useKeys, useStore } from '../store/use-store'
import { useToday } from '../time/use-now'
import { useTodoLists, useTodos } from './data'
import { PlaceDialog } from './PlaceDialog'
import { todoTexts } from './texts'
import { type LineActions, TodoLine } from './TodoLine'
import { useLatest } from './use-latest'
import { useTodoActions } from './use-todo-actions'
import { shownTodos, type TodoFilter } from './views'

const messages = defineMessages({
  en: {
    nothing: 'Nothing to do',
    noneDone: 'Nothing is done yet',
    hint: 'Type above what there is to do. A day or a time in the line counts too.',
    hintHere: 'Nothing fits this view. All others are under “All”.',
    unread: 'The todos could not be read.',
    some: (said: string) => `${said} so far`,
  },
  de: {
    nothing: 'Nichts zu tun',
    noneDone: 'Noch ist nichts erledigt',
    hint: 'Oben eingeben, was zu tun ist. Auch ein Tag oder eine Uhrzeit in der Zeile zählt.',
    hintHere: 'Zu dieser Ansicht passt nichts. Alles andere steht unter „Alle“.',
    unread: 'Die Aufgaben konnten nicht gelesen werden.',
    some: (said) => `Bisher ${said}`,
  },
})

interface TodoListProps {
  readonly search: string
  readonly filter: TodoFilter
  readonly openedId: number | undefined
}

/** A todo as a line of a list. */
interface Line {
  readonly key: string
  readonly todo: TodoView
}

/** Whether todos were completed when somebody toggled them, by their keys. */
const NOTHING: ReadonlyMap<string, boolean> = new Map()

/** The todos of a view. What one ticks stays in its place until one leaves. */
export function TodoList({ search, filter, openedId }: TodoListProps) {
  const texts = useMessages(todoTexts)
  const keyOf = useKeys('todo')
  const { todos, loading } = useTodos()
  const { lines, openCount, today, keep } = useLines(todos, filter)
  const [placedKey, setPlacedKey] = useState<string>()
  const listOf = useListOf(filter)
  const isByHand = filter.view === 'all'
  const use = { todos, lines, openCount, isByHand, search, keep, place: setPlacedKey }
  const { move, actions } = useLineActions(use)
  const at = lines.findIndex(({ key }) => key === placedKey)
  const placed = todos.find(({ id }) => keyOf(id) === placedKey)
  return (
    <>
      <Count count={lines.length} loading={loading} />
      {lines.length > 0 && (
        <ItemList
          label={texts.todos}
          items={lines}
          lineHeight={48}
          onKey={(line, event) => pressedOn(line.todo, event, actions)}
          {...(isByHand && { onMove: move })}
        >
          {({ todo }) => (
            <TodoLine
              todo={todo}
              today={today}
              search={search}
              isOpened={todo.id === openedId}
              list={listOf(todo)}
              actions={actions}
            />
          )}
        </ItemList>
      )}
      <Around loading={loading} isEmpty={lines.length === 0} filter={filter} hasOthers={todos.length > 0} />
      {placed && (
        <PlaceDialog
          todo={placed}
          place={isByHand && at >= 0 ? { at, count: openCount } : undefined}
          onMove={(to) => move({ key: keyOf(placed.id), todo: placed }, to)}
          onClose={() => setPlacedKey(undefined)}
        />
      )}
    </>
  )
}

/** The lines of a view, and a function that keeps one where it is. */
function useLines(todos: readonly TodoView[], filter: TodoFilter) {
  const keyOf = useKeys('todo')
  const [kept, setKept] = useState(NOTHING)
  const today = useToday().toString()
  const isDone = useCallback(({ id, completed }: TodoView) => kept.get(keyOf(id)) ?? completed, [keyOf, kept])
  const lines = useMemo<readonly Line[]>(
    () => shownTodos(todos, { filter, today, isDone }).map((todo) => ({ key: keyOf(todo.id), todo })),
    [todos, filter, today, isDone, keyOf],
  )
  const keep = useCallback(
    ({ id, completed }: TodoView) =>
      setKept((before) => (before.has(keyOf(id)) ? before : new Map([...before, [keyOf(id), completed]]))),
    [keyOf],
  )
  const openCount = lines.filter(({ todo }) => !isDone(todo)).length
  return { lines, openCount, today, keep }
}

/** The list of a todo, where several lists show together and it is not in the default one. */
function useListOf({ listId }: TodoFilter) {
  const { lists } = useTodoLists()
  const byId = useMemo(
    () => new Map(lists.filter((list) => !list.is_default).map((list) => [list.id, list])),
    [lists],
  )
  return (todo: TodoView) => (listId === undefined ? byId.get(todo.list_id) : undefined)
}

interface LineUse {
  readonly todos: readonly TodoView[]
  readonly lines: readonly Line[]
  /** So many lines stand above those that are done. */
  readonly openCount: number
  readonly isByHand: boolean
  readonly search: string
  readonly keep: (todo: TodoView) => void
  readonly place: (key: string) => void
}

/** What lines do. The functions change when the list does, but not with each line. */
function useLineActions({ todos, lines, openCount, isByHand, search, keep, place }: LineUse) {
  const keyOf = useKeys('todo')
  const writes = useTodoActions()
  const [, navigate] = useLocation()
  const move = useLatest((line: Line, to: number) => {
    if (line.todo.completed) return
    const others = lines.slice(0, openCount).filter(({ key }) => key !== line.key)
    writes.move(todos, { todo: line.todo, above: others[to - 1]?.todo, below: others[to]?.todo })
  })
  const step = useLatest((todo: TodoView, by: 1 | -1) => {
    const at = lines.findIndex((line) => line.todo.id === todo.id)
    const line = lines[at]
    if (line && at + by >= 0 && at + by < openCount) move(line, at + by)
  })
  const open = useCallback((todo: TodoView) => navigate(todoAddress(todo.id, search)), [navigate, search])
  const actions = useMemo<LineActions>(
    () => ({
      toggle: (todo) => {
        keep(todo)
        writes.toggle(todo)
      },
      open,
      remove: (todo) => void writes.remove(todo),
      place: (todo) => place(keyOf(todo.id)),
      step: isByHand ? step : undefined,
    }),
    [writes, open, keep, place, keyOf, isByHand, step],
  )
  return { move, actions }
}

function pressedOn(todo: TodoView, event: KeyboardEvent, actions: LineActions): void {
  const { key, target } = event
  const opens = (key === 'Enter' && target instanceof HTMLInputElement) || key === 'e'
  if (!opens && key !== 'Delete') return
  event.preventDefault()
  if (opens) actions.open(todo)
  else actions.remove(todo)
}

/** How many there are, as far as is known. */
function Count({ count, loading }: { readonly count: number; readonly loading: Loading }) {
  const m = useMessages(messages)
  const texts = useMessages(todoTexts)
  const said = texts.count(count)
  const isWhole = loading.is === 'loaded'
  return <Status isVisible>{isWhole ? said : count > 0 && m.some(said)}</Status>
}

interface AroundProps {
  readonly loading: Loading
  readonly isEmpty: boolean
  readonly filter: TodoFilter
  readonly hasOthers: boolean
}

/** What stands in the place of todos that are on their way, could not be read or do not exist. */
function Around({ loading, isEmpty, filter, hasOthers }: AroundProps) {
  const m = useMessages(messages)
  const { loader } = useStore()
  if (loading.is === 'refused')
    return <ProblemNote refusal={loading.refusal} sentence={m.unread} onTryAgain={() => loader.retry()} />
  if (loading.is === 'loading') return <Skeleton lines={isEmpty ? 6 : 2} />
  if (!isEmpty) return null
  return (
    <EmptyState icon="todos" title={filter.view === 'done' ? m.noneDone : m.nothing}>
      <p>{hasOthers ? m.hintHere : m.hint}</p>
    </EmptyState>
  )
}
