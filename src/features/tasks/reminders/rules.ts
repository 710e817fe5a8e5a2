import { type AppError, conflict, invalidField } from '../../../lib/errors'
import { nextOccurrence, seriesProblem, timedSeries } from '../../../lib/recurrence/recurrence'
import { densityProblem, parseRule } from '../../../lib/recurrence/grammar'
import { isInYears, OUT_OF_YEARS } from '../../../lib/time/time'
import { type Moment, readMoment, wallIn } from '../../../lib/time/wall-time'

/** When a reminder fires. */
export interface Timing {
  readonly remindAt: Date | null
  /** The `remindAt` that the user last set, from which the series counts. */
  readonly seriesStart: Moment | null
  readonly recurrenceRule: string | null
  readonly timeZone: string
  readonly isDismissed: boolean
  readonly snoozedUntil: Date | null
}

export const noTiming = (timeZone: string): Timing => ({
  remindAt: null,
  seriesStart: null,
  recurrenceRule: null,
  timeZone,
  isDismissed: false,
  snoozedUntil: null,
})

/** The part of a request that affects the timing; undefined leaves a field as it is. */
interface TimingChange {
  readonly remind_at?: string | null
  readonly recurrence_rule?: string | null
  readonly time_zone?: string
}

/**
 * Returns the timing after a change (contract: reminders.timing). A new `remind_at` restarts the series there and resets a
 * dismissal or snooze. A new time zone keeps the instant; later occurrences follow the clock of the new zone.
 */
export function retime(stored: Timing, wish: TimingChange): Timing {
  const timeZone = wish.time_zone ?? stored.timeZone
  const recurrenceRule = wish.recurrence_rule === undefined ? stored.recurrenceRule : wish.recurrence_rule
  const kept = { ...stored, timeZone, recurrenceRule, seriesStart: startIn(stored, timeZone) }
  return wish.remind_at === undefined
    ? kept
    : remindAt(kept, readMoment(timeZone, wish.remind_at ?? '') ?? null)
}

/** A client that sends back the instant it has read does not set another one. */
const remindAt = (timing: Timing, moment: Moment | null): Timing =>
  moment?.at.getTime() === timing.remindAt?.getTime()
    ? timing
    : {
        ...timing,
        remindAt: moment && moment.at,
        seriesStart: moment,
        isDismissed: false,
        snoozedUntil: null,
      }

/** Whether two timings remind at the same time and are repeated in the same way. */
export const isSameTime = (one: Timing, other: Timing): boolean =>
  one.remindAt?.getTime() === other.remindAt?.getTime() &&
  one.recurrenceRule === other.recurrenceRule &&
  one.timeZone === other.timeZone

const startIn = ({ seriesStart, timeZone }: Timing, zone: string): Moment | null =>
  seriesStart === null || zone === timeZone
    ? seriesStart
    : { at: seriesStart.at, wall: wallIn(zone, seriesStart.at) }

/**
 * Returns a 422 for an instant outside the supported years, for a rule that is invalid or has nothing to repeat, and for a rule
 * with more occurrences a day than are supported, unless it is the `stored` one.
 */
export function refusalOfTiming(timing: Timing, stored: string | null): AppError | undefined {
  const { remindAt: at, seriesStart, recurrenceRule, timeZone } = timing
  if (at && !isInYears(at)) return invalidField('remind_at', OUT_OF_YEARS)
  if (recurrenceRule === null) return undefined
  const problem =
    seriesStart === null
      ? 'must be given together with remind_at'
      : ruleProblem(recurrenceRule, seriesStart, { timeZone, isStored: recurrenceRule === stored })
  return problem === undefined ? undefined : invalidField('recurrence_rule', problem)
}

function ruleProblem(
  text: string,
  { at, wall }: Moment,
  { timeZone, isStored }: { readonly timeZone: string; readonly isStored: boolean },
): string | undefined {
  const read = parseRule(text)
  if ('problem' in read) return read.problem
  const { rule } = read
  return (isStored ? undefined : densityProblem(rule)) ?? seriesProblem(timedSeries(at, timeZone, rule, wall))
}

/** Returns why a reminder cannot be snoozed (contract: reminders.states). */
export const refusalOfSnooze = (reminder: {
  readonly isActive: boolean
  readonly isDismissed: boolean
}): AppError | undefined =>
  reminder.isDismissed || !reminder.isActive
    ? conflict('Dismissed or inactive reminders cannot be snoozed')
    : undefined

/** The fields that a dismissal changes. */
export type Dismissal = Pick<Timing, 'remindAt' | 'isDismissed' | 'snoozedUntil'>

/**
 * Dismisses a reminder at `now`. A series moves on to its next occurrence, so that dismissing it again before then changes
 * nothing. Any other reminder ends.
 */
export function dismissed(stored: Timing, now: Date): Dismissal {
  const next = stored.isDismissed ? undefined : nextAfter(stored, now)
  return next
    ? { remindAt: next, isDismissed: false, snoozedUntil: null }
    : { remindAt: stored.remindAt, isDismissed: true, snoozedUntil: null }
}

function nextAfter({ seriesStart, recurrenceRule, timeZone }: Timing, now: Date): Date | undefined {
  const read = recurrenceRule === null ? undefined : parseRule(recurrenceRule)
  if (seriesStart === null || read === undefined || 'problem' in read) return undefined
  return nextOccurrence(timedSeries(seriesStart.at, timeZone, read.rule, seriesStart.wall), now)
}

export const isSame = (one: Dismissal, other: Dismissal): boolean =>
  one.isDismissed === other.isDismissed &&
  one.remindAt?.getTime() === other.remindAt?.getTime() &&
  one.snoozedUntil?.getTime() === other.snoozedUntil?.getTime()
