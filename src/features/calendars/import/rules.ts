import type { CalendarComponent, ContentLine } from '../../../lib/icalendar/icalendar'
import { isStorable } from '../../../lib/text'
import { formatRule } from '../../../lib/recurrence/grammar'
import type { WallTime } from '../../../lib/time/wall-time'
import { contentOf, textsOfKept, visibilityOfClass } from '../export/rules.kept'
import { ONCE, type Series, toSeries } from '../../events/events/rules.recurrence'
import { differences, type Texts } from '../../events/events/rules.texts'
import type { Visibility } from '../../events/events/rules.visibility'
import { sameTimes, type Times, timesAt, wallOf } from '../../events/events/rules.times'
import { MAX_EXTRA_STARTS } from '../../events/extra-starts/rules'
import { unescapeText } from '../../../lib/icalendar/text'
import { exception, type ImportedOccurrence, overriding, ownOf } from './rules.occurrences'
import { datesOf, readRepetition, type Repeated } from './rules.repetition'
import {
  type Clocks,
  locate,
  located,
  onlyLine,
  readMoment,
  readTimes,
  type TimesOfFile,
  Unusable,
  wallFor,
  type Zones,
} from './rules.times'

/** Properties that every component has for itself, or that say when it takes place. */
const NOT_COMPARED = new Set([
  'UID',
  'DTSTAMP',
  'LAST-MODIFIED',
  'DTSTART',
  'DTEND',
  'DURATION',
  'RRULE',
  'RDATE',
  'EXDATE',
  'RECURRENCE-ID',
  'X-ORGANISER-TIME-ZONE',
])

/** An event as read from its components. */
export interface Imported {
  readonly texts: Texts
  /** Undefined when no component has a CLASS. One that is private hides the whole series. */
  readonly visibility: Visibility | undefined
  readonly times: Times
  readonly ruleText: string | null
  /** Whether the components have times or a rule that the event cannot say. */
  readonly isUnsupported: boolean
  readonly isCancelled: boolean
  readonly extras: readonly WallTime[]
  readonly occurrences: readonly ImportedOccurrence[]
  /** What the event cannot say, and why. */
  readonly problems: readonly string[]
  /** The component that the event itself was read from, and the zone in which its start is. */
  readonly master: CalendarComponent
  readonly clocks: Clocks
  /** The other components that belong to it. */
  readonly others: readonly CalendarComponent[]
  /** Those of single occurrences, with their original starts. */
  readonly placed: readonly PlacedComponent[]
}

const MAX_UID_LENGTH = 500

/** The UID, which identifies the event. */
export const readUid = (value: string): string => unescapeText(value).trim()

/** Whether the UID can identify an event as it is. */
export const isPlainUid = (uid: string | null): uid is string =>
  uid !== null && uid.length <= MAX_UID_LENGTH && isStorable(uid)

const isOverride = ({ lines }: CalendarComponent) => lines.some(({ name }) => name === 'RECURRENCE-ID')

const isCancelled = ({ lines }: CalendarComponent) =>
  lines.some(({ name, value }) => name === 'STATUS' && value.trim().toUpperCase() === 'CANCELLED')

export const partLines = ({ name, lines, parts }: CalendarComponent): string[] => [
  `BEGIN:${name}`,
  ...lines.map(({ text }) => text),
  ...parts.flatMap(partLines),
  `END:${name}`,
]

const comparedOf = ({ lines, parts }: CalendarComponent): string[] => [
  ...lines.filter(({ name }) => !NOT_COMPARED.has(name)).map(({ text }) => text),
  ...parts.flatMap(partLines),
]

/** The component with the highest SEQUENCE wins (RFC 5545, section 3.8.7.4). */
const revisionOf = ({ lines }: CalendarComponent): number =>
  Number(lines.find(({ name }) => name === 'SEQUENCE')?.value) || 0

/**
 * Builds one event from the components of a UID: a series and its overrides. If the series is missing from the file, the
 * overrides become starts of the event. Yields now and then so that the caller can pause.
 * @throws {Unusable} without a start.
 */
export function* assemble(
  components: readonly CalendarComponent[],
  zones: Zones,
): Generator<undefined, Imported> {
  return { ...(yield* assembleEvent(components, zones)), visibility: visibilityOf(components) }
}

function visibilityOf(components: readonly CalendarComponent[]): Visibility | undefined {
  const said = components.flatMap(({ lines }) =>
    lines.filter(({ name }) => name === 'CLASS').map(({ value }) => visibilityOfClass(value)),
  )
  return said.includes('private') ? 'private' : said[0]
}

type Assembled = Omit<Imported, 'visibility'>

function* assembleEvent(
  components: readonly CalendarComponent[],
  zones: Zones,
): Generator<undefined, Assembled> {
  const [master, ...doubles] = components
    .filter((component) => !isOverride(component))
    .toSorted((a, b) => revisionOf(b) - revisionOf(a))
  const overrides = components.filter(isOverride)
  const problems = doubles.map(() => 'appears twice in the file')
  const assembly: Assembly = { zones, problems, doubts: [] }
  if (master) return yield* assembleSeries(master, overrides, assembly)
  const [first, ...others] = overrides
    .map((component) => ({ component, start: startOf(component, zones) }))
    .toSorted((a, b) => a.start - b.start)
    .map(({ component }) => component)
  if (!first) throw new Unusable('has no component')
  return yield* assembleSeries(first, others, { ...assembly, areOrphans: true })
}

const startOf = (component: CalendarComponent, zones: Zones): number => {
  try {
    return wallOf(readTimes(component, zones))
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return Infinity
  }
}

interface Assembly {
  readonly zones: Zones
  readonly problems: string[]
  /** What the event cannot say. */
  readonly doubts: string[]
  /** Overrides without their series, which are identified by their own starts. */
  readonly areOrphans?: boolean
}

/** An override with the original start of its occurrence. */
interface PlacedComponent {
  readonly component: CalendarComponent
  readonly wall: WallTime
}

/** What an event says whatever it repeats by. */
function beginning(master: CalendarComponent, read: TimesOfFile) {
  const { clocks } = read
  const times: Times = read.allDay
    ? { allDay: true, startDate: read.startDate, endDate: read.endDate }
    : {
        allDay: false,
        startAt: read.startAt,
        endAt: read.endAt,
        startWall: read.startWall,
        timeZone: read.timeZone,
      }
  return { texts: textsOfKept(comparedOf(master)), times, isCancelled: isCancelled(master), master, clocks }
}

function* assembleSeries(
  master: CalendarComponent,
  overrides: readonly CalendarComponent[],
  assembly: Assembly,
): Generator<undefined, Assembled> {
  const { zones, problems, doubts } = assembly
  const times = readTimes(master, zones)
  const begun = beginning(master, times)
  const repeated = yield* repetitionOf(master, times, assembly)
  if (!repeated) {
    const left = overrides.map(() => 'is an occurrence of a series that is not supported')
    return { ...begun, ...SINGLE, others: overrides, problems: [...problems, ...left] }
  }
  const { series, placed, extras, isPlaced } = yield* place(times, repeated, overrides, assembly)
  const periods = [...repeated.periods].filter(([wall]) => isPlaced(wall))
  const exceptions = yield* exceptionsOf(master, series, assembly)
  const occurrences = new Map<WallTime, ImportedOccurrence>([
    ...periods.map(([wall, own]) => [wall, overriding(wall, own)] as const),
    ...exceptions.map((wall) => [wall, exception(wall)] as const),
  ])
  const common = { texts: begun.texts, content: contentOf(comparedOf(master)) }
  for (const one of placed) {
    const found = unlessUnusable(assembly, () => overrideOf(series, common, one, zones))
    if (found === SAME) occurrences.delete(one.wall)
    else if (found) occurrences.set(one.wall, found)
    yield
  }
  const differing = ownOf(occurrences, (problem) => doubts.push(problem))
  return {
    ...begun,
    isUnsupported: [assembly.areOrphans, times.isInexact, doubts.length > 0].includes(true),
    ruleText: repeated.ruleText ?? ruleBeside([...extras, ...differing]),
    extras,
    occurrences: differing,
    problems: [...problems, ...doubts],
    others: overrides,
    placed,
  }
}

/** The rule of an event that only repeats by single starts, if at all. */
const ruleBeside = (others: readonly unknown[]) => (others.length > 0 ? formatRule(ONCE) : null)

/** A series that we cannot repeat becomes a single event, whose text has the rest. */
const SINGLE = { isUnsupported: true, ruleText: null, extras: [], occurrences: [], placed: [] }

/** Undefined when the event cannot repeat so. */
function* repetitionOf(master: CalendarComponent, times: TimesOfFile, { zones }: Assembly) {
  try {
    return yield* readRepetition(master, times, zones)
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return undefined
  }
}

function* exceptionsOf(
  master: CalendarComponent,
  series: Series,
  { zones, doubts }: Assembly,
): Generator<undefined, WallTime[]> {
  const walls: WallTime[] = []
  try {
    for (const { moment } of datesOf(master, 'EXDATE', zones)) {
      walls.push(...located(series, moment))
      yield
    }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    doubts.push(error.message)
  }
  return walls
}

/**
 * Finds the occurrences of the overrides. A start that the rule does not produce becomes an extra start; too many are left
 * out.
 */
function* place(
  times: Times,
  { rule, extras }: Repeated,
  overrides: readonly CalendarComponent[],
  assembly: Assembly,
) {
  const named = toSeries(times, rule, extras)
  const all = new Set(extras)
  const placed: PlacedComponent[] = []
  for (const component of overrides) {
    const wall = unlessUnusable(assembly, () => placeOf(named, component, assembly))
    if (wall !== undefined) placed.push({ component, wall })
    if (wall !== undefined && wall > wallOf(times) && !named.has(wall)) all.add(wall)
    yield undefined
  }
  const ascending = [...all].toSorted((a, b) => a - b)
  const taken = ascending.slice(0, MAX_EXTRA_STARTS)
  const series = toSeries(times, rule, taken)
  const left = new Set(ascending.slice(MAX_EXTRA_STARTS))
  if (left.size > 0) assembly.doubts.push(TOO_MANY_STARTS)
  const isPlaced = (wall: WallTime) => !left.has(wall) || series.has(wall)
  return { series, placed: placed.filter(({ wall }) => isPlaced(wall)), extras: taken, isPlaced }
}

const TOO_MANY_STARTS = `has more than ${MAX_EXTRA_STARTS} dates beside its rule: the first ${MAX_EXTRA_STARTS} are taken`

/** @throws {Unusable} */
function placeOf(
  series: Series,
  component: CalendarComponent,
  { zones, doubts, areOrphans }: Assembly,
): WallTime | undefined {
  const line = onlyLine(component, areOrphans ? 'DTSTART' : 'RECURRENCE-ID')
  if (!line) throw new Unusable('has no DTSTART')
  if (hasRange(line)) doubts.push(RANGE)
  const moment = readMoment(line, line.value, zones)
  const wall = locate(series, moment)
  if (wall !== undefined || isCancelled(component)) return wall
  const own = wallFor(series.first, moment)
  if (own < wallOf(series.first)) doubts.push('has an occurrence before its start')
  return own
}

const hasRange = ({ params }: ContentLine) => String(params['range']).toUpperCase() === 'THISANDFUTURE'

const RANGE = 'changes all occurrences from one on (RANGE=THISANDFUTURE): the first of them is taken'

/** Undefined when `read` throws `Unusable`, which the event then cannot say. */
function unlessUnusable<T>({ doubts }: Assembly, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    doubts.push(error.message)
    return undefined
  }
}

interface Common {
  readonly texts: Texts
  /** The other properties of the series. */
  readonly content: string
}

/** An override that says the same as its series. */
const SAME = 'same'

/** @throws {Unusable} */
function overrideOf(
  series: Series,
  { texts, content }: Common,
  { component, wall }: PlacedComponent,
  zones: Zones,
): ImportedOccurrence | typeof SAME {
  if (isCancelled(component)) return { ...exception(wall), isWritten: true }
  const original = timesAt(series.first, wall)
  const hasStart = component.lines.some(({ name }) => name === 'DTSTART')
  const own = hasStart ? readTimes(component, zones) : original
  const said = textsOfKept(comparedOf(component))
  const hasTitle = component.lines.some(({ name }) => name === 'SUMMARY')
  const changes = differences(texts, hasTitle ? said : { ...said, title: texts.title })
  const isBefore = wall < wallOf(series.first)
  const times = !isBefore && sameTimes(own, original) ? null : own
  const isAlike = contentOf(comparedOf(component)) === content
  if (isAlike && times === null && Object.keys(changes).length === 0) return SAME
  return { ...overriding(wall, times), changes, isWritten: true }
}
