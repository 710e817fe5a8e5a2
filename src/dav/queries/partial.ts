/** Parts of objects: CALDAV:comp and CALDAV:prop (RFC 4791, section 9.6), CARDDAV:prop (RFC 6352, section 10.4). */

import {
  isComponent,
  lineEndOf,
  type Outline,
  type OutlineLine,
  rawHeadOf,
  rawOf,
  readOutline,
} from '../../lib/icalendar/outline'
import type { XmlElement } from '../../lib/xml/element'
import { caldav } from './calendar-filter'

/** The lines of a component that are asked for, by name in upper case; undefined for all. */
type PropertySelection = ReadonlyMap<string, { readonly noValue: boolean }> | undefined

/** What is asked for of a component. */
export interface ComponentSelection {
  /** In upper case. */
  readonly name: string
  readonly properties: PropertySelection
  /** By name; undefined for all, whole. */
  readonly components: ReadonlyMap<string, ComponentSelection> | undefined
}

const nameOf = ({ attributes }: XmlElement) => attributes.get('name')?.trim().toUpperCase() ?? ''

const propertiesOf = (elements: readonly XmlElement[]): PropertySelection =>
  new Map(elements.map((one) => [nameOf(one), { noValue: one.attributes.get('novalue') === 'yes' }]))

const MAX_DEPTH = 8

/** A comp that says nothing asks for everything in it. */
function readComponent(element: XmlElement, depth: number): ComponentSelection {
  const { children } = element
  const named = (local: string) => children.filter(({ name }) => name === caldav(local))
  const isWhole = children.length === 0 || depth > MAX_DEPTH
  const inner = named('comp').map((child) => readComponent(child, depth + 1))
  return {
    name: nameOf(element),
    properties: isWhole || named('allprop').length > 0 ? undefined : propertiesOf(named('prop')),
    components:
      isWhole || named('allcomp').length > 0 ? undefined : new Map(inner.map((one) => [one.name, one])),
  }
}

/** The comp of a CALDAV:calendar-data; undefined when it asks for the whole object. */
export function readCalendarParts(calendarData: XmlElement): ComponentSelection | undefined {
  const comp = calendarData.children.find(({ name }) => name === caldav('comp'))
  return comp && readComponent(comp, 0)
}

function lineText(line: OutlineLine, properties: PropertySelection): string {
  if (!properties) return line.raw
  const asked = properties.get(line.name)
  if (!asked) return ''
  return asked.noValue ? rawHeadOf(line) + lineEndOf(line.raw) : line.raw
}

function componentText(component: Outline, { properties, components }: ComponentSelection): string {
  const own = component.entries.map((entry) => {
    if (!isComponent(entry)) return lineText(entry, properties)
    if (!components) return rawOf(entry)
    const asked = components.get(entry.name)
    return asked ? componentText(entry, asked) : ''
  })
  return component.begin + own.join('') + component.end
}

/** The parts of a calendar object that are asked for, byte for byte; of an expanded one alike. */
export const partOfCalendar = (text: string, selection: ComponentSelection): string =>
  readOutline(text)
    .parts.filter(({ name }) => name === selection.name)
    .map((calendar) => componentText(calendar, selection))
    .join('')

const carddav = (local: string) => `{urn:ietf:params:xml:ns:carddav}${local}`

/** The properties that a CARDDAV:address-data asks for; undefined when it asks for all. */
export function readCardParts({ children }: XmlElement): PropertySelection {
  const asked = children.filter(({ name }) => name === carddav('prop'))
  const isAll = asked.length === 0 || children.some(({ name }) => name === carddav('allprop'))
  return isAll ? undefined : propertiesOf(asked)
}

/** The lines of a card that are asked for, byte for byte, with VERSION, without which it would be none. */
export function partOfCard(text: string, properties: PropertySelection): string {
  if (!properties) return text
  const asked = new Map([['VERSION', { noValue: false }], ...properties])
  return readOutline(text)
    .parts.map((card) => componentText(card, { name: card.name, properties: asked, components: new Map() }))
    .join('')
}
