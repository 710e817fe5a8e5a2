import type { FileMoment, Zones } from '../../calendars/import/rules.times'
import type { CalendarComponent } from '../../../lib/icalendar/icalendar'
import { densityProblem, parseRule } from '../../../lib/recurrence/grammar'
import { allDaySeries, countBefore, nextOccurrence, timedSeries } from '../../../lib/recurrence/recurrence'
import type { Rule } from '../../../lib/recurrence/rule'
import { DAY_MS, dayOf, midnightOf, type WallTime } from '../../../lib/time/wall-time'
import type { Recurrence } from '../todos/rules'
import { instantIn, lineNamed, momentIn, momentOf, wallBy } from './rules.moments'

/** Lines that repeat a component. */
export const REPEATING = ['RRULE', 'RDATE', 'EXDATE', 'EXRULE'] as const

const RECURRENCES: Partial<Readonly<Record<Rule['frequency'], Recurrence>>> = {
  DAILY: 'daily',
  WEEKLY: 'weekly',
  MONTHLY: 'monthly',
}

/** Where the repetition begins: RECURRENCE-ID names occurrences by it. */
export const anchorOf = (component: CalendarComponent, zones: Zones): FileMoment | undefined =>
  momentIn(component, 'DTSTART', zones) ?? momentIn(component, 'DUE', zones)

export const isRepeated = ({ lines }: CalendarComponent): boolean =>
  lines.some(({ name }) => name === 'RRULE' || name === 'RDATE')

/** How often the component is repeated; null where `Recurrence` cannot say it. */
export function recurrenceOf(component: CalendarComponent, zones: Zones): Recurrence | null {
  const [rule, ...others] = component.lines.filter(({ name }) => REPEATING.some((one) => one === name))
  const read = rule?.name === 'RRULE' && others.length === 0 ? parseRule(rule.value) : undefined
  if (!read || 'problem' in read || !isPlain(read.rule)) return null
  const anchor = anchorOf(component, zones)
  return (isAsAnchored(read.rule, anchor?.wall) && RECURRENCES[read.rule.frequency]) || null
}

const isPlain = ({ interval, count, until, byMonth, byYearDay, byWeekNo, bySetPos, ...rule }: Rule) =>
  interval === 1 &&
  count === undefined &&
  until === undefined &&
  [byMonth, byYearDay, byWeekNo, bySetPos, rule.byHour, rule.byMinute, rule.bySecond].every(
    ({ length }) => length === 0,
  )

/** Whether the rule names no other days than the one on which it begins, which is the same as to name none. */
function isAsAnchored({ frequency, byDay, byMonthDay }: Rule, wall: WallTime | undefined): boolean {
  if (byDay.length + byMonthDay.length === 0) return true
  if (wall === undefined || byDay.length + byMonthDay.length > 1) return false
  const day = Temporal.PlainDate.from(dayOf(wall))
  return frequency === 'WEEKLY'
    ? byDay.some(({ weekday, ordinal }) => weekday === day.dayOfWeek && ordinal === 0)
    : frequency === 'MONTHLY' && byMonthDay.some((monthDay) => monthDay === day.day)
}

/**
 * The wall time, by the clocks of the anchor, of the first occurrence after all of these; null when there is none any more,
 * undefined when nobody knows.
 */
export function occurrenceAfter(
  component: CalendarComponent,
  closed: readonly FileMoment[],
  zones: Zones,
): WallTime | null | undefined {
  const anchor = anchorOf(component, zones)
  const read = parseRule(lineNamed(component, 'RRULE')?.value ?? '')
  if (!anchor || 'problem' in read || densityProblem(read.rule)) return undefined
  const following = anchor.isDay
    ? daysAfter(anchor, read.rule, closed)
    : timesAfter(anchor, read.rule, closed)
  const isExcluded = exclusionsOf(component, anchor, zones)
  for (const wall of following) if (!isExcluded(wall)) return wall
  return null
}

function* daysAfter(anchor: FileMoment, rule: Rule, closed: readonly FileMoment[]): Generator<WallTime> {
  const series = allDaySeries(dayOf(anchor.wall), rule)
  const days = closed.map(({ wall }) => dayOf(wall)).toSorted()
  let next = nextOccurrence(series, days.at(-1) ?? '')
  for (; next !== undefined; next = nextOccurrence(series, next)) yield midnightOf(next)
}

function* timesAfter(anchor: FileMoment, rule: Rule, closed: readonly FileMoment[]): Generator<WallTime> {
  const series = timedSeries(instantIn(anchor), anchor.clocks.zone, rule, anchor.wall)
  const ends = closed.map((one) => +instantIn(one.isDay ? { ...one, wall: one.wall + DAY_MS - 1 } : one))
  let next = nextOccurrence(series, new Date(Math.max(...ends)))
  for (; next !== undefined; next = nextOccurrence(series, next)) yield wallBy(anchor, next)
}

/** Which starts EXDATE takes out, by the clocks of the anchor; a day takes out all of its own. */
function exclusionsOf({ lines }: CalendarComponent, anchor: FileMoment, zones: Zones) {
  const moments = lines
    .filter(({ name }) => name === 'EXDATE')
    .flatMap((line) => line.value.split(',').flatMap((value) => momentOf(line, value, zones) ?? []))
  const days = new Set(moments.filter(({ isDay }) => isDay || anchor.isDay).map(({ wall }) => dayOf(wall)))
  const times = new Set(moments.filter(({ isDay }) => !isDay).map((one) => wallBy(anchor, instantIn(one))))
  return (wall: WallTime): boolean => days.has(dayOf(wall)) || times.has(wall)
}

/** RRULE for a series that begins later, with what is left of its COUNT; undefined where it says the same as before. */
export function ruleFrom(component: CalendarComponent, start: WallTime, zones: Zones): string | undefined {
  const anchor = anchorOf(component, zones)
  const value = lineNamed(component, 'RRULE')?.value ?? ''
  const read = parseRule(value)
  if (!anchor || 'problem' in read || read.rule.count === undefined) return undefined
  const { rule } = read
  const used = anchor.isDay
    ? countBefore(allDaySeries(dayOf(anchor.wall), rule), dayOf(start))
    : countBefore(
        timedSeries(instantIn(anchor), anchor.clocks.zone, rule, anchor.wall),
        instantIn({ ...anchor, wall: start }),
      )
  return used === 0
    ? undefined
    : value.trim().replace(/COUNT=\d+/i, `COUNT=${Math.max(1, read.rule.count - used)}`)
}
