import { memo, useMemo } from 'react'
import { Link } from 'wouter'
import type { TodoListView } from '../../features/tasks/todo-lists/model'
import type { TodoView } from '../../features/tasks/todos/model'
import { todoAddress } from '../app/addresses'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Icon } from '../parts/Icon'
import type { MenuAction } from '../parts/Menu'
import { MenuButton } from '../parts/MenuButton'
import { WaitingMark } from '../parts/WaitingMark'
import { cssVariables } from '../styles/variables'
import { dayTitle, shortDay } from '../time/format'
import { useZone } from '../time/use-zone'
import { todoTexts } from './texts'

const messages = defineMessages({
  en: {
    overdue: 'Overdue:',
    due: 'Due:',
    today: 'Today',
    tomorrow: 'Tomorrow',
    repeats: 'Repeats',
    back: (day: string) => `Back on ${day}`,
    priority: (level: string) => `Priority: ${level}`,
    up: 'Move up',
    down: 'Move down',
    moveTo: 'Move to…',
  },
  de: {
    overdue: 'Überfällig:',
    due: 'Fällig:',
    today: 'Heute',
    tomorrow: 'Morgen',
    repeats: 'Wiederholt sich',
    back: (day) => `Wieder am ${day}`,
    priority: (level) => `Priorität: ${level}`,
    up: 'Nach oben',
    down: 'Nach unten',
    moveTo: 'Verschieben …',
  },
})

/** What the menu of a line does. */
export interface LineActions {
  readonly toggle: (todo: TodoView) => void
  readonly open: (todo: TodoView) => void
  readonly remove: (todo: TodoView) => void
  /** Opens the dialog that asks where to. */
  readonly place: (todo: TodoView) => void
  /** Moves it past its neighbour; undefined where the order is not the user's. */
  readonly step: ((todo: TodoView, by: 1 | -1) => void) | undefined
}

interface TodoLineProps {
  readonly todo: TodoView
  readonly today: string
  readonly search: string
  readonly isOpened: boolean
  /** Where it says something: in a page of several lists. */
  readonly list: TodoListView | undefined
  readonly actions: LineActions
}

/** A todo in a list. */
export const TodoLine = memo(({ todo, today, search, isOpened, list, actions }: TodoLineProps) => (
  <div className="todo-line" data-done={todo.completed || undefined} data-opened={isOpened || undefined}>
    <input
      type="checkbox"
      className="checkbox"
      aria-label={todo.title}
      data-priority={todo.priority}
      checked={todo.completed}
      onChange={() => actions.toggle(todo)}
    />
    <div className="todo-text">
      <Link
        href={todoAddress(todo.id, search)}
        draggable={false}
        aria-current={isOpened ? 'true' : undefined}
      >
        {todo.title}
      </Link>
      <Facts todo={todo} today={today} list={list} />
    </div>
    <LineMenu todo={todo} actions={actions} />
  </div>
))

function Facts({ todo, today, list }: Pick<TodoLineProps, 'todo' | 'today' | 'list'>) {
  const m = useMessages(messages)
  const texts = useMessages(todoTexts)
  const { priority, recurrence, recurrence_unsupported: isElsewhere, category } = todo
  return (
    <span className="todo-facts">
      <Due todo={todo} today={today} />
      {(recurrence !== null || isElsewhere) && (
        <span title={recurrence === null ? m.repeats : texts[recurrence]}>
          <Icon name="repeat" />
          <span className="visually-hidden">{recurrence === null ? m.repeats : texts[recurrence]}</span>
        </span>
      )}
      {priority !== 'none' && (
        <span className="todo-priority" data-priority={priority}>
          <span aria-hidden="true">{texts[priority]}</span>
          <span className="visually-hidden">{m.priority(texts[priority])}</span>
        </span>
      )}
      {category !== null && <span>#{category}</span>}
      {list && (
        <span className="todo-list-name" style={cssVariables({ '--calendar': list.color })}>
          {list.name}
        </span>
      )}
      <WaitingMark record={{ kind: 'todo', id: todo.id }} />
    </span>
  )
}

/** When it is due, or when one that repeats is back. */
function Due({ todo, today }: Pick<TodoLineProps, 'todo' | 'today'>) {
  const m = useMessages(messages)
  const locale = useLocale()
  const zone = useZone()
  const { completed, reset_at: reset, due_date: due, due_time: time } = todo
  if (completed && reset !== null) {
    const day = Temporal.Instant.from(reset).toZonedDateTimeISO(zone).toPlainDate()
    return <span>{m.back(dayTitle(day, locale))}</span>
  }
  if (due === null) return null
  const isLate = due < today && !completed
  return (
    <span className={isLate ? 'todo-late' : undefined}>
      <span className="visually-hidden">{isLate ? m.overdue : m.due} </span>
      {dueWords(due, today, { today: m.today, tomorrow: m.tomorrow, locale })}
      {time !== null && `, ${time}`}
    </span>
  )
}

interface DayWords {
  readonly today: string
  readonly tomorrow: string
  readonly locale: string
}

function dueWords(due: string, today: string, words: DayWords): string {
  const day = Temporal.PlainDate.from(due)
  const days = Temporal.PlainDate.from(today).until(day).days
  if (days === 0) return words.today
  return days === 1 ? words.tomorrow : shortDay(day, words.locale)
}

function LineMenu({ todo, actions }: Pick<TodoLineProps, 'todo' | 'actions'>) {
  const m = useMessages(messages)
  const texts = useMessages(todoTexts)
  const { step } = actions
  const menu = useMemo<readonly MenuAction[]>(
    () => [
      { id: 'edit', label: texts.edit, icon: 'edit', keys: 'e', run: () => actions.open(todo) },
      ...(step && !todo.completed
        ? [
            { id: 'up', label: m.up, icon: 'chevron-up', run: () => step(todo, -1) } as const,
            { id: 'down', label: m.down, icon: 'chevron-down', run: () => step(todo, 1) } as const,
          ]
        : []),
      { id: 'move', label: m.moveTo, icon: 'grip', run: () => actions.place(todo) },
      {
        id: 'delete',
        label: texts.delete,
        icon: 'delete',
        isDangerous: true,
        run: () => actions.remove(todo),
      },
    ],
    [m, texts, actions, step, todo],
  )
  const more = texts.more(todo.title)
  return (
    <MenuButton kind="quiet" actions={menu} aria-label={more} title={more}>
      <Icon name="more" />
    </MenuButton>
  )
}
