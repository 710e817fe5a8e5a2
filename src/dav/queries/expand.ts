/** CALDAV:expand, limit-recurrence-set and limit-freebusy-set (RFC 4791, sections 9.6.5 to 9.6.7). */

import {
  isComponent,
  lineEndOf,
  lineNamed,
  type Outline,
  type OutlineLine,
  paramsOf,
  rawHeadOf,
  rawOf,
} from '../../lib/icalendar/outline'
import { readDuration } from '../../lib/icalendar/duration'
import { ObjectTooCostly, QueryRefusal } from './effort'
import { type Instance, instancesOf, originalOf } from './instances'
import { dateText, localText, type TextMoment, type TimeRange, utcText } from './moments'
import { type CalendarObject, type ComponentGroup, REPEATING } from './object'
import { overlapsInstance, overlapsSpan, periodsOf } from './overlap'

/** The most instances of one object in an answer (CALDAV:max-instances). */
export const MAX_INSTANCES = 2000

const isRepeating = (name: string) => REPEATING.some((one) => one === name)

/** Answers with the bound of the object as a precondition. @throws {QueryRefusal} */
function bounded(make: () => string): string {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof ObjectTooCostly)) throw error
    throw new QueryRefusal('max-instances', 'The object has too many instances in this range.')
  }
}

/** A time of one kind; days and floating times stay what they are, all others are in UTC. */
function timeText(kind: TextMoment['kind'], wall: number, instant: number): string {
  if (kind === 'date') return dateText(wall)
  return kind === 'floating' ? localText(wall) : utcText(instant)
}

const TZID = /;[ \t]*TZID=(?:"[^"]*"|[^;:"])*/i

const inUtc = (head: string) => head.replace(TZID, '')

/** The line with another value; the very same line when that says the same. */
function rewritten(line: OutlineLine, value: string): string {
  const head = inUtc(line.head)
  return head === line.head && value === line.value ? line.raw : `${head}:${value}${lineEndOf(line.raw)}`
}

/** Any line with a TZID, as the definition of the zone goes. */
function withoutZone(line: OutlineLine, object: CalendarObject): string {
  if (!paramsOf(line).has('TZID')) return line.raw
  const moments = [...object.moments(line)]
  if (moments.length === 0 || moments.some(({ rest }) => rest !== undefined)) return line.raw
  return rewritten(
    line,
    moments.map(({ moment: { kind, wall, instant } }) => timeText(kind, wall, instant)).join(','),
  )
}

const DROPPED = new Set(['RRULE', 'RDATE', 'EXDATE', 'EXRULE', 'RECURRENCE-ID'])

/** The start of an instance, with the RECURRENCE-ID that names it. */
function idText({ id }: Instance, lineEnd: string): string {
  if (!id) return ''
  const params = id.kind === 'date' ? ';VALUE=DATE' : ''
  return `RECURRENCE-ID${params}:${timeText(id.kind, id.wall, id.instant)}${lineEnd}`
}

/** The end of an instance as the component writes it. */
function endText(line: OutlineLine, { end, clock }: Instance, object: CalendarObject): string {
  const kind = object.moment(line)?.kind
  if (!kind || end === undefined) return line.raw
  return rewritten(line, timeText(kind, clock.wallAt(end), end))
}

/** A DURATION holds for an instance unless clocks change during its days, or a PERIOD says otherwise. */
function durationText(
  line: OutlineLine,
  { start, end, component }: Instance,
  object: CalendarObject,
): string {
  const duration = readDuration(line.value)
  const kind = object.moment(lineNamed(component, 'DTSTART'))?.kind
  if (!duration || start === undefined || end === undefined) return line.raw
  const exact = (duration.days * 86_400 + duration.seconds) * 1000
  if (kind === 'date' || kind === 'floating' || end - start === exact) return line.raw
  return `${component.name === 'VTODO' ? 'DUE' : 'DTEND'}:${utcText(end)}${lineEndOf(line.raw)}`
}

function lineOf(line: OutlineLine, instance: Instance, object: CalendarObject): string {
  if (line.name === 'DTSTART') {
    const kind = object.moment(line)?.kind
    const { start, wall } = instance
    const text = kind && start !== undefined ? rewritten(line, timeText(kind, wall, start)) : line.raw
    return text + idText(instance, lineEndOf(line.raw))
  }
  if (line.name === 'DTEND' || line.name === 'DUE') return endText(line, instance, object)
  if (line.name === 'DURATION') return durationText(line, instance, object)
  return DROPPED.has(line.name) ? '' : withoutZone(line, object)
}

/** A component as one instance of itself. */
function instanceText(instance: Instance, object: CalendarObject): string {
  const { begin, entries, end } = instance.component
  const own = entries.map((entry) => (isComponent(entry) ? rawOf(entry) : lineOf(entry, instance, object)))
  const hasStart = lineNamed(instance.component, 'DTSTART') !== undefined
  return begin + (hasStart ? '' : idText(instance, lineEndOf(begin))) + own.join('') + end
}

function expandedGroup(group: ComponentGroup, range: TimeRange, object: CalendarObject): string {
  const found: Instance[] = []
  for (const source of instancesOf(group, object)) {
    for (const instance of source.near(range)) {
      if (!overlapsInstance(range, instance, object)) continue
      found.push(instance)
      object.spend(instance.component.lines.length)
      if (found.length > MAX_INSTANCES) {
        throw new QueryRefusal(
          'max-instances',
          `An object has at most ${MAX_INSTANCES} instances in an answer.`,
        )
      }
    }
  }
  return found
    .toSorted((a, b) => (a.start ?? a.end ?? 0) - (b.start ?? b.end ?? 0))
    .map((instance) => instanceText(instance, object))
    .join('')
}

/** The components that stand for a component in an answer: none, itself, or others. */
type Replacement = (component: Outline) => string

const replaced = (entry: OutlineLine | Outline, replace: Replacement): string =>
  isComponent(entry) ? replace(entry) : entry.raw

const withComponents = ({ entries }: Outline, replace: Replacement): string =>
  entries
    .map((entry) =>
      isComponent(entry) && entry.name === 'VCALENDAR'
        ? entry.begin + entry.entries.map((inner) => replaced(inner, replace)).join('') + entry.end
        : rawOf(entry),
    )
    .join('')

/**
 * The object with one component for each instance in the range, without zones; all groups stand where their first component
 * stood. @throws {QueryRefusal}
 */
export function expandCalendar(object: CalendarObject, range: TimeRange): string {
  const groups = new Map<Outline, ComponentGroup>()
  for (const group of REPEATING.flatMap((name) => object.groups(name))) {
    const members = new Set([...group.masters, ...group.overrides.map(({ component }) => component)])
    const first = object.components.find((component) => members.has(component))
    if (first) groups.set(first, group)
  }
  return bounded(() =>
    withComponents(object.root, (component) => {
      const group = groups.get(component)
      if (group) return expandedGroup(group, range, object)
      return component.name === 'VTIMEZONE' || isRepeating(component.name) ? '' : rawOf(component)
    }),
  )
}

/** The object without the overrides that have nothing to do with the range. @throws {QueryRefusal} */
export function limitRecurrenceSet(object: CalendarObject, range: TimeRange): string {
  return bounded(() => {
    const dropped = new Set<Outline>()
    for (const group of REPEATING.flatMap((name) => object.groups(name))) {
      for (const { component } of outside(group, range, object)) dropped.add(component)
    }
    return withComponents(object.root, (component) => (dropped.has(component) ? '' : rawOf(component)))
  })
}

/** Overrides that overlap the range neither as they are nor as they would have been. */
function outside(
  group: ComponentGroup,
  range: TimeRange,
  object: CalendarObject,
): ComponentGroup['overrides'] {
  const original = originalOf(group, object)
  return group.overrides.filter((override) => {
    object.spend(5)
    const sources = instancesOf({ masters: [], overrides: [override] }, object)
    const [now] = sources.flatMap((source) => [...source.near(range)])
    if (now && overlapsInstance(range, now, object)) return false
    const before = original?.(override.id)
    const overlapped = before
      ? overlapsInstance(range, before, object)
      : overlapsSpan(range, override.id.instant, override.id.instant)
    return !overlapped && !(override.isOnward && override.id.instant < range.until)
  })
}

function freeBusyLine(line: OutlineLine, kept: readonly string[] | undefined): string {
  if (line.name !== 'FREEBUSY' || !kept || kept.length === line.value.split(',').length) return line.raw
  return kept.length === 0 ? '' : rawHeadOf(line) + kept.join(',') + lineEndOf(line.raw)
}

/** The object with only those FREEBUSY periods that overlap the range. @throws {QueryRefusal} */
export function limitFreeBusySet(object: CalendarObject, range: TimeRange): string {
  return bounded(() =>
    withComponents(object.root, (component) => {
      if (component.name !== 'VFREEBUSY') return rawOf(component)
      const kept = new Map<OutlineLine, string[]>()
      for (const { line, text, start, end } of periodsOf(component, object)) {
        const values = kept.getOrInsertComputed(line, () => [])
        if (range.from < end && range.until > start) values.push(text)
      }
      const own = component.entries.map((entry) =>
        isComponent(entry) ? rawOf(entry) : freeBusyLine(entry, kept.get(entry)),
      )
      return component.begin + own.join('') + component.end
    }),
  )
}
