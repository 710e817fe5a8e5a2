import type { CalendarComponent } from '../../../lib/icalendar/icalendar'
import { densityProblem, formatRule, parseRule } from '../../../lib/recurrence/grammar'
import type { Rule } from '../../../lib/recurrence/rule'
import { wallIn, type WallTime } from '../../../lib/time/wall-time'
import { EVER, ONCE, toSeries } from '../../events/events/rules.recurrence'
import { type Times, wallOf } from '../../events/events/rules.times'
import { readDuration } from '../../../lib/icalendar/duration'
import {
  type Clocks,
  instantOfMoment,
  type FileMoment,
  onlyLine,
  readMoment,
  Unusable,
  wallFor,
  type Zones,
} from './rules.times'

/** Every second day until 2200 gives fewer. */
const MAX_DATES = 50_000

/** The repetition of a component, with the RDATEs whose duration differs. */
export interface Repeated {
  /** Null when the event does not repeat. */
  readonly ruleText: string | null
  readonly rule: Rule
  readonly extras: readonly WallTime[]
  readonly periods: ReadonlyMap<WallTime, Times>
}

/**
 * Removes leftovers of other programs, and parts without effect: an UNTIL after the last year, times of day in an all-day
 * rule.
 */
function tidied(text: string, allDay: boolean): string {
  return text
    .toUpperCase()
    .replace(/\s+/g, '')
    .split(';')
    .filter((part) => part !== '')
    .filter((part) => !/^UNTIL=(?:220[1-9]|22[1-9]\d|2[3-9]\d\d|[3-9]\d{3})/.test(part))
    .filter((part) => !allDay || !/^BY(?:HOUR|MINUTE|SECOND)=/.test(part))
    .join(';')
}

interface RuleRead {
  readonly text: string
  readonly rule: Rule
}

/** Whether the rule has more occurrences a day than we support. */
export function isTooDense(component: CalendarComponent, { allDay }: Times): boolean {
  const line = component.lines.find(({ name }) => name === 'RRULE')
  const read = line && parseRule(tidied(line.value, allDay))
  return read !== undefined && 'rule' in read && densityProblem(read.rule) !== undefined
}

/**
 * The repetition of such a component, as equivalent lines that do not need the zones of the file. Yields now and then so that
 * the caller can pause.
 * @throws {Unusable}
 */
export function* keptRepetition(component: CalendarComponent, zones: Zones): Generator<undefined, string[]> {
  const kept = [`RRULE:${onlyLine(component, 'RRULE')?.value ?? ''}`]
  for (const name of ['RDATE', 'EXDATE'] as const) {
    for (const { moment } of datesOf(component, name, zones)) {
      const digits = new Date(moment.isDay ? moment.wall : instantOfMoment(moment))
        .toISOString()
        .replaceAll(/[-:]|\.\d+/g, '')
      kept.push(moment.isDay ? `${name};VALUE=DATE:${digits.slice(0, 8)}` : `${name}:${digits}`)
      yield
    }
  }
  return kept
}

type TimesOfFile = Times & { readonly clocks: Clocks }

/** @throws {Unusable} */
function readRule(component: CalendarComponent, times: Times): RuleRead | undefined {
  if (component.lines.some(({ name }) => name === 'EXRULE')) throw new Unusable('has an EXRULE')
  const line = onlyLine(component, 'RRULE')
  if (!line) return undefined
  const text = tidied(line.value, times.allDay)
  const read = parseRule(text)
  const problem = 'problem' in read ? read.problem : toSeries(times, read.rule).problem()
  if ('problem' in read || problem !== undefined) throw new Unusable(`recurrence rule ${problem}`)
  return { text, rule: read.rule }
}

/** The values of all lines of that name. @throws {Unusable} when there are too many. */
export function* datesOf(
  { lines }: CalendarComponent,
  wanted: string,
  zones: Zones,
): Generator<{ readonly moment: FileMoment; readonly rest: string | undefined }> {
  let count = 0
  for (const line of lines) {
    if (line.name !== wanted) continue
    for (const text of line.value.split(',')) {
      if (text.trim() === '') continue
      if (++count > MAX_DATES) throw new Unusable(`has more than ${MAX_DATES} times ${wanted}`)
      const [start = '', rest] = text.split('/')
      yield { moment: readMoment(line, start, zones), rest }
    }
  }
}

/** Yields now and then so that the caller can pause. @throws {Unusable} */
export function* readRepetition(
  component: CalendarComponent,
  times: TimesOfFile,
  zones: Zones,
): Generator<undefined, Repeated> {
  const named = readRule(component, times)
  const extras = new Set<WallTime>()
  const periods = new Map<WallTime, Times>()
  for (const { moment, rest } of datesOf(component, 'RDATE', zones)) {
    const wall = laterThan(times, wallFor(times, moment))
    if (wall !== undefined) extras.add(wall)
    if (wall !== undefined && rest !== undefined && !times.allDay) {
      periods.set(wall, periodFrom(times.timeZone, moment, rest.trim()))
    }
    yield
  }
  return { ...repeatedBy(named, times, extras), periods }
}

/** Undefined for the first start, which the series has anyway. @throws {Unusable} for an earlier one. */
function laterThan(times: Times, wall: WallTime): WallTime | undefined {
  if (wall < wallOf(times)) throw new Unusable('has an RDATE before its start')
  return wall === wallOf(times) ? undefined : wall
}

const BY_STARTS_ALONE: RuleRead = { text: formatRule(ONCE), rule: ONCE }

function repeatedBy(named: RuleRead | undefined, times: TimesOfFile, extras: ReadonlySet<WallTime>) {
  const { foreign } = times.clocks
  const beside = named && foreign ? yieldedBy(named.rule, times, foreign) : []
  const all = ascending(new Set([...extras, ...beside]))
  if (!named && all.length === 0) return { ruleText: null, rule: ONCE, extras: [] }
  const { text, rule } = named && !foreign ? named : BY_STARTS_ALONE
  return { ruleText: text, rule, extras: all }
}

const ascending = (walls: ReadonlySet<WallTime>) => [...walls].toSorted((a, b) => a - b)

/** @throws {Unusable} */
function periodFrom(timeZone: string, moment: FileMoment, text: string): Times {
  const startAt = instantOfMoment(moment)
  const duration = readDuration(text)
  const line = { name: 'RDATE', params: {}, value: text, text }
  const endAt = duration
    ? new Date(+startAt + (duration.days * 86_400 + duration.seconds) * 1000)
    : instantOfMoment(readMoment(line, text, { home: moment.clocks, find: () => undefined }))
  if (endAt < startAt) throw new Unusable('has an RDATE that ends before it starts')
  return {
    allDay: false,
    startAt,
    endAt,
    startWall: wallIn(timeZone, startAt),
    timeZone,
  }
}

const MAX_FOREIGN = 2000

/**
 * The later starts of a rule that counts in a zone unlike any known one, as wall times in the zone that the event gets here.
 */
function yieldedBy(rule: Rule, times: TimesOfFile, foreign: (at: Date) => WallTime): WallTime[] {
  if (times.allDay) return []
  const { clocks, startAt, endAt, timeZone } = times
  const shown = (at: Date) => new Date(foreign(at))
  const until =
    rule.until?.form === 'instant'
      ? { form: 'instant' as const, at: foreign(new Date(rule.until.at)) }
      : rule.until
  const first: Times = {
    allDay: false,
    startAt: shown(startAt),
    endAt: shown(endAt),
    startWall: foreign(startAt),
    timeZone: 'UTC',
  }
  const walls = toSeries(first, { ...rule, until }).within(EVER, MAX_FOREIGN + 1)
  if (walls.length > MAX_FOREIGN) {
    throw new Unusable(`has a time zone that no known one is like, and more than ${MAX_FOREIGN} occurrences`)
  }
  return walls.slice(1).map((wall) => wallIn(timeZone, clocks.toInstant(wall)))
}
