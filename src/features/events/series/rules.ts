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

/** A move of a series, from its old first times to its new ones. */
export interface Move {
  readonly from: Times
  readonly to: Times
}

/** The wall time that identifies an occurrence after the move. */
export function movedWall({ from, to }: Move, wall: WallTime): WallTime {
  const moved = wall + wallOf(to) - wallOf(from)
  return to.allDay ? midnightOf(dayOf(moved)) : moved
}

/** Whether occurrences keep their wall times and zone, so that overrides and answers stay as they are. */
export const isStill = ({ from, to }: Move): boolean =>
  wallOf(from) === wallOf(to) && zoneOf(from) === zoneOf(to)

const zoneOf = (times: Times) => (times.allDay ? undefined : times.timeZone)

/**
 * The times of an override after the move, shifted by the same wall time. Undefined when the move changes between timed and
 * all-day.
 */
export function movedTimes(move: Move, times: Times): Times | undefined {
  const { from, to } = move
  if (from.allDay !== to.allDay) return undefined
  if (times.allDay) {
    const moved = (day: string) => dayOf(movedWall(move, midnightOf(day)))
    return { allDay: true, startDate: moved(times.startDate), endDate: moved(times.endDate) }
  }
  if (from.allDay || to.allDay) {
    const moved = times.startWall + wallOf(to) - wallOf(from)
    const startAt = instantOf(times.timeZone, moved)
    return { ...times, startWall: moved, startAt, endAt: new Date(+startAt + +times.endAt - +times.startAt) }
  }
  const startWall = movedWall(move, wallIn(from.timeZone, times.startAt))
  const startAt = instantOf(to.timeZone, startWall)
  return { ...to, startWall, startAt, endAt: new Date(+startAt + +times.endAt - +times.startAt) }
}

/**
 * The text of the rule after a move, when the request gives no rule: its days and its end shift too, so that the same
 * occurrences remain. Weekdays rotate; a month, day of the month or hour that equals the start's becomes that of the new
 * start.
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
  // In a month or a year, weekdays have positions (such as the second Monday) that do not rotate.
  if (byDay.length > 0 && (frequency === 'WEEKLY' || frequency === 'DAILY')) {
    return {
      ...moved,
      byDay: byDay
        .map((day) => ({ ...day, weekday: turned(day.weekday, days) }))
        .toSorted((a, b) => a.weekday - b.weekday),
      // With an interval, the week start rotates too: otherwise other weeks would be skipped.
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
