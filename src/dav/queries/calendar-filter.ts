import { childOf, type XmlElement } from '../../lib/xml/element'
import type { QueryProblem } from './effort'
import { readWall, type TimeRange } from './moments'
import { readTextMatch, type TextMatch } from './text-match'

/** Reads a CALDAV:filter (RFC 4791, section 9.7). */

/** A CALDAV:comp-filter. */
export interface ComponentFilter {
  /** In upper case. */
  readonly name: string
  readonly isNotDefined: boolean
  readonly range: TimeRange | undefined
  readonly properties: readonly PropertyFilter[]
  readonly components: readonly ComponentFilter[]
}

/** A CALDAV:prop-filter. */
export interface PropertyFilter {
  /** In upper case. */
  readonly name: string
  readonly isNotDefined: boolean
  readonly range: TimeRange | undefined
  readonly text: TextMatch | undefined
  readonly params: readonly ParamFilter[]
}

export interface ParamFilter {
  /** In upper case. */
  readonly name: string
  readonly isNotDefined: boolean
  readonly text: TextMatch | undefined
}

/** The comp-filter for VCALENDAR. */
export type CalendarFilter = ComponentFilter

export const caldav = (local: string): string => `{urn:ietf:params:xml:ns:caldav}${local}`

/** Ends the reading of a query. */
class Unreadable extends Error {
  override name = 'Unreadable'
  readonly reason: QueryProblem

  constructor(precondition: QueryProblem['precondition'], problem: string) {
    super(problem)
    this.reason = { precondition, problem }
  }
}

/** @throws {Unreadable} */
const invalid = (problem: string): never => {
  throw new Unreadable('valid-filter', problem)
}

/** @throws {Unreadable} */
const unsupported = (problem: string): never => {
  throw new Unreadable('supported-filter', problem)
}

/** The result of `read`, or why it ended. */
export function readable<Value>(read: () => Value): Value | QueryProblem {
  try {
    return read()
  } catch (error) {
    if (error instanceof Unreadable) return error.reason
    throw error
  }
}

/** More than any program sends. */
const MAX_FILTERS = 200
const MAX_DEPTH = 8

/** @throws {Unreadable} */
export function refuseTooMany(element: XmlElement): void {
  let count = 0
  for (let level: readonly XmlElement[] = [element], depth = 0; level.length > 0; depth++) {
    count += level.length
    if (count > MAX_FILTERS) unsupported(`A filter has at most ${MAX_FILTERS} elements.`)
    if (depth > MAX_DEPTH) unsupported('The filter is nested too deeply.')
    level = level.flatMap(({ children }) => children)
  }
}

/** @throws {Unreadable} */
export function nameOf(element: XmlElement): string {
  const name = element.attributes.get('name')?.trim().toUpperCase() ?? ''
  return name === '' ? invalid('A filter has no name.') : name
}

/** @throws {Unreadable} */
export function textOf(element: XmlElement, usual: TextMatch['collation']): TextMatch {
  const read = readTextMatch(element, usual)
  if ('precondition' in read) throw new Unreadable(read.precondition, read.problem)
  return read
}

function bound(text: string | undefined, open: number): number | undefined {
  if (text === undefined) return open
  const read = readWall(text)
  return read?.form === 'utc' ? read.wall : undefined
}

/** Reads the attributes of a CALDAV:time-range and its like; undefined for a range without sense. */
export function readRange({ attributes }: XmlElement): TimeRange | undefined {
  const from = bound(attributes.get('start'), -Infinity)
  const until = bound(attributes.get('end'), Infinity)
  if (from === undefined || until === undefined || from >= until) return undefined
  return from === -Infinity && until === Infinity ? undefined : { from, until }
}

const rangeOf = (element: XmlElement | undefined): TimeRange | undefined =>
  element && (readRange(element) ?? invalid('A time-range has a start before its end, both in UTC.'))

const isNotDefined = (element: XmlElement, namespace: (local: string) => string) =>
  childOf(element, namespace('is-not-defined')) !== undefined

/** @throws {Unreadable} for an element with children that contradict each other, or that have no meaning there. */
export function refuseOthers(element: XmlElement, allowed: readonly string[], undefinedName: string): void {
  for (const { name } of element.children) {
    if (!allowed.includes(name) && name !== undefinedName)
      invalid('An element has no place in a filter there.')
  }
  if (element.children.some(({ name }) => name === undefinedName) && element.children.length > 1) {
    invalid('What is not defined has no further conditions.')
  }
}

/** @throws {Unreadable} */
export function readParamFilter(
  element: XmlElement,
  namespace: (local: string) => string,
  usual: TextMatch['collation'],
): ParamFilter {
  refuseOthers(element, [namespace('text-match')], namespace('is-not-defined'))
  const [text, ...more] = element.children.filter(({ name }) => name === namespace('text-match'))
  if (more.length > 0) invalid('A param-filter has one text-match.')
  return {
    name: nameOf(element),
    isNotDefined: isNotDefined(element, namespace),
    text: text && textOf(text, usual),
  }
}

const RANGED = ['COMPLETED', 'CREATED', 'DTEND', 'DTSTAMP', 'DTSTART', 'DUE', 'LAST-MODIFIED']
/** Times for which RFC 4791 does not say what overlaps. */
const OTHER_TIMES = /^(?:X-.*|RECURRENCE-ID|EXDATE|RDATE|TRIGGER|ACKNOWLEDGED|FREEBUSY)$/

function rangeOfProperty(name: string, element: XmlElement | undefined): TimeRange | undefined {
  const range = rangeOf(element)
  if (!range || RANGED.includes(name)) return range
  const problem = 'A time-range has no meaning for this property.'
  return OTHER_TIMES.test(name) ? unsupported(problem) : invalid(problem)
}

function readProperty(element: XmlElement): PropertyFilter {
  const [ranged, text, param] = [caldav('time-range'), caldav('text-match'), caldav('param-filter')]
  refuseOthers(element, [ranged, text, param], caldav('is-not-defined'))
  const conditions = element.children.filter((child) => child.name === ranged || child.name === text)
  if (conditions.length > 1) invalid('A prop-filter has one time-range or one text-match.')
  const name = nameOf(element)
  const match = childOf(element, text)
  return {
    name,
    isNotDefined: isNotDefined(element, caldav),
    range: rangeOfProperty(name, childOf(element, ranged)),
    text: match && textOf(match, 'i;ascii-casemap'),
    params: element.children
      .filter((child) => child.name === param)
      .map((child) => readParamFilter(child, caldav, 'i;ascii-casemap')),
  }
}

const TOP = ['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY']
/** The components that each may hold; any name is allowed within others. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  VCALENDAR: [...TOP, 'VTIMEZONE', 'VAVAILABILITY'],
  VEVENT: ['VALARM'],
  VTODO: ['VALARM'],
  VJOURNAL: [],
  VFREEBUSY: [],
  VALARM: [],
  VTIMEZONE: ['STANDARD', 'DAYLIGHT'],
}

function readComponent(element: XmlElement, parent: string): ComponentFilter {
  const [ranged, property, inner] = [caldav('time-range'), caldav('prop-filter'), caldav('comp-filter')]
  refuseOthers(element, [ranged, property, inner], caldav('is-not-defined'))
  const name = nameOf(element)
  const isKnown = PLACES[name] !== undefined
  if (isKnown && PLACES[parent] && !PLACES[parent].includes(name)) {
    invalid(`${name} has no place in ${parent}.`)
  }
  const range = rangeOf(childOf(element, ranged))
  // A query over all kinds of components sends its range beside them.
  const mayHaveRange = [...TOP, 'VALARM', 'VCALENDAR'].includes(name)
  if (range && !mayHaveRange) unsupported('A time-range has no meaning for this component.')
  const all = (wanted: string) => element.children.filter((child) => child.name === wanted)
  return {
    name,
    isNotDefined: isNotDefined(element, caldav),
    range,
    properties: all(property).map(readProperty),
    components: all(inner).map((child) => readComponent(child, name)),
  }
}

/** Reads a CALDAV:filter. */
export const readCalendarFilter = (filter: XmlElement): CalendarFilter | QueryProblem =>
  readable(() => {
    refuseTooMany(filter)
    const [only, ...more] = filter.children
    if (!only || more.length > 0 || only.name !== caldav('comp-filter') || nameOf(only) !== 'VCALENDAR') {
      return invalid('A filter has one comp-filter, for VCALENDAR.')
    }
    return readComponent(only, '')
  })
