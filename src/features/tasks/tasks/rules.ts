import { type AppError, conflict } from '../../../lib/errors'
import { MAX_ID } from '../../../lib/wire/id'
import { isDay } from '../../../lib/time/time'

/** Subtasks that stand within their task; the list pages the others. */
export const MAX_NESTED = 50
/** Bytes of an answer: a page of long texts ends before its limit. */
const MAX_BYTES = 8 * 1_048_576

/** How many of what takes so many bytes each stand in one answer: the first does in any case. */
export function fitting(sizes: readonly number[]): number {
  let [count, bytes] = [0, 0]
  for (const size of sizes) {
    bytes += size
    if (count > 0 && bytes > MAX_BYTES) break
    count++
  }
  return count
}

interface Parent {
  readonly id: number
  readonly parentTaskId: number | null
}

/** Why a task may not go below `parent`: there is one level of subtasks (contract: projects.subtasks). `task` null is a new one. */
export function refusalOfParent(
  parent: Parent,
  task: { readonly id: number; readonly hasSubtasks: boolean } | null,
): AppError | undefined {
  const isAllowed = parent.parentTaskId === null && parent.id !== task?.id && !task?.hasSubtasks
  return isAllowed ? undefined : conflict('Only top-level tasks can have subtasks')
}

/** The last day that is within `days` of `today`. */
export const lastDayWithin = (today: string, days: number): string =>
  Temporal.PlainDate.from(today).add({ days }).toString()

/** Keys of lists in the order of a day, ties by id. */
export type DayKey = readonly [day: string, id: number]

export const isDayKey = (key: unknown): key is DayKey =>
  Array.isArray(key) &&
  key.length === 2 &&
  typeof key[0] === 'string' &&
  isDay(key[0]) &&
  Number.isInteger(key[1]) &&
  key[1] >= 1 &&
  key[1] <= MAX_ID
