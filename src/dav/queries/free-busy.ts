/** CALDAV:free-busy-query (RFC 4791, section 7.10). */

import type { Pause } from '../../lib/pauses'
import { lineNamed, type Outline, paramsOf } from '../../lib/icalendar/outline'
import { ObjectTooCostly, QueryRefusal } from './effort'
import { instancesOf } from './instances'
import { type TimeRange, utcText } from './moments'
import type { CalendarObject } from './object'
import { effectiveEnd, periodsOf } from './overlap'

interface BusyPeriod {
  readonly start: number
  readonly end: number
}

/** Objects that come one after the other, between which other requests may run. */
type CalendarObjects = AsyncIterable<CalendarObject> | Iterable<CalendarObject>

/** What a VFREEBUSY says beside its periods. */
export interface FreeBusyAbout {
  readonly uid: string
  /** The time of the answer, in epoch milliseconds. */
  readonly stamp: number
  /** Lets others run. */
  readonly pause: Pause
  /** What the owner of the times is called among attendees, in lower case: what they declined does not keep them busy. */
  readonly addresses?: ReadonlySet<string>
}

/** The times that are asked for, and the addresses of their owner. */
interface BusyQuestion {
  readonly range: TimeRange
  readonly addresses: ReadonlySet<string>
}

/** The most periods of an answer, before they are merged. */
const MAX_PERIODS = 50_000

const said = (component: Outline, property: string): string | undefined =>
  lineNamed(component, property)?.value.trim().toUpperCase()

/** The answer of one of these addresses to an event. */
function answerIn({ lines }: Outline, addresses: ReadonlySet<string>): string | undefined {
  const own = lines.find(
    ({ name, value }) => name === 'ATTENDEE' && addresses.has(value.trim().toLowerCase()),
  )
  return own && paramsOf(own).get('PARTSTAT')?.[0]?.toUpperCase()
}

/** The FBTYPE of an event's time; undefined when it is free. */
function typeOf(component: Outline, addresses: ReadonlySet<string>): string | undefined {
  if (said(component, 'TRANSP') === 'TRANSPARENT') return undefined
  if (answerIn(component, addresses) === 'DECLINED') return undefined
  const status = said(component, 'STATUS')
  if (status === 'CANCELLED') return undefined
  return status === 'TENTATIVE' ? 'BUSY-TENTATIVE' : 'BUSY'
}

interface TypedPeriod extends BusyPeriod {
  readonly type: string
}

function* eventTimes(object: CalendarObject, { range, addresses }: BusyQuestion): Generator<TypedPeriod> {
  for (const source of object.groups('VEVENT').flatMap((group) => instancesOf(group, object))) {
    if (source.components.every((component) => typeOf(component, addresses) === undefined)) continue
    for (const instance of source.near(range)) {
      const type = typeOf(instance.component, addresses)
      const { start } = instance
      const end = effectiveEnd(instance)
      if (type !== undefined && start !== undefined && end !== undefined) yield { type, start, end }
    }
  }
}

const BUSY_TYPE = /^BUSY-[A-Z]{1,20}$/

function* statedTimes(component: Outline, object: CalendarObject): Generator<TypedPeriod> {
  for (const { line, start, end } of periodsOf(component, object)) {
    const type = paramsOf(line).get('FBTYPE')?.[0]?.toUpperCase() ?? 'BUSY'
    if (type !== 'FREE') yield { type: BUSY_TYPE.test(type) ? type : 'BUSY', start, end }
  }
}

/** The times of an object, each with its FBTYPE. */
function* busyTimes(object: CalendarObject, asked: BusyQuestion): Generator<TypedPeriod> {
  yield* eventTimes(object, asked)
  for (const component of object.components) {
    if (component.name === 'VFREEBUSY') yield* statedTimes(component, object)
  }
}

/** Unites periods that overlap or touch. */
function merged(periods: readonly BusyPeriod[]): BusyPeriod[] {
  const found: BusyPeriod[] = []
  for (const { start, end } of periods.toSorted((a, b) => a.start - b.start)) {
    const last = found.at(-1)
    if (last && start <= last.end)
      found[found.length - 1] = { start: last.start, end: Math.max(last.end, end) }
    else found.push({ start, end })
  }
  return found
}

const tooMany = () =>
  new QueryRefusal('number-of-matches-within-limits', 'The range holds too many busy times.')

/** An object whose times nobody can count keeps its owner busy all the time. */
function boundedTimes(object: CalendarObject, asked: BusyQuestion): TypedPeriod[] {
  try {
    return [...busyTimes(object, asked)]
  } catch (error) {
    if (!(error instanceof ObjectTooCostly)) throw error
    return [{ type: 'BUSY', start: asked.range.from, end: asked.range.until }]
  }
}

async function collect(objects: CalendarObjects, asked: BusyQuestion): Promise<Map<string, BusyPeriod[]>> {
  const { range } = asked
  const byType = new Map<string, BusyPeriod[]>()
  let count = 0
  for await (const object of objects) {
    for (const { type, start, end } of boundedTimes(object, asked)) {
      const cut = { start: Math.max(start, range.from), end: Math.min(end, range.until) }
      if (cut.end <= cut.start) continue
      if (++count > MAX_PERIODS) throw tooMany()
      byType.getOrInsertComputed(type, () => []).push(cut)
    }
  }
  return byType
}

/** Periods that are written between two pauses. */
const PERIODS_AT_ONCE = 200

async function periodLines(
  types: ReadonlyMap<string, readonly BusyPeriod[]>,
  pause: Pause,
): Promise<string[]> {
  const lines: string[] = []
  for (const [type, periods] of [...types].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const head = type === 'BUSY' ? 'FREEBUSY' : `FREEBUSY;FBTYPE=${type}`
    for (const { start, end } of merged(periods)) {
      lines.push(`${head}:${utcText(start)}/${utcText(end)}`)
      if (lines.length % PERIODS_AT_ONCE === 0) await pause()
    }
  }
  return lines
}

/**
 * The busy times of the objects within a finite range, as a calendar with one VFREEBUSY: events that are transparent,
 * cancelled or declined do not count. @throws {QueryRefusal}
 */
export async function freeBusy(
  objects: CalendarObjects,
  range: TimeRange,
  about: FreeBusyAbout,
): Promise<string> {
  try {
    const asked = { range, addresses: about.addresses ?? new Set<string>() }
    const periods = await periodLines(await collect(objects, asked), about.pause)
    const lines = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Organiser//Organiser//EN',
      'BEGIN:VFREEBUSY',
      `UID:${about.uid}`,
      `DTSTAMP:${utcText(about.stamp)}`,
      `DTSTART:${utcText(range.from)}`,
      `DTEND:${utcText(range.until)}`,
      ...periods,
      'END:VFREEBUSY',
      'END:VCALENDAR',
    ]
    return lines.map((line) => `${line}\r\n`).join('')
  } catch (error) {
    throw error instanceof ObjectTooCostly ? tooMany() : error
  }
}
