import { type AppError, type FieldProblem, invalid } from '../../../lib/errors'
import { OUT_OF_YEARS } from '../../../lib/time/time'
import {
  addDaysTo,
  dayOf,
  daysBetween,
  instantOf,
  midnightOf,
  type Moment,
  readMoment,
  type WallTime,
  wallIn,
} from '../../../lib/time/wall-time'

interface TimedTimes {
  readonly allDay: false
  readonly startAt: Date
  readonly endAt: Date
  /** The local time of the start in `timeZone`, from which a series counts. */
  readonly startWall: WallTime
  readonly timeZone: string
}

interface DayTimes {
  readonly allDay: true
  readonly startDate: string
  /** Inclusive. */
  readonly endDate: string
}

/** When something takes place. */
export type Times = TimedTimes | DayTimes

/** The times of a request; undefined keeps the stored value or uses the default. */
export interface GivenTimes {
  readonly all_day?: boolean
  readonly start_at?: string | null
  readonly end_at?: string | null
  readonly time_zone?: string | null
  readonly start_date?: string | null
  readonly end_date?: string | null
}

const problem = (field: string, message: string): FieldProblem => ({ field: `body.${field}`, message })

/** Identifies an occurrence within its series: the wall time of its start; for a day, midnight. */
export const wallOf = (times: Times): WallTime =>
  times.allDay ? midnightOf(times.startDate) : times.startWall

/** The occurrence at `wall` of the series that starts with `first`; it has the same exact duration. */
export function timesAt(first: Times, wall: WallTime): Times {
  if (wall === wallOf(first)) return first
  if (first.allDay) {
    const startDate = dayOf(wall)
    return { ...first, startDate, endDate: addDaysTo(startDate, daysBetween(first.startDate, first.endDate)) }
  }
  return startingAt(first, { at: instantOf(first.timeZone, wall), wall })
}

const startingAt = (times: TimedTimes, { at, wall }: Moment): TimedTimes => ({
  ...times,
  startAt: at,
  endAt: new Date(at.getTime() + durationOf(times)),
  startWall: wall,
})

const durationOf = ({ startAt, endAt }: TimedTimes): number => endAt.getTime() - startAt.getTime()

/** The time columns that events and overrides share. */
export const startAndEnd = (times: Times) =>
  times.allDay
    ? { startAt: null, endAt: null, startDate: times.startDate, endDate: times.endDate }
    : { startAt: times.startAt, endAt: times.endAt, startDate: null, endDate: null }

/** The time columns of an override of a series of that kind. */
export const timesOfOverride = (series: Pick<Times, 'allDay'>, times: Times) => ({
  ...startAndEnd(times),
  timeZone: series.allDay && !times.allDay ? times.timeZone : null,
})

/** Whether both have the same start and end. */
export const sameTimes = (one: Times, other: Times): boolean =>
  one.allDay
    ? other.allDay && one.startDate === other.startDate && one.endDate === other.endDate
    : !other.allDay && +one.startAt === +other.startAt && +one.endAt === +other.endAt

/**
 * Reads the times of a new event, or of a changed one with the `stored` times: fields that are not given keep their value, and
 * a new start keeps the duration (contract: events.times). A date-time without an offset is wall time in the event's zone.
 * @throws {AppError} 422.
 */
export function readTimes(given: GivenTimes, stored: Times | undefined, defaultZone: string): Times {
  const allDay = given.all_day ?? stored?.allDay ?? false
  refuseOther(given, allDay)
  const times = allDay
    ? readDays(given, stored?.allDay ? stored : undefined)
    : readTimed(given, stored && !stored.allDay ? stored : undefined, defaultZone)
  const refusal = refusalOf(times)
  if (refusal) throw refusal
  return times
}

/** @throws {AppError} 422 for times of the other kind. A zone is accepted for an all-day event, but ignored. */
function refuseOther(given: GivenTimes, allDay: boolean): void {
  const others = allDay ? (['start_at', 'end_at'] as const) : (['start_date', 'end_date'] as const)
  const message = `must not be given for ${allDay ? 'an all-day' : 'a timed'} event`
  const problems = others.filter((field) => given[field] != null).map((field) => problem(field, message))
  if (problems.length > 0) throw invalid(problems)
}

/** @throws {AppError} 422 when a required field has no value. */
function required<T>(field: string, value: T | null | undefined): T {
  if (value == null) throw invalid([problem(field, 'is required')])
  return value
}

/** The value after the change: undefined keeps the stored one. */
const afterwards = <T>(given: T | undefined, stored: T | undefined): T | undefined =>
  given === undefined ? stored : given

function readDays(given: GivenTimes, stored: DayTimes | undefined): DayTimes {
  const startDate = required('start_date', afterwards<string | null>(given.start_date, stored?.startDate))
  const moved = stored && addDaysTo(startDate, daysBetween(stored.startDate, stored.endDate))
  const endDate = required('end_date', afterwards<string | null>(given.end_date, moved))
  return { allDay: true, startDate, endDate }
}

function readTimed(given: GivenTimes, stored: TimedTimes | undefined, defaultZone: string): TimedTimes {
  const timeZone = given.time_zone ?? stored?.timeZone ?? defaultZone
  const read = (text: string | null | undefined) => (text == null ? text : readMoment(timeZone, text))
  const kept = stored && {
    at: stored.startAt,
    wall: stored.timeZone === timeZone ? stored.startWall : wallIn(timeZone, stored.startAt),
  }
  const start = required('start_at', afterwards<Moment | null>(read(given.start_at), kept))
  const moved = stored && new Date(+start.at + durationOf(stored))
  const endAt = required('end_at', afterwards<Date | null>(toInstant(read(given.end_at)), moved))
  // A client that sends back the start it has read keeps the original wall time, which daylight saving may have skipped.
  const startWall = kept && +kept.at === +start.at ? kept.wall : start.wall
  return { allDay: false, startAt: start.at, endAt, startWall, timeZone }
}

const toInstant = (moment: Moment | null | undefined) => moment && moment.at

const FIRST_DAY = '1900-01-01'
const LAST_DAY = '2200-12-31'

/** Returns a 422 when the end is before the start, or when a day lies outside the years 1900 to 2200. */
function refusalOf(times: Times): AppError | undefined {
  const [startField, endField] = times.allDay ? ['start_date', 'end_date'] : ['start_at', 'end_at']
  const isBackwards = times.allDay ? times.endDate < times.startDate : times.endAt < times.startAt
  if (isBackwards) return invalid([problem(endField, `must not be before ${startField}`)])
  const [first, last] = daysOf(times)
  const outside = first < FIRST_DAY || first > LAST_DAY ? startField : last > LAST_DAY ? endField : undefined
  return outside === undefined ? undefined : invalid([problem(outside, OUT_OF_YEARS)])
}

/** The first and the last day in the event's own zone. */
const daysOf = (times: Times): readonly [string, string] =>
  times.allDay
    ? [times.startDate, times.endDate]
    : [dayOf(times.startWall), dayOf(wallIn(times.timeZone, times.endAt))]

/**
 * The new first times of a series after one occurrence moved from `before` to `after`: all occurrences shift by the same wall
 * time, and take the new duration if it changed.
 * @throws {AppError} 422 for days outside the years 1900 to 2200.
 */
export function moveFirst(first: Times, before: Times, after: Times): Times {
  const wall = wallOf(first) + wallOf(after) - wallOf(before)
  const moved = timesAt(lastingAs(first, before, after), after.allDay ? midnightOf(dayOf(wall)) : wall)
  const refusal = refusalOf(moved)
  if (refusal) throw refusal
  return moved
}

/** Returns `after`, with the length of `first` unless the move changed the length. */
function lastingAs(first: Times, before: Times, after: Times): Times {
  if (first.allDay && before.allDay && after.allDay) {
    const isAsLong = daysOfLength(before) === daysOfLength(after)
    return isAsLong ? { ...after, endDate: addDaysTo(after.startDate, daysOfLength(first)) } : after
  }
  if (first.allDay || before.allDay || after.allDay || durationOf(before) !== durationOf(after)) return after
  return { ...after, endAt: new Date(+after.startAt + durationOf(first)) }
}

const daysOfLength = ({ startDate, endDate }: DayTimes): number => daysBetween(startDate, endDate)
