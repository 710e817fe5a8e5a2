import { type AppError, conflict } from '../../../lib/errors'
import { MAX_ID } from '../../../lib/wire/id'
import { isDay } from '../../../lib/time/time'

/** The most subtasks that are nested in their task; the list pages the others. */
export const MAX_NESTED = 50

interface Parent {
  readonly id: number
  readonly parentTaskId: number | null
}

/**
 * Returns why a task may not become a subtask of `parent`: subtasks have only one level (contract: projects.subtasks). `task` is
 * null for a new task.
 */
export function refusalOfParent(
  parent: Parent,
  task: { readonly id: number; readonly hasSubtasks: boolean } | null,
): AppError | undefined {
  const isAllowed = parent.parentTaskId === null && parent.id !== task?.id && !task?.hasSubtasks
  return isAllowed ? undefined : conflict('Only top-level tasks can have subtasks')
}

export const lastDayWithin = (today: string, days: number): string =>
  Temporal.PlainDate.from(today).add({ days }).toString()

/** Key of a list that is sorted by day, then by id. */
export type DayKey = readonly [day: string, id: number]

export const isDayKey = (key: unknown): key is DayKey =>
  Array.isArray(key) &&
  key.length === 2 &&
  typeof key[0] === 'string' &&
  isDay(key[0]) &&
  Number.isInteger(key[1]) &&
  key[1] >= 1 &&
  key[1] <= MAX_ID
