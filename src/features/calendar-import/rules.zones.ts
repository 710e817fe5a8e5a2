import type { CalendarComponent, ContentLine } from '../../lib/icalendar'
import { LAST_WALL, compile, type Pattern, wallsBack, wallsFrom } from '../../lib/recurrence.calendar'
import { parseRule } from '../../lib/recurrence.grammar'
import { offsetMs } from '../../lib/zone'

/** Part of a zone's year, as a VTIMEZONE defines it (RFC 5545, section 3.6.5); milliseconds, wall times as if in UTC. */
interface Observance {
  readonly offsetFrom: number
  readonly offsetTo: number
  /** When it begins on the clocks before it. */
  readonly first: number
  readonly pattern: Pattern | undefined
  readonly last: number
  readonly others: readonly number[]
}

export interface ZoneDefinition {
  readonly observances: readonly Observance[]
  /** The IANA zone that it says it is. */
  readonly location: string | undefined
}

const DAY_MS = 86_400_000

const valueOf = ({ lines }: CalendarComponent, wanted: string) =>
  lines.find(({ name }) => name === wanted)?.value.trim()

/** Few definitions have more than a handful: of the whole history of a zone there are some hundred. */
const MAX_OBSERVANCES = 300

/** What a VTIMEZONE defines; undefined for one that cannot be read. */
export function readZone(component: CalendarComponent): ZoneDefinition | undefined {
  const parts = component.parts.filter(({ name }) => name === 'STANDARD' || name === 'DAYLIGHT')
  if (parts.length > MAX_OBSERVANCES) return undefined
  const observances = parts.map(readObservance)
  const readable = observances.filter((one) => one !== undefined)
  if (readable.length === 0 || readable.length < parts.length) return undefined
  return { observances: readable, location: valueOf(component, 'X-LIC-LOCATION') }
}

/** `TZID` of a VTIMEZONE. */
export const nameOfZone = (component: CalendarComponent) => valueOf(component, 'TZID')

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

function readObservance(component: CalendarComponent): Observance | undefined {
  const offsetFrom = readOffset(valueOf(component, 'TZOFFSETFROM'))
  const offsetTo = readOffset(valueOf(component, 'TZOFFSETTO'))
  const first = readWall(valueOf(component, 'DTSTART'))
  if (offsetFrom === undefined || offsetTo === undefined || first === undefined) return undefined
  const repeated = readRepetition(valueOf(component, 'RRULE'), first, offsetFrom)
  return repeated && { offsetFrom, offsetTo, first, ...repeated, others: readOthers(component.lines) }
}

const readOthers = (lines: readonly ContentLine[]) =>
  lines
    .filter(({ name }) => name === 'RDATE')
    .flatMap(({ value }) => value.split(',').map((text) => readWall(text.split('/')[0]?.trim())))
    .filter((wall) => wall !== undefined)

/** Undefined for a rule that cannot be read. */
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

/** When it last began up to `instant`, on the clocks before it. */
function lastOnset({ first, offsetFrom, pattern, last, others }: Observance, instant: number) {
  const wall = instant + offsetFrom
  if (wall < first) return undefined
  const named = pattern ? wallsBack(pattern, Math.min(wall, last), first + 1).next().value : undefined
  return Math.max(first, named ?? first, ...others.filter((other) => other <= wall))
}

/** How far clocks are ahead of UTC at an instant. */
export function offsetIn({ observances }: ZoneDefinition, instant: number): number {
  let [latest, offset] = [-Infinity, undefined as number | undefined]
  for (const observance of observances) {
    const onset = lastOnset(observance, instant)
    if (onset === undefined || onset - observance.offsetFrom < latest) continue
    latest = onset - observance.offsetFrom
    offset = observance.offsetTo
  }
  return offset ?? observances.toSorted((a, b) => a.first - b.first)[0]?.offsetFrom ?? 0
}

/** The instant of a wall time: one that is skipped moves forward, one that is repeated is the first. */
export function instantIn(zone: ZoneDefinition, wall: number): number {
  const before = wall - offsetIn(zone, wall - DAY_MS)
  const after = wall - offsetIn(zone, wall + DAY_MS)
  if (before + offsetIn(zone, before) === wall) return before
  return after + offsetIn(zone, after) === wall ? after : before
}

/** Where the definition is compared with the zones that are known: instants, and the offset at each. */
export type Signature = ReadonlyArray<readonly [instant: number, offset: number]>

/** No clocks change as often in two years. */
const MAX_CHANGES = 60
const COMPARED_MS = 2 * 365 * DAY_MS

/** Of the two years from the beginning of `year` on: every week, and both sides of every change. */
export function signatureOf(zone: ZoneDefinition, year: number): Signature {
  const from = Date.UTC(year, 0, 1)
  const to = from + COMPARED_MS
  const weekly = Array.from({ length: COMPARED_MS / (7 * DAY_MS) }, (_, week) => from + week * 7 * DAY_MS)
  const changes = zone.observances.flatMap(({ pattern, first, last, others, offsetFrom }) =>
    [first, ...others, ...(pattern ? wallsFrom(pattern, from, Math.min(to, last)).take(8) : [])]
      .map((wall) => wall - offsetFrom)
      .filter((instant) => instant > from && instant < to)
      .flatMap((instant) => [instant - 1, instant]),
  )
  return [...weekly, ...changes.slice(0, MAX_CHANGES)].map((instant) => [instant, offsetIn(zone, instant)])
}

export const isLike = (signature: Signature, zone: string): boolean =>
  signature.every(([instant, offset]) => offsetMs(zone, instant) === offset)

const FIXED = [
  'UTC',
  ...Array.from({ length: 27 }, (_, n) => n - 12)
    .filter((hours) => hours !== 0)
    .map((hours) => `Etc/GMT${hours < 0 ? '+' : '-'}${Math.abs(hours)}`),
]

/** The zones that a definition may mean, the likeliest first. */
export function candidates(signature: Signature, likely: readonly string[]): string[] {
  const isFixed = signature.every(([, offset]) => offset === signature[0]?.[1])
  return [...likely.slice(0, 1), ...(isFixed ? FIXED : []), ...likely, ...Intl.supportedValuesOf('timeZone')]
}
