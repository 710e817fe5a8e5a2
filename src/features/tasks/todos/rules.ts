import type { FieldProblem } from '../../../lib/errors'
import { dayIn } from '../../../lib/time/time'

export type Recurrence = 'daily' | 'weekly' | 'monthly'

/** How the user counts days and weeks. */
export interface Week {
  readonly timeZone: string
  /** 0 = Sunday, 1 = Monday. */
  readonly firstDayOfWeek: number
}

/** When a todo is due, whether it is completed, and when it reopens. Days are `YYYY-MM-DD`. */
export interface Schedule {
  readonly dueDate: string | null
  /** Day of the month of the due date that the user last set. */
  readonly dueDay: number | null
  readonly dueTime: string | null
  readonly recurrence: Recurrence | null
  readonly completedAt: Date | null
  readonly resetAt: Date | null
  readonly nextDueDate: string | null
}

export const NO_SCHEDULE: Schedule = {
  dueDate: null,
  dueDay: null,
  dueTime: null,
  recurrence: null,
  completedAt: null,
  resetAt: null,
  nextDueDate: null,
}

/** The part of a request that affects the schedule; undefined leaves a field as it is. */
interface ScheduleChange {
  readonly due_date?: string | null
  readonly due_time?: string | null
  readonly recurrence?: Recurrence | null
  readonly completed?: boolean
}

/**
 * Returns the schedule after a change (contract: todos.recurrence). Completing a completed todo changes nothing, so that of two
 * simultaneous requests only one advances it. Clearing the due date also clears the due time.
 */
export function reschedule(stored: Schedule, wish: ScheduleChange, now: Date, week: Week): Schedule {
  const dueDate = afterwards(wish.due_date, stored.dueDate)
  const recurrence = afterwards(wish.recurrence, stored.recurrence)
  const isSame = dueDate === stored.dueDate && recurrence === stored.recurrence
  // A client that sends back the values it has read does not set another day.
  const dueDay = isSame ? stored.dueDay : dayOfMonth(dueDate)
  const completedAt = completionAfter(wish.completed, stored.completedAt, now)
  const isKept = isSame && completedAt === stored.completedAt
  return {
    dueDate,
    dueDay,
    dueTime: afterwards(wish.due_time, dueDate === null ? null : stored.dueTime),
    recurrence,
    completedAt,
    ...(isKept
      ? { resetAt: stored.resetAt, nextDueDate: stored.nextDueDate }
      : nextTurn({ dueDate, dueDay, recurrence }, completedAt, week)),
  }
}

/** Whether two schedules are due at the same time and repeated in the same way. */
export const isSameTime = (one: Schedule, other: Schedule): boolean =>
  one.dueDate === other.dueDate &&
  one.dueTime?.slice(0, 5) === other.dueTime?.slice(0, 5) &&
  one.recurrence === other.recurrence

/** What a text says of the schedule (contract: todos.text). */
type WrittenSchedule = Pick<Schedule, 'dueDate' | 'dueTime' | 'recurrence' | 'completedAt'>

/**
 * Returns the schedule that a text gives the todo, whose series, if only the text can say it, is due next at `nextDueDate`. One that says again when the todo was completed completes it no second time.
 */
export function scheduleOf(
  stored: Schedule,
  written: WrittenSchedule,
  week: Week,
  nextDueDate: string | null | undefined,
): Schedule {
  const { dueDate, recurrence, completedAt } = written
  const isSame = dueDate === stored.dueDate && recurrence === stored.recurrence
  const dueDay = isSame ? stored.dueDay : dayOfMonth(dueDate)
  const isKept = isSame && completedAt?.getTime() === stored.completedAt?.getTime()
  return {
    ...written,
    dueDay,
    ...(isKept
      ? { resetAt: stored.resetAt, nextDueDate: stored.nextDueDate }
      : (turnTo(nextDueDate, completedAt, week) ??
        turnOfText({ dueDate, dueDay, recurrence }, completedAt, week))),
  }
}

/** The turn of a series that only a text can say: it is open again on the day after that of its completion. */
export function turnTo(
  nextDueDate: string | null | undefined,
  completedAt: Date | null,
  week: Week,
): Turn | undefined {
  if (typeof nextDueDate !== 'string' || completedAt === null) return undefined
  return { ...nextTurn({ dueDate: null, dueDay: null, recurrence: 'daily' }, completedAt, week), nextDueDate }
}

/** What a text completes before its week or month does not come again at the same date. */
function turnOfText(due: Due, completedAt: Date | null, week: Week): Turn {
  const turn = nextTurn(due, completedAt, week)
  if (due.dueDate === null || turn.nextDueDate === null || turn.nextDueDate > due.dueDate) return turn
  return nextTurn(due, midnight(week.timeZone, Temporal.PlainDate.from(due.dueDate)), week)
}

const afterwards = <T>(given: T | undefined, stored: T): T => (given === undefined ? stored : given)

const dayOfMonth = (day: string | null) => (day === null ? null : Temporal.PlainDate.from(day).day)

function completionAfter(completed: boolean | undefined, stored: Date | null, now: Date): Date | null {
  if (completed === undefined) return stored
  return completed ? (stored ?? now) : null
}

/** Checks the schedule as a whole; undefined when it is valid. */
export const scheduleProblem = ({ dueDate, dueTime }: Schedule): FieldProblem | undefined =>
  dueDate === null && dueTime !== null
    ? { field: 'body.due_time', message: 'must be given together with due_date' }
    : undefined

type Due = Pick<Schedule, 'dueDate' | 'dueDay' | 'recurrence'>
type Turn = Pick<Schedule, 'resetAt' | 'nextDueDate'>

/**
 * Returns when a todo completed at `completedAt` reopens, and its due date then. Both are counted from the local day of
 * completion, not from the old due date (contract: todos.recurrence).
 */
export function nextTurn({ recurrence, dueDate, dueDay }: Due, completedAt: Date | null, week: Week): Turn {
  if (recurrence === null || completedAt === null) return { resetAt: null, nextDueDate: null }
  const completedOn = Temporal.PlainDate.from(dayIn(week.timeZone, completedAt))
  const reset = RESET_DAY[recurrence](completedOn, week)
  const due =
    dueDate === null ? reset : DUE_DAY[recurrence](reset, Temporal.PlainDate.from(dueDate), { dueDay, week })
  return { resetAt: midnight(week.timeZone, reset), nextDueDate: due.toString() }
}

const RESET_DAY: Readonly<Record<Recurrence, (day: Temporal.PlainDate, week: Week) => Temporal.PlainDate>> = {
  daily: (day) => day.add({ days: 1 }),
  weekly: (day, week) => day.add({ days: 7 - dayOfWeek(day, week) }),
  monthly: (day) => day.with({ day: 1 }).add({ months: 1 }),
}

interface Memory {
  readonly dueDay: number | null
  readonly week: Week
}

/** Places the due date `due` in the period that starts at `reset`; a day that a month lacks is its last. */
const DUE_DAY: Readonly<
  Record<
    Recurrence,
    (reset: Temporal.PlainDate, due: Temporal.PlainDate, memory: Memory) => Temporal.PlainDate
  >
> = {
  daily: (reset) => reset,
  weekly: (reset, due, { week }) => reset.add({ days: dayOfWeek(due, week) }),
  monthly: (reset, due, { dueDay }) => reset.with({ day: dueDay ?? due.day }),
}

/** Days since the start of the week. Temporal's `dayOfWeek` is 7 on Sundays. */
const dayOfWeek = (day: Temporal.PlainDate, { firstDayOfWeek }: Week) =>
  (day.dayOfWeek - firstDayOfWeek + 7) % 7

/** Midnight; when daylight saving skips it, the time is later by as much as is skipped. */
const midnight = (zone: string, day: Temporal.PlainDate) =>
  new Date(day.toPlainDateTime().toZonedDateTime(zone).epochMilliseconds)
