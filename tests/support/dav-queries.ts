import { clockOfZone } from '../../src/dav/queries/clocks'
import { reportEffort } from '../../src/dav/queries/effort'
import { type CalendarFilter, readCalendarFilter, readRange } from '../../src/dav/queries/calendar-filter'
import { matchesCalendar } from '../../src/dav/queries/calendar-match'
import { readCalendarObject } from '../../src/dav/queries/object'
import type { XmlElement } from '../../src/lib/xml/element'

/** What the tests of queries over texts share. */

type Attributes = Readonly<Record<string, string>>

const namespaced =
  (namespace: string) =>
  (
    local: string,
    attributes: Attributes = {},
    ...inside: ReadonlyArray<XmlElement | string>
  ): XmlElement => ({
    name: `{urn:ietf:params:xml:ns:${namespace}}${local}`,
    attributes: new Map(Object.entries(attributes)),
    children: inside.filter((one) => typeof one !== 'string'),
    text: inside.filter((one) => typeof one === 'string').join(''),
  })

export const cal = namespaced('caldav')
export const card = namespaced('carddav')

/** A text with the lines that programs write. */
export const text = (...lines: readonly string[]): string => lines.map((line) => `${line}\r\n`).join('')

export const calendarText = (...lines: readonly string[]): string =>
  text('BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...lines, 'END:VCALENDAR')

export const component = (name: string, ...lines: readonly string[]): string =>
  calendarText(`BEGIN:${name}`, 'UID:one', ...lines, `END:${name}`)

export const objectOf = (source: string, zone = 'UTC', effort = reportEffort()) =>
  readCalendarObject(source, { floating: clockOfZone(zone) }, effort)

/** A range such as `20260301T000000Z`. */
export const rangeElement = (start?: string, end?: string, name = 'time-range') =>
  cal(name, { ...(start !== undefined && { start }), ...(end !== undefined && { end }) })

export function rangeOf(start: string, end: string) {
  const range = readRange(rangeElement(start, end))
  if (!range) throw new Error('no range')
  return range
}

/** A filter for VCALENDAR with these conditions. */
export const filterElement = (...conditions: readonly XmlElement[]) =>
  cal('filter', {}, cal('comp-filter', { name: 'VCALENDAR' }, ...conditions))

export function filterOf(...conditions: readonly XmlElement[]): CalendarFilter {
  const read = readCalendarFilter(filterElement(...conditions))
  if ('precondition' in read) throw new Error(read.problem)
  return read
}

export const matches = (source: string, filter: CalendarFilter, zone = 'UTC'): boolean =>
  matchesCalendar(filter, objectOf(source, zone))

/** Whether the component of that name matches a time-range, where floating times count by `zone`. */
export const inRangeOf =
  (zone: string) =>
  (source: string, name: string, start?: string, end?: string): boolean =>
    matches(source, filterOf(cal('comp-filter', { name }, rangeElement(start, end))), zone)

export const inRange = inRangeOf('UTC')
