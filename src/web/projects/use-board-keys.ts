import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import { pressedOnTask } from './task-keys'
import type { Drop } from './use-board-drag'
import type { TaskActions, TaskStatus } from './use-task-actions'

export interface Column {
  readonly status: TaskStatus
  readonly tasks: readonly SubtaskView[]
}

interface BoardKeys {
  readonly columns: readonly Column[]
  readonly drop: (task: SubtaskView, drop: Drop) => void
  readonly actions: TaskActions
}

/** Where a card stands: in which column, and there at which place. */
interface Spot {
  readonly column: number
  readonly index: number
}

/** Arrows go through the cards of the board, Alt with an arrow moves the card, and the focus goes along. */
export function useBoardKeys(board: RefObject<HTMLElement | null>, keys: BoardKeys) {
  const wanted = useRef<number>(undefined)
  const focus = (id: number | undefined) =>
    board.current?.querySelector<HTMLElement>(`li[data-task="${id}"] a`)?.focus()
  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    focus(wanted.current)
    wanted.current = undefined
  })
  return (event: KeyboardEvent<HTMLElement>) => {
    const task = taskAt(event, keys.columns)
    if (!task || event.defaultPrevented) return
    const step = stepOf(event)
    if (!step) {
      const { actions } = keys
      return pressedOnTask(event, { open: () => actions.open(task), remove: () => actions.remove(task) })
    }
    event.preventDefault()
    const from = spotOf(keys.columns, task)
    if (!event.altKey) return focus(cardAt(keys.columns, from, step))
    const drop = dropBy(keys.columns, from, step)
    if (!drop) return
    wanted.current = task.id
    keys.drop(task, drop)
  }
}

function taskAt({ target, currentTarget }: KeyboardEvent<HTMLElement>, columns: readonly Column[]) {
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return undefined
  const id = Number(target.closest<HTMLElement>('li[data-task]')?.dataset['task'])
  return columns.flatMap(({ tasks }) => tasks).find((task) => task.id === id)
}

interface Step {
  readonly across: number
  readonly down: number
}

/** To the neighbour column the arrow leads that points there, whichever way the language runs. */
function stepOf({
  key,
  ctrlKey,
  metaKey,
  shiftKey,
  currentTarget,
}: KeyboardEvent<HTMLElement>): Step | undefined {
  if (ctrlKey || metaKey || shiftKey) return undefined
  const forwards = getComputedStyle(currentTarget).direction === 'rtl' ? -1 : 1
  const steps: Readonly<Record<string, Step>> = {
    ArrowUp: { across: 0, down: -1 },
    ArrowDown: { across: 0, down: 1 },
    ArrowRight: { across: forwards, down: 0 },
    ArrowLeft: { across: -forwards, down: 0 },
  }
  return steps[key]
}

export function spotOf(columns: readonly Column[], { id, status }: SubtaskView): Spot {
  const column = columns.findIndex((each) => each.status === status)
  return { column, index: columns[column]?.tasks.findIndex((task) => task.id === id) ?? 0 }
}

/** The card that an arrow leads to; past empty columns to the next one with cards. */
function cardAt(
  columns: readonly Column[],
  { column, index }: Spot,
  { across, down }: Step,
): number | undefined {
  if (across === 0) return columns[column]?.tasks[index + down]?.id
  const next = columns[column + across]
  if (!next) return undefined
  if (next.tasks.length === 0) return cardAt(columns, { column: column + across, index }, { across, down })
  return (next.tasks[index] ?? next.tasks.at(-1))?.id
}

/** Where a card goes by a step: past its neighbour, or to the next column, where it keeps its place among all tasks. */
export function dropBy(
  columns: readonly Column[],
  { column, index }: Spot,
  { across, down }: Step,
): Drop | undefined {
  const here = columns[column]
  const next = columns[column + across]
  if (!here || !next) return undefined
  if (across !== 0) return { status: next.status, above: undefined, below: undefined }
  const neighbour = here.tasks[index + down]
  if (!neighbour) return undefined
  return {
    status: here.status,
    above: down > 0 ? neighbour.id : undefined,
    below: down < 0 ? neighbour.id : undefined,
  }
}
