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
  /** What the start says on the wall in `timeZone`; a series counts by it. */
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

/** The times of a request; undefined leaves one, or takes its default. */
export interface GivenTimes {
  readonly all_day?: boolean
  readonly start_at?: string | null
  readonly end_at?: string | null
  readonly time_zone?: string | null
  readonly start_date?: string | null
  readonly end_date?: string | null
}

const problem = (field: string, message: string): FieldProblem => ({ field: `body.${field}`, message })

/** By which an occurrence is known in its series: its wall time, a day by its midnight. */
export const wallOf = (times: Times): WallTime =>
  times.allDay ? midnightOf(times.startDate) : times.startWall

/** The occurrence of the series that starts with `first` at `wall`: it keeps the exact duration. */
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

/** The columns of both events and overrides. */
export const startAndEnd = (times: Times) =>
  times.allDay
    ? { startAt: null, endAt: null, startDate: times.startDate, endDate: times.endDate }
    : { startAt: times.startAt, endAt: times.endAt, startDate: null, endDate: null }

/** Whether both take place at once. */
export const sameTimes = (one: Times, other: Times): boolean =>
  one.allDay
    ? other.allDay && one.startDate === other.startDate && one.endDate === other.endDate
    : !other.allDay && +one.startAt === +other.startAt && +one.endAt === +other.endAt

/**
 * The times of an event that is new, or that `stored` has had until now: what is not given stays, and a new start keeps
 * the duration (contract: events.times). A date-time without an offset is wall time in the zone of the event.
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

/** @throws {AppError} 422 for times of the other kind. An all-day event has no zone, whatever is given. */
function refuseOther(given: GivenTimes, allDay: boolean): void {
  const others = allDay ? (['start_at', 'end_at'] as const) : (['start_date', 'end_date'] as const)
  const message = `must not be given for ${allDay ? 'an all-day' : 'a timed'} event`
  const problems = others.filter((field) => given[field] != null).map((field) => problem(field, message))
  if (problems.length > 0) throw invalid(problems)
}

/** @throws {AppError} 422 for a field that needs a value and has none. */
function required<T>(field: string, value: T | null | undefined): T {
  if (value == null) throw invalid([problem(field, 'is required')])
  return value
}

/** What the field holds afterwards: undefined leaves it. */
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
  // Who sends back what they read means the wall time that it stands for.
  const startWall = kept && +kept.at === +start.at ? kept.wall : start.wall
  return { allDay: false, startAt: start.at, endAt, startWall, timeZone }
}

const toInstant = (moment: Moment | null | undefined) => moment && moment.at

const FIRST_DAY = '1900-01-01'
const LAST_DAY = '2200-12-31'

/** 422 for an end before the start, and for what lies outside the years 1900 to 2200; undefined for all else. */
function refusalOf(times: Times): AppError | undefined {
  const [startField, endField] = times.allDay ? ['start_date', 'end_date'] : ['start_at', 'end_at']
  const isBackwards = times.allDay ? times.endDate < times.startDate : times.endAt < times.startAt
  if (isBackwards) return invalid([problem(endField, `must not be before ${startField}`)])
  const [first, last] = daysOf(times)
  const outside = first < FIRST_DAY || first > LAST_DAY ? startField : last > LAST_DAY ? endField : undefined
  return outside === undefined ? undefined : invalid([problem(outside, OUT_OF_YEARS)])
}

/** The first and the last day, in the event's own zone. */
const daysOf = (times: Times): readonly [string, string] =>
  times.allDay
    ? [times.startDate, times.endDate]
    : [dayOf(times.startWall), dayOf(wallIn(times.timeZone, times.endAt))]

/**
 * The first times of a series after one of its occurrences moved from `before` to `after`: all move by the same amount on
 * the wall, and all last as long as that one where it lasts longer or shorter than before.
 * @throws {AppError} 422 for what lies outside the years 1900 to 2200.
 */
export function moveFirst(first: Times, before: Times, after: Times): Times {
  const wall = wallOf(first) + wallOf(after) - wallOf(before)
  const moved = timesAt(lastingAs(first, before, after), after.allDay ? midnightOf(dayOf(wall)) : wall)
  const refusal = refusalOf(moved)
  if (refusal) throw refusal
  return moved
}

/** `after`, with the length of `first` where its own is what it was `before`. */
function lastingAs(first: Times, before: Times, after: Times): Times {
  if (first.allDay && before.allDay && after.allDay) {
    const isAsLong = daysOfLength(before) === daysOfLength(after)
    return isAsLong ? { ...after, endDate: addDaysTo(after.startDate, daysOfLength(first)) } : after
  }
  if (first.allDay || before.allDay || after.allDay || durationOf(before) !== durationOf(after)) return after
  return { ...after, endAt: new Date(+after.startAt + durationOf(first)) }
}

const daysOfLength = ({ startDate, endDate }: DayTimes): number => daysBetween(startDate, endDate)
