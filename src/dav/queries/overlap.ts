/** Which times overlap a range (RFC 4791, section 9.9). */

import { lineNamed, type Outline } from '../../lib/icalendar/outline'
import { readDuration } from '../../lib/icalendar/duration'
import type { Instance } from './instances'
import { after, type TimeRange } from './moments'
import type { CalendarObject } from './object'

/** Something that takes time, or a point in time. */
export function overlapsSpan({ from, until }: TimeRange, start: number, end: number): boolean {
  return end > start ? from < end && until > start : from <= start && until > start
}

/** The end that counts for free and busy times, and for alarms. */
export function effectiveEnd({ start, end, dayEnd, component }: Instance): number | undefined {
  if (start === undefined || component.name !== 'VEVENT') return end ?? start
  return end !== undefined && end > start ? end : (dayEnd ?? start)
}

const overlapsEvent = (range: TimeRange, instance: Instance): boolean =>
  instance.start !== undefined &&
  overlapsSpan(range, instance.start, effectiveEnd(instance) ?? instance.start)

const overlapsJournal = (range: TimeRange, { start, dayEnd }: Instance): boolean =>
  start !== undefined && overlapsSpan(range, start, dayEnd ?? start)

/** The last rows of the table: a todo without dates matches by what is known of its life, or always. */
function overlapsUndated({ from, until }: TimeRange, component: Outline, object: CalendarObject): boolean {
  const completed = object.moment(lineNamed(component, 'COMPLETED'))?.instant
  const created = object.moment(lineNamed(component, 'CREATED'))?.instant
  if (completed === undefined) return created === undefined || until > created
  const others = created ?? completed
  return (from <= others || from <= completed) && (until >= others || until >= completed)
}

function overlapsTodo(range: TimeRange, instance: Instance, object: CalendarObject): boolean {
  const { from, until } = range
  const { start, end, isByDuration, component } = instance
  if (start === undefined) {
    return end === undefined ? overlapsUndated(range, component, object) : from < end && until >= end
  }
  if (end === undefined) return from <= start && until > start
  const isBefore = isByDuration ? from <= end : from < end || from <= start
  return isBefore && (until > start || until >= end)
}

/** The start and end of a free or busy period. */
export function* periodsOf(component: Outline, object: CalendarObject) {
  for (const line of component.lines) {
    if (line.name !== 'FREEBUSY') continue
    for (const { moment, rest = '', text } of object.moments(line)) {
      const duration = readDuration(rest)
      const value = { name: 'DTEND', head: 'DTEND', value: rest, raw: rest }
      const end = duration ? after(moment.instant, duration, moment.clock) : object.moment(value)?.instant
      if (end !== undefined) yield { line, text, start: moment.instant, end }
    }
  }
}

/** DURATION says something else in a VFREEBUSY, and counts for nothing. */
export function overlapsFreeBusy(range: TimeRange, component: Outline, object: CalendarObject): boolean {
  const start = object.moment(lineNamed(component, 'DTSTART'))?.instant
  const end = object.moment(lineNamed(component, 'DTEND'))?.instant
  if (start !== undefined && end !== undefined) return range.from <= end && range.until > start
  return periodsOf(component, object).some((period) => range.from < period.end && range.until > period.start)
}

/** Whether an instance of a VEVENT, VTODO or VJOURNAL overlaps the range. */
export function overlapsInstance(range: TimeRange, instance: Instance, object: CalendarObject): boolean {
  const { name } = instance.component
  if (name === 'VTODO') return overlapsTodo(range, instance, object)
  return name === 'VEVENT' ? overlapsEvent(range, instance) : overlapsJournal(range, instance)
}
