import { LAST_WALL, compile, type Pattern, wallsFrom } from '../recurrence/calendar'
import { parseRule } from '../recurrence/grammar'
import { DAY_MS } from '../time/wall-time'
import { offsetMs } from '../time/zone'

/** A change of the clocks, and the offset from UTC after it; in milliseconds. */
interface Onset {
  readonly at: number
  readonly offset: number
}

/** A STANDARD or DAYLIGHT part of a VTIMEZONE (RFC 5545, section 3.6.5); in milliseconds, with wall times as if in UTC. */
interface Observance {
  readonly offsetFrom: number
  readonly offsetTo: number
  /** Its first onset, by the clocks before it. */
  readonly first: number
  readonly pattern: Pattern | undefined
  readonly last: number
  readonly others: readonly number[]
}

export interface ZoneDefinition {
  /** Ascending; of several at one instant, the last applies. */
  readonly onsets: readonly Onset[]
  /** The offset from UTC before the first onset. */
  readonly offsetBefore: number
  /** The IANA zone that the definition names. */
  readonly location: string | undefined
}

/** A component as far as zones need it. */
interface ZonePart {
  readonly name: string
  readonly lines: ReadonlyArray<{ readonly name: string; readonly value: string }>
  readonly parts: readonly ZonePart[]
}

const valueOf = ({ lines }: ZonePart, wanted: string) =>
  lines.find(({ name }) => name === wanted)?.value.trim()

/** Most definitions have a handful; the full history of a zone has some hundred. */
const MAX_OBSERVANCES = 300
/** Onsets written out in the file; the longest history of a zone has fewer. */
const MAX_WRITTEN = 500
/** Onsets from rules: two a year, for several rules without an end. */
const MAX_NAMED = 2000
/** Earlier than every event, and than the onset that applies to it. */
const FIRST_NAMED = Date.UTC(1890, 0, 1)

/** Parses a VTIMEZONE; undefined when it is malformed or too large. Yields now and then so that the caller can pause. */
export function* readZone(component: ZonePart): Generator<undefined, ZoneDefinition | undefined> {
  const parts = component.parts.filter(({ name }) => name === 'STANDARD' || name === 'DAYLIGHT')
  const written = parts.reduce((sum, part) => sum + 1 + rdatesOf(part).length, 0)
  if (parts.length > MAX_OBSERVANCES || written > MAX_WRITTEN) return undefined
  const observances: Observance[] = []
  for (const part of parts) {
    const observance = readObservance(part)
    if (!observance) return undefined
    observances.push(observance)
    yield
  }
  const onsets = yield* onsetsOf(observances)
  const [earliest] = observances.toSorted((a, b) => a.first - b.first)
  return (
    onsets &&
    earliest && { onsets, offsetBefore: earliest.offsetFrom, location: valueOf(component, 'X-LIC-LOCATION') }
  )
}

/** Undefined when the rules give more onsets than any real zone has. */
function* onsetsOf(observances: readonly Observance[]): Generator<undefined, Onset[] | undefined> {
  const onsets: Onset[] = []
  let named = 0
  for (const { first, others, pattern, last, offsetFrom, offsetTo } of observances) {
    const add = (wall: number) => onsets.push({ at: wall - offsetFrom, offset: offsetTo })
    for (const wall of [first, ...others]) add(wall)
    for (const wall of pattern ? wallsFrom(pattern, Math.max(first + 1, FIRST_NAMED), last) : []) {
      if (++named > MAX_NAMED) return undefined
      add(wall)
      yield
    }
  }
  return onsets.toSorted((a, b) => a.at - b.at)
}

export const nameOfZone = (component: ZonePart) => valueOf(component, 'TZID')

function readOffset(text: string | undefined): number | undefined {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^([+-])(\d\d):?(\d\d):?(\d\d)?$/.exec(text ?? '') ?? []
  if (sign === undefined || Number(hours) > 15) return undefined
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -size : size
}

function readWall(text: string | undefined): number | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/.exec(text ?? '') ?? []
  if (year === undefined) return undefined
  const wall = new Date(0)
  wall.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  return wall.setUTCHours(Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0))
}

function readObservance(component: ZonePart): Observance | undefined {
  const offsetFrom = readOffset(valueOf(component, 'TZOFFSETFROM'))
  const offsetTo = readOffset(valueOf(component, 'TZOFFSETTO'))
  const first = readWall(valueOf(component, 'DTSTART'))
  if (offsetFrom === undefined || offsetTo === undefined || first === undefined) return undefined
  const repeated = readRepetition(valueOf(component, 'RRULE'), first, offsetFrom)
  return repeated && { offsetFrom, offsetTo, first, ...repeated, others: readOthers(component, first) }
}

const rdatesOf = ({ lines }: ZonePart): string[] =>
  lines.filter(({ name }) => name === 'RDATE').flatMap(({ value }) => value.split(','))

/** Ignores onsets before the first one. */
const readOthers = (component: ZonePart, first: number) =>
  rdatesOf(component)
    .map((text) => readWall(text.split('/')[0]?.trim()))
    .filter((wall) => wall !== undefined)
    .filter((wall) => wall > first)

/** Undefined for a malformed rule. */
function readRepetition(text: string | undefined, first: number, offsetFrom: number) {
  const until = /UNTIL=(\d{4})/i.exec(text ?? '')?.[1]
  if (text === undefined || (until !== undefined && until < '1900'))
    return { pattern: undefined, last: first }
  const read = parseRule(text.replace(/;UNTIL=(?:2[2-9]|[3-9])\d+T?\d*Z?/i, '').replace(/;+$/, ''))
  if ('problem' in read || read.rule.frequency !== 'YEARLY') return undefined
  const { rule } = read
  const last = rule.until ? rule.until.at + (rule.until.form === 'instant' ? offsetFrom : 0) : LAST_WALL
  return { pattern: compile(rule, first), last }
}

/** Counts the onsets at or before an instant. */
function countUntil(onsets: readonly Onset[], instant: number): number {
  let [low, high] = [0, onsets.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((onsets[middle]?.at ?? Infinity) <= instant) low = middle + 1
    else high = middle
  }
  return low
}

/** The offset from UTC at an instant. */
export const offsetIn = ({ onsets, offsetBefore }: ZoneDefinition, instant: number): number =>
  onsets[countUntil(onsets, instant) - 1]?.offset ?? offsetBefore

/** The instant of a wall time: a skipped one moves forward, of a repeated one the first. */
export function instantIn(zone: ZoneDefinition, wall: number): number {
  const before = wall - offsetIn(zone, wall - DAY_MS)
  const after = wall - offsetIn(zone, wall + DAY_MS)
  if (before + offsetIn(zone, before) === wall) return before
  return after + offsetIn(zone, after) === wall ? after : before
}

/** Samples of a definition that are compared with the known zones: instants with their offsets. */
export type Signature = ReadonlyArray<readonly [instant: number, offset: number]>

/** More clock changes than any zone has in two years. */
const MAX_CHANGES = 30
const COMPARED_MS = 2 * 365 * DAY_MS

/** Samples the two years from the start of `year`: every week, and both sides of every clock change. */
export function signatureOf(zone: ZoneDefinition, year: number): Signature {
  const from = Date.UTC(year, 0, 1)
  const to = from + COMPARED_MS
  const weekly = Array.from({ length: COMPARED_MS / (7 * DAY_MS) }, (_, week) => from + week * 7 * DAY_MS)
  const changes = zone.onsets
    .slice(countUntil(zone.onsets, from), countUntil(zone.onsets, to - 1))
    .slice(0, MAX_CHANGES)
    .flatMap(({ at }) => [at - 1, at])
  return [...weekly, ...changes].map((instant) => [instant, offsetIn(zone, instant)])
}

export const isLike = (signature: Signature, zone: string): boolean =>
  signature.every(([instant, offset]) => offsetMs(zone, instant) === offset)

const FIXED = [
  'UTC',
  ...Array.from({ length: 27 }, (_, n) => n - 12)
    .filter((hours) => hours !== 0)
    .map((hours) => `Etc/GMT${hours < 0 ? '+' : '-'}${Math.abs(hours)}`),
]

/** The zones that the definition may stand for, the likeliest first. */
export function candidates(signature: Signature, likely: readonly string[]): string[] {
  const isFixed = signature.every(([, offset]) => offset === signature[0]?.[1])
  return [...likely.slice(0, 1), ...(isFixed ? FIXED : []), ...likely, ...Intl.supportedValuesOf('timeZone')]
}
