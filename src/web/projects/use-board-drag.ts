import type { RefObject } from 'react'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import { scrollAtEdge, usePressDrag } from '../parts/use-press-drag'
import { useStore } from '../store/use-store'
import { TASK_STATUSES } from './texts'
import type { TaskStatus } from './use-task-actions'

/** A place in a column: between two cards, of which there may be only one or none. */
export interface Drop {
  readonly status: TaskStatus
  /** The ids of the tasks of these cards. */
  readonly above: number | undefined
  readonly below: number | undefined
}

interface TakenCard {
  readonly task: SubtaskView
  readonly card: HTMLElement
  readonly fromX: number
  readonly fromY: number
  drop: Drop | undefined
}

/** Moves cards by dragging them to another place or column; a line shows where the card would stand. */
export function useBoardDrag(
  board: RefObject<HTMLElement | null>,
  tasks: readonly SubtaskView[],
  onDrop: (task: SubtaskView, drop: Drop) => void,
): void {
  const { ids } = useStore()
  const named = (id: number | undefined) => (id === undefined ? undefined : ids.real(id))
  usePressDrag<TakenCard>(board, {
    take: (event) => taken(event, tasks),
    start: ({ card }) => {
      card.dataset['dragged'] = ''
    },
    follow: (drag, event) => {
      if (document.scrollingElement) scrollAtEdge(document.scrollingElement, event.clientY)
      drag.card.style.translate = `${event.pageX - drag.fromX}px ${event.pageY - drag.fromY}px`
      drag.drop = dropAt(board.current, drag.card, event)
    },
    drop: ({ task: { id }, drop }) => {
      const task = tasks.find((each) => each.id === named(id))
      if (task && drop) onDrop(task, { ...drop, above: named(drop.above), below: named(drop.below) })
    },
    end: () => {
      const dragged = board.current?.querySelector<HTMLElement>('[data-dragged]')
      if (dragged) {
        delete dragged.dataset['dragged']
        dragged.style.translate = ''
      }
      markGap(board.current, undefined)
    },
  })
}

function taken({ target, pageX, pageY }: PointerEvent, tasks: readonly SubtaskView[]): TakenCard | undefined {
  if (!(target instanceof Element) || target.closest('button')) return undefined
  const card = target.closest<HTMLElement>('li[data-task]')
  const task = tasks.find(({ id }) => id === taskOf(card))
  return card && task ? { task, card, fromX: pageX, fromY: pageY, drop: undefined } : undefined
}

const taskOf = (card: HTMLElement | null | undefined): number | undefined =>
  card ? Number(card.dataset['task']) : undefined

/** The gap between cards that is nearest to a point, which it marks. */
function dropAt(
  board: HTMLElement | null,
  dragged: HTMLElement,
  { clientX, clientY }: PointerEvent,
): Drop | undefined {
  const columns = [...(board?.querySelectorAll<HTMLElement>('[data-column]') ?? [])]
  const column = columns.toSorted((a, b) => distance(a, clientX, clientY) - distance(b, clientX, clientY))[0]
  const status = TASK_STATUSES.find((each) => each === column?.dataset['column'])
  if (!column || !status) return undefined
  const cards = [...column.querySelectorAll<HTMLElement>('li[data-task]')].filter((card) => card !== dragged)
  const index = cards.findIndex((card) => {
    const { top, height } = card.getBoundingClientRect()
    return clientY < top + height / 2
  })
  const at = index < 0 ? cards.length : index
  const [above, below] = [cards[at - 1], cards[at]]
  markGap(board, below ?? above ?? column, below === undefined)
  return { status, above: taskOf(above), below: taskOf(below) }
}

/** How far a point lies outside an element. */
function distance(element: HTMLElement, x: number, y: number): number {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))
}

function markGap(board: HTMLElement | null, element: HTMLElement | undefined, isAfter = false): void {
  for (const marked of board?.querySelectorAll<HTMLElement>('[data-gap]') ?? []) delete marked.dataset['gap']
  if (element) element.dataset['gap'] = isAfter ? 'after' : 'before'
}
