import { type Outline, type OutlineLine } from '../../lib/icalendar/outline'
import type { Pattern } from '../../lib/recurrence/calendar'
import { compileForeign, readForeignRule } from '../../lib/recurrence/foreign'
import { type PatternStarts, patternStarts } from '../../lib/recurrence/recurrence'
import { readDuration } from '../../lib/icalendar/duration'
import { DAY_MS } from '../../lib/time/wall-time'
import { UTC } from './clocks'
import { after, dayNumber, type TextMoment, type TimeRange } from './moments'
import type { CalendarObject, ComponentGroup } from './object'

/**
 * The starts of a repeating component. They are instants in a series of times, and midnights as if in UTC in one of days:
 * `instantOf` has the instants of both.
 */
export interface Repetition {
  readonly anchor: TextMoment
  readonly repeats: boolean
  /** A rule says what we cannot count, so that there may be occurrences that nobody knows of. */
  readonly isUncertain: boolean
  /** Those that may start in a range, ascending, without exceptions and overridden ones; a day more on both sides is possible. */
  readonly startsIn: (range: TimeRange) => Iterable<number>
  readonly instantOf: (start: number) => number
  readonly wallOf: (start: number) => number
  /** The ends of extra starts that have their own, in epoch milliseconds. */
  readonly ends: ReadonlyMap<number, number>
  /** The start that a RECURRENCE-ID names. */
  readonly startOf: (moment: TextMoment) => number
}

const REPEATED = new Set(['RRULE', 'RDATE', 'EXDATE', 'EXRULE'])

/** How a series names its starts. */
interface Naming {
  readonly isDays: boolean
  readonly anchor: TextMoment
  readonly startOf: (moment: TextMoment) => number
}

function namingOf(anchor: TextMoment): Naming {
  const isDays = anchor.kind === 'date'
  const timeOfDay = anchor.wall - dayNumber(anchor.wall) * DAY_MS
  return {
    isDays,
    anchor,
    startOf(moment) {
      if (isDays) return dayNumber(moment.wall) * DAY_MS
      return moment.kind === 'date' ? anchor.clock.instantAt(moment.wall + timeOfDay) : moment.instant
    },
  }
}

/** What a start costs by the clocks of a zone. */
const OF_ZONE = 3

/** What a period of each frequency costs. */
const COSTS: Readonly<Record<string, number>> = { YEARLY: 60, MONTHLY: 6, WEEKLY: 2 }

const charged = (pattern: Pattern, cost: number, spend: CalendarObject['spend']): Pattern => ({
  ...pattern,
  set(period) {
    spend(cost)
    return pattern.set(period)
  },
})

/** Undefined for a rule that says what we cannot count. */
function startsOfRule({ isDays, anchor }: Naming, text: string, { spend }: CalendarObject) {
  const rule = readForeignRule(text)
  const pattern = rule && compileForeign(rule, anchor.wall, isDays)
  if (!rule || !pattern) return undefined
  const paid = charged(pattern, COSTS[rule.frequency] ?? 1, spend)
  return patternStarts(paid, anchor.wall, rule, isDays ? undefined : anchor.clock)
}

interface Listed {
  readonly starts: Set<number>
  /** Days that EXDATEs without a time name in a series of times. */
  readonly days: Set<number>
  readonly ends: Map<number, number>
}

function endOfPeriod({ moment, rest }: { moment: TextMoment; rest: string }, object: CalendarObject) {
  const duration = readDuration(rest)
  if (duration) return after(moment.instant, duration, moment.clock)
  const line: OutlineLine = { name: 'DTEND', head: 'DTEND', value: rest, raw: rest }
  const end = object.moment(line)
  if (!end) return undefined
  return end.kind === 'utc' ? end.instant : moment.clock.instantAt(end.wall)
}

function listed(lines: readonly OutlineLine[], naming: Naming, object: CalendarObject): Listed {
  const found: Listed = { starts: new Set(), days: new Set(), ends: new Map() }
  for (const line of lines) {
    for (const { moment, rest } of object.moments(line)) {
      const start = naming.startOf(moment)
      if (!naming.isDays && moment.kind === 'date') found.days.add(dayNumber(moment.wall))
      found.starts.add(start)
      const end = rest === undefined ? undefined : endOfPeriod({ moment, rest }, object)
      if (end !== undefined) found.ends.set(start, end)
    }
  }
  return found
}

/** Unites ascending lists. */
function* united(lists: ReadonlyArray<Iterator<number>>): Generator<number> {
  const heads = lists.map((list) => ({ list, next: list.next() }))
  for (;;) {
    const open = heads.filter(({ next }) => next.done !== true)
    if (open.length === 0) return
    const least = Math.min(...open.map(({ next }) => Number(next.value)))
    yield least
    for (const head of open) if (head.next.value === least) head.next = head.list.next()
  }
}

const isNone: PatternStarts['has'] = () => false

/** Undefined without a start. */
export function repetitionOf(
  master: Outline,
  anchor: TextMoment,
  overrides: ComponentGroup['overrides'],
  object: CalendarObject,
): Repetition {
  const naming = namingOf(anchor)
  const first = naming.startOf(anchor)
  const lines = Map.groupBy(master.lines, ({ name }) => name)
  const texts = (name: string) => (lines.get(name) ?? []).map(({ value }) => value)
  const rules = texts('RRULE').map((text) => startsOfRule(naming, text, object))
  const exceptRules = texts('EXRULE').map((text) => startsOfRule(naming, text, object)?.has ?? isNone)
  const extras = listed(lines.get('RDATE') ?? [], naming, object)
  const excepted = listed(lines.get('EXDATE') ?? [], naming, object)
  const replaced = new Set(overrides.map(({ id }) => naming.startOf(id)))
  const sorted = [...extras.starts.add(first)].toSorted((a, b) => a - b)
  const cost = naming.isDays || anchor.clock === UTC ? 1 : OF_ZONE
  const wallOf = (start: number) => (naming.isDays ? start : anchor.clock.wallAt(start))
  // RFC 5545 counts DTSTART as the first occurrence, but an EXRULE may name it.
  const isLeft = (start: number) =>
    !replaced.has(start) &&
    !excepted.starts.has(start) &&
    (excepted.days.size === 0 || !excepted.days.has(dayNumber(wallOf(start)))) &&
    !exceptRules.some((has) => has(start))

  function* startsIn({ from, until }: TimeRange): Generator<number> {
    const rest = naming.isDays ? DAY_MS : 0
    const [low, high] = [from - rest, until + rest]
    const named = rules.flatMap((rule) => (rule ? [rule.between(low, high)] : []))
    const others = sorted.values().filter((start) => start >= low && start <= high)
    for (const start of united([...named, others])) {
      object.spend(cost)
      if (isLeft(start)) yield start
    }
  }

  return {
    anchor,
    repeats: master.lines.some(({ name }) => REPEATED.has(name)) || overrides.length > 0,
    isUncertain: rules.includes(undefined),
    startsIn,
    instantOf: (start) => (naming.isDays ? anchor.clock.instantAt(start) : start),
    wallOf,
    ends: extras.ends,
    startOf: naming.startOf,
  }
}
