import type { CalendarComponent, ContentLine } from '../../../lib/icalendar/icalendar'
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
import { datesOf, isTooDense, keptRepetition, readRepetition, type Repeated } from './rules.repetition'
import {
  locate,
  located,
  onlyLine,
  readMoment,
  readTimes,
  Unusable,
  wallFor,
  type Zones,
} from './rules.times'

/** Properties that the export writes from the stored event. */
const NOT_KEPT = new Set([
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

/** An event as read from its file. */
export interface Imported {
  readonly texts: Texts
  /** Undefined when no component has a CLASS. One that is private hides the whole series. */
  readonly visibility: Visibility | undefined
  readonly times: Times
  readonly ruleText: string | null
  /** Whether its repetition is kept for the export but not supported. */
  readonly isUnsupported: boolean
  readonly extras: readonly WallTime[]
  readonly kept: readonly string[]
  readonly occurrences: readonly ImportedOccurrence[]
  /** Why some of its components were left out. */
  readonly problems: readonly string[]
}

const MAX_UID_LENGTH = 500

/** The UID, which identifies the event. */
export const readUid = (value: string): string => unescapeText(value).trim()

/** @throws {Unusable} */
export function refuseLongUid(uid: string | null): void {
  if (uid !== null && uid.length > MAX_UID_LENGTH)
    throw new Unusable(`UID is longer than ${MAX_UID_LENGTH} characters`)
}

const isOverride = ({ lines }: CalendarComponent) => lines.some(({ name }) => name === 'RECURRENCE-ID')

const isCancelled = ({ lines }: CalendarComponent) =>
  lines.some(({ name, value }) => name === 'STATUS' && value.trim().toUpperCase() === 'CANCELLED')

const partLines = ({ name, lines, parts }: CalendarComponent): string[] => [
  `BEGIN:${name}`,
  ...lines.map(({ text }) => text),
  ...parts.flatMap(partLines),
  `END:${name}`,
]

const keptOf = ({ lines, parts }: CalendarComponent): string[] => [
  ...lines.filter(({ name }) => !NOT_KEPT.has(name)).map(({ text }) => text),
  ...parts.flatMap(partLines),
]

/** The component with the highest SEQUENCE wins (RFC 5545, section 3.8.7.4). */
const revisionOf = ({ lines }: CalendarComponent): number =>
  Number(lines.find(({ name }) => name === 'SEQUENCE')?.value) || 0

/**
 * Builds one event from the components of a UID: a series and its overrides. If the series is missing from the file, the
 * overrides become starts of the event. Yields now and then so that the caller can pause.
 * @throws {Unusable}
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
  const masters = components
    .filter((component) => !isOverride(component))
    .toSorted((a, b) => revisionOf(b) - revisionOf(a))
  const overrides = components.filter(isOverride)
  const problems = masters.slice(1).map(() => 'appears twice in the file')
  const [master] = masters
  if (master) return yield* assembleSeries(master, overrides, { zones, problems })
  const [first, ...others] = overrides.toSorted((a, b) => startOf(a, zones) - startOf(b, zones))
  if (!first) throw new Unusable('has no component')
  return yield* assembleSeries(first, others, { zones, problems, areOrphans: true })
}

const startOf = (component: CalendarComponent, zones: Zones): number => {
  const line = onlyLine(component, 'DTSTART')
  return line ? readMoment(line, line.value, zones).wall : 0
}

interface Assembly {
  readonly zones: Zones
  readonly problems: string[]
  /** Overrides without their series, which are identified by their own starts. */
  readonly areOrphans?: boolean
}

/** An override with the original start of its occurrence. */
interface PlacedComponent {
  readonly component: CalendarComponent
  readonly wall: WallTime
}

function* assembleSeries(
  master: CalendarComponent,
  overrides: readonly CalendarComponent[],
  assembly: Assembly,
): Generator<undefined, Assembled> {
  if (isCancelled(master)) throw new Unusable('is cancelled')
  const times = readTimes(master, assembly.zones)
  const kept = keptOf(master)
  if (isTooDense(master, times)) return yield* asSingle(master, overrides, { times, kept, assembly })
  const repeated = yield* readRepetition(master, times, assembly.zones)
  const { series, placed, extras, isPlaced } = yield* place(times, repeated, overrides, assembly)
  const texts = textsOfKept(kept)
  const occurrences = new Map(
    [...repeated.periods]
      .filter(([wall]) => isPlaced(wall))
      .map(([wall, own]): [WallTime, ImportedOccurrence] => [wall, overriding(wall, own)]),
  )
  for (const { moment } of datesOf(master, 'EXDATE', assembly.zones)) {
    for (const wall of located(series, moment)) occurrences.set(wall, exception(wall))
    yield
  }
  for (const one of placed) {
    const occurrence = unlessUnusable(assembly, () => overrideOf({ series, texts, kept }, one, assembly))
    if (occurrence) occurrences.set(one.wall, occurrence)
    yield
  }
  const differing = ownOf(occurrences, assembly.problems)
  return {
    texts,
    times,
    isUnsupported: false,
    ruleText: repeated.ruleText ?? (extras.length + differing.length > 0 ? formatRule(ONCE) : null),
    extras,
    kept,
    occurrences: differing,
    problems: assembly.problems,
  }
}

interface Single {
  readonly times: Times
  readonly kept: readonly string[]
  readonly assembly: Assembly
}

/** A series that repeats more often than we support becomes a single event; the export writes its repetition again. */
function* asSingle(
  master: CalendarComponent,
  overrides: readonly CalendarComponent[],
  { times, kept, assembly: { zones, problems } }: Single,
): Generator<undefined, Assembled> {
  return {
    texts: textsOfKept(kept),
    times,
    isUnsupported: true,
    ruleText: null,
    extras: [],
    kept: [...(yield* keptRepetition(master, zones)), ...kept],
    occurrences: [],
    problems: [...problems, ...overrides.map(() => 'is an occurrence of a series that is not supported')],
  }
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
    if (wall !== undefined && !named.has(wall)) all.add(wall)
    yield undefined
  }
  const ascending = [...all].toSorted((a, b) => a - b)
  const kept = ascending.slice(0, MAX_EXTRA_STARTS)
  const series = toSeries(times, rule, kept)
  const left = new Set(ascending.slice(MAX_EXTRA_STARTS))
  if (left.size > 0) assembly.problems.push(TOO_MANY_STARTS)
  const isPlaced = (wall: WallTime) => !left.has(wall) || series.has(wall)
  return { series, placed: placed.filter(({ wall }) => isPlaced(wall)), extras: kept, isPlaced }
}

const TOO_MANY_STARTS = `has more than ${MAX_EXTRA_STARTS} dates beside its rule: the first ${MAX_EXTRA_STARTS} are taken`

/** @throws {Unusable} */
function placeOf(
  series: Series,
  component: CalendarComponent,
  { zones, areOrphans }: Assembly,
): WallTime | undefined {
  const line = onlyLine(component, areOrphans ? 'DTSTART' : 'RECURRENCE-ID')
  if (!line) throw new Unusable('has no DTSTART')
  refuseRange(line)
  const moment = readMoment(line, line.value, zones)
  const wall = locate(series, moment)
  if (wall !== undefined || isCancelled(component)) return wall
  const own = wallFor(series.first, moment)
  if (own < wallOf(series.first)) throw new Unusable('has an occurrence before its start')
  return own
}

/** @throws {Unusable} */
function refuseRange({ params }: ContentLine): void {
  if (String(params['range']).toUpperCase() !== 'THISANDFUTURE') return
  throw new Unusable('changes all occurrences from one on (RANGE=THISANDFUTURE)')
}

/** Undefined when `read` throws `Unusable`, which becomes a problem of the event. */
function unlessUnusable<T>({ problems }: Assembly, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    problems.push(error.message)
    return undefined
  }
}

interface Common {
  readonly series: Series
  readonly texts: Texts
  readonly kept: readonly string[]
}

/** @throws {Unusable} */
function overrideOf(
  { series, texts, kept }: Common,
  { component, wall }: PlacedComponent,
  { zones }: Assembly,
): ImportedOccurrence {
  if (isCancelled(component)) return exception(wall)
  const original = timesAt(series.first, wall)
  const hasStart = component.lines.some(({ name }) => name === 'DTSTART')
  const own = hasStart ? readTimes(component, zones) : original
  if (own.allDay !== original.allDay) {
    throw new Unusable('has an all-day occurrence of a series with times, or the reverse')
  }
  const ownKept = keptOf(component)
  const said = textsOfKept(ownKept)
  const hasTitle = component.lines.some(({ name }) => name === 'SUMMARY')
  const changes = differences(texts, hasTitle ? said : { ...said, title: texts.title })
  const isSame = contentOf(ownKept) === contentOf(kept)
  return {
    ...overriding(wall, sameTimes(own, original) ? null : own),
    changes,
    kept: isSame ? null : ownKept,
  }
}
