import { formatRule } from '../../../lib/recurrence/grammar'
import type { Rule, Until } from '../../../lib/recurrence/rule'
import {
  DAY_MS,
  dayOf,
  daysBetween,
  instantOf,
  midnightOf,
  wallIn,
  type WallTime,
} from '../../../lib/time/wall-time'
import { type Times, wallOf } from '../events/rules.times'

/** How a series moves: from the first times that it had to those that it has. */
export interface Move {
  readonly from: Times
  readonly to: Times
}

/** What an occurrence is known by after the move. */
export function movedWall({ from, to }: Move, wall: WallTime): WallTime {
  const moved = wall + wallOf(to) - wallOf(from)
  return to.allDay ? midnightOf(dayOf(moved)) : moved
}

/** Whether what belongs to single occurrences stays as it is. */
export const isStill = ({ from, to }: Move): boolean =>
  wallOf(from) === wallOf(to) && zoneOf(from) === zoneOf(to)

const zoneOf = (times: Times) => (times.allDay ? undefined : times.timeZone)

/** The times of an override after the move: they move by the same amount on the wall. Undefined for the other kind of times. */
export function movedTimes(move: Move, times: Times): Times | undefined {
  const { from, to } = move
  if (times.allDay) {
    const moved = (day: string) => dayOf(movedWall(move, midnightOf(day)))
    return from.allDay && to.allDay
      ? { allDay: true, startDate: moved(times.startDate), endDate: moved(times.endDate) }
      : undefined
  }
  if (from.allDay || to.allDay) return undefined
  const startWall = movedWall(move, wallIn(from.timeZone, times.startAt))
  const startAt = instantOf(to.timeZone, startWall)
  return { ...to, startWall, startAt, endAt: new Date(+startAt + +times.endAt - +times.startAt) }
}

/**
 * The text of the rule after a move, where nobody gave another: what it says of the days and of the end moves along, so that
 * the same occurrences are left. Weekdays turn; a month, a day of it or an hour that was the start's is the new start's.
 */
export function movedRule(text: string, rule: Rule, move: Move): string {
  const [from, to] = [wallOf(move.from), wallOf(move.to)]
  if (isStill(move)) return text
  const days = daysBetween(dayOf(from), dayOf(to))
  const moved = {
    ...withDays(rule, days, [new Date(from), new Date(to)]),
    until: movedUntil(rule.until, move, days),
  }
  return formatRule(moved) === formatRule(rule) ? text : formatRule(moved)
}

const turned = (weekday: number, days: number) => ((((weekday - 1 + days) % 7) + 7) % 7) + 1

function withDays(rule: Rule, days: number, [from, to]: readonly [Date, Date]): Rule {
  const { frequency, interval, weekStart, byDay } = rule
  const moved = {
    ...rule,
    byHour: follow(rule.byHour, from.getUTCHours(), to.getUTCHours()),
    byMinute: follow(rule.byMinute, from.getUTCMinutes(), to.getUTCMinutes()),
    bySecond: follow(rule.bySecond, from.getUTCSeconds(), to.getUTCSeconds()),
  }
  // In a month or a year weekdays have places, which do not turn with them.
  if (byDay.length > 0 && (frequency === 'WEEKLY' || frequency === 'DAILY')) {
    return {
      ...moved,
      byDay: byDay
        .map((day) => ({ ...day, weekday: turned(day.weekday, days) }))
        .toSorted((a, b) => a.weekday - b.weekday),
      // Weeks that are left out turn too, or another week would be.
      weekStart: frequency === 'WEEKLY' && interval > 1 ? turned(weekStart, days) : weekStart,
    }
  }
  return {
    ...moved,
    byMonthDay: follow(rule.byMonthDay, from.getUTCDate(), to.getUTCDate()),
    byMonth: follow(rule.byMonth, from.getUTCMonth() + 1, to.getUTCMonth() + 1),
  }
}

const follow = (list: readonly number[], from: number, to: number): readonly number[] =>
  list.length === 1 && list[0] === from ? [to] : list

function movedUntil(until: Until | undefined, move: Move, days: number): Until | undefined {
  if (!until) return undefined
  const { from, to } = move
  const wall = until.form === 'instant' && !from.allDay ? wallIn(from.timeZone, new Date(until.at)) : until.at
  if (until.form === 'date' || from.allDay || to.allDay) {
    return { form: 'date', at: midnightOf(dayOf(wall)) + days * DAY_MS }
  }
  const moved = wall + wallOf(to) - wallOf(from)
  return { form: until.form, at: until.form === 'local' ? moved : +instantOf(to.timeZone, moved) }
}
