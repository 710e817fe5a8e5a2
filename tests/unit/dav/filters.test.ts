import { describe, expect, test } from 'bun:test'
import { clockOfTimezone } from '../../../src/dav/queries/clocks'
import { readCalendarFilter } from '../../../src/dav/queries/calendar-filter'
import { preselectionOf } from '../../../src/dav/queries/preselection'
import type { XmlElement } from '../../../src/lib/xml/element'
import {
  cal,
  calendarText,
  component,
  filterElement,
  filterOf,
  matches,
  rangeElement,
  text,
} from '../../support/dav-queries'

const EVENT = component(
  'VEVENT',
  'DTSTART:20260310T100000Z',
  'SUMMARY:Straße nach Zürich\\, zu',
  '  Fuß',
  'Categories:Work,Two\\, words,ÉTÉ',
  'ATTENDEE;PARTSTAT=NEEDS-ACTION;CN="Jane; Doe":mailto:jane@example.com',
  'ATTENDEE;partstat=ACCEPTED:mailto:joe@example.com',
  'BEGIN:VALARM',
  'ACTION:AUDIO',
  'TRIGGER:-PT5M',
  'END:VALARM',
)

const event = (...conditions: readonly XmlElement[]) => cal('comp-filter', { name: 'vevent' }, ...conditions)
const property = (name: string, ...conditions: readonly XmlElement[]) =>
  cal('prop-filter', { name }, ...conditions)
const none = cal('is-not-defined')
const contains = (wanted: string, attributes = {}) => cal('text-match', attributes, wanted)
const finds = (...conditions: readonly XmlElement[]) => matches(EVENT, filterOf(event(...conditions)))

describe('a calendar filter', () => {
  test('asks for components, and for their absence', () => {
    expect(matches(EVENT, filterOf())).toBe(true)
    expect(matches(EVENT, filterOf(event()))).toBe(true)
    expect(matches(EVENT, filterOf(cal('comp-filter', { name: 'VTODO' })))).toBe(false)
    expect(matches(EVENT, filterOf(cal('comp-filter', { name: 'VTODO' }, none)))).toBe(true)
    expect(finds(cal('comp-filter', { name: 'VALARM' }))).toBe(true)
    expect(finds(cal('comp-filter', { name: 'VALARM' }, none))).toBe(false)
    expect(finds(cal('comp-filter', { name: 'VALARM' }, property('ACTION', contains('display'))))).toBe(false)
  })

  test('asks for properties, and for their absence, in any case', () => {
    expect(finds(property('summary'))).toBe(true)
    expect(finds(property('CATEGORIES'))).toBe(true)
    expect(finds(property('LOCATION'))).toBe(false)
    expect(finds(property('LOCATION', none))).toBe(true)
    expect(finds(property('SUMMARY', none))).toBe(false)
    expect(finds(property('SUMMARY'), property('LOCATION'))).toBe(false)
  })

  test('finds texts inside unfolded and unescaped values', () => {
    expect(finds(property('SUMMARY', contains('zürich, zu fu')))).toBe(true)
    expect(finds(property('SUMMARY', contains('zürich; zu')))).toBe(false)
    expect(
      matches(EVENT.replaceAll('\r\n', '\n'), filterOf(event(property('SUMMARY', contains('zu fu'))))),
    ).toBe(true)
  })

  test('compares by the collation that it names', () => {
    const by = (collation: string, wanted: string) =>
      finds(property('SUMMARY', contains(wanted, { collation })))
    expect(by('i;ascii-casemap', 'STRAßE')).toBe(true)
    expect(by('default', 'ZüRICH')).toBe(true)
    expect(by('i;ascii-casemap', 'ZÜRICH')).toBe(false)
    expect(by('i;unicode-casemap', 'ZÜRICH')).toBe(true)
    expect(by('i;unicode-casemap', 'zu\u0308rich')).toBe(true)
    expect(by('i;octet', 'Zürich')).toBe(true)
    expect(by('i;octet', 'zürich')).toBe(false)
  })

  test('compares each value of a list, and negates all of them', () => {
    expect(finds(property('CATEGORIES', contains('two, words')))).toBe(true)
    expect(finds(property('CATEGORIES', contains('work,two')))).toBe(false)
    expect(finds(property('CATEGORIES', contains('été', { collation: 'i;unicode-casemap' })))).toBe(true)
    expect(finds(property('CATEGORIES', contains('work', { 'negate-condition': 'yes' })))).toBe(false)
    expect(finds(property('CATEGORIES', contains('home', { 'negate-condition': 'yes' })))).toBe(true)
  })

  test('asks for parameters of the very line that matches', () => {
    const attendee = (wanted: string, ...conditions: readonly XmlElement[]) =>
      finds(property('ATTENDEE', contains(wanted), cal('param-filter', { name: 'Partstat' }, ...conditions)))
    expect(attendee('jane', contains('needs-action'))).toBe(true)
    expect(attendee('joe', contains('needs-action'))).toBe(false)
    expect(attendee('joe', contains('needs-action', { 'negate-condition': 'yes' }))).toBe(true)
    expect(attendee('joe', none)).toBe(false)
    expect(finds(property('ATTENDEE', cal('param-filter', { name: 'CN' }, contains('jane; doe'))))).toBe(true)
    expect(finds(property('ATTENDEE', contains('joe'), cal('param-filter', { name: 'CN' }, none)))).toBe(true)
  })

  test('wants the time and the text of one and the same component', () => {
    const source = calendarText(
      'BEGIN:VEVENT',
      'UID:one',
      'DTSTART:20260301T100000Z',
      'RRULE:FREQ=DAILY',
      'SUMMARY:Usual',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:one',
      'RECURRENCE-ID:20260305T100000Z',
      'DTSTART:20260305T100000Z',
      'SUMMARY:Special',
      'END:VEVENT',
    )
    const on = (day: string, wanted: string) =>
      matches(
        source,
        filterOf(
          event(
            rangeElement(`202603${day}T000000Z`, `202603${day}T230000Z`),
            property('SUMMARY', contains(wanted)),
          ),
        ),
      )
    expect([on('05', 'special'), on('05', 'usual'), on('06', 'special'), on('06', 'usual')]).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  test('with a range for the whole calendar asks for any component in it', () => {
    expect(matches(EVENT, filterOf(rangeElement('20260310T100000Z', '20260310T110000Z')))).toBe(true)
    expect(matches(EVENT, filterOf(rangeElement('20260311T100000Z')))).toBe(false)
  })
})

describe('a filter that says nothing sensible', () => {
  const refusal = (element: XmlElement): string | undefined => {
    const read = readCalendarFilter(element)
    return 'precondition' in read ? read.precondition : undefined
  }
  const todo = cal('comp-filter', { name: 'VTODO' })
  const deep = (depth: number): XmlElement =>
    cal('comp-filter', { name: 'X-A' }, ...(depth > 0 ? [deep(depth - 1)] : []))

  test.each<[string, XmlElement, string]>([
    ['without a component', cal('filter'), 'valid-filter'],
    ['for another one than the calendar', cal('filter', {}, event()), 'valid-filter'],
    [
      'with an event in a todo',
      filterElement(cal('comp-filter', { name: 'VTODO' }, event())),
      'valid-filter',
    ],
    [
      'with a range of a text',
      filterElement(event(property('SUMMARY', rangeElement('20260310T100000Z')))),
      'valid-filter',
    ],
    [
      'with a range of a time that RFC 4791 leaves out',
      filterElement(event(property('RDATE', rangeElement('20260310T100000Z')))),
      'supported-filter',
    ],
    [
      'with a range of a zone',
      filterElement(cal('comp-filter', { name: 'VTIMEZONE' }, rangeElement('20260310T100000Z'))),
      'supported-filter',
    ],
    ['with a range without a bound', filterElement(event(rangeElement())), 'valid-filter'],
    [
      'with a range that ends at its start',
      filterElement(event(rangeElement('20260310T100000Z', '20260310T100000Z'))),
      'valid-filter',
    ],
    ['with a local time', filterElement(event(rangeElement('20260310T100000'))), 'valid-filter'],
    ['without a name', filterElement(cal('comp-filter')), 'valid-filter'],
    ['with a condition on what is absent', filterElement(event(none, property('SUMMARY'))), 'valid-filter'],
    [
      'with an unknown collation',
      filterElement(event(property('SUMMARY', contains('a', { collation: 'i;basic' })))),
      'supported-collation',
    ],
    [
      'with an unknown negation',
      filterElement(event(property('SUMMARY', contains('a', { 'negate-condition': 'maybe' })))),
      'valid-filter',
    ],
    ['that is nested deeply', filterElement(deep(30)), 'supported-filter'],
    [
      'with thousands of conditions',
      filterElement(...Array.from({ length: 6000 }, () => todo)),
      'supported-filter',
    ],
    ['with another element', filterElement(cal('expand')), 'valid-filter'],
  ])('%s is refused', (_, element, precondition) => {
    expect(refusal(element)).toBe(precondition)
  })
})

test('a filter tells a database what to look for', () => {
  const day = 86_400_000
  expect(preselectionOf(filterOf(event(rangeElement('20260310T000000Z', '20260311T000000Z'))))).toEqual({
    component: 'VEVENT',
    from: new Date(Date.UTC(2026, 2, 10) - 2 * day),
    until: new Date(Date.UTC(2026, 2, 11) + 2 * day),
    isEmpty: false,
  })
  expect(preselectionOf(filterOf(cal('comp-filter', { name: 'VTODO' }, none)))).toMatchObject({
    component: undefined,
    isEmpty: false,
  })
  expect(preselectionOf(filterOf(event(rangeElement('20260310T000000Z'))))).toMatchObject({
    until: undefined,
  })
  expect(preselectionOf(filterOf(event(), cal('comp-filter', { name: 'VTODO' })))).toMatchObject({
    isEmpty: true,
  })
})

test('a filter up to the last year has no end, as a database reads no later year', () => {
  const filter = filterOf(event(rangeElement('20260310T000000Z', '99991231T235959Z')))
  expect(preselectionOf(filter)).toMatchObject({ component: 'VEVENT', until: undefined })
})

test('the time zone of a query is the one that its calendar defines', () => {
  const zone = (...lines: string[]) => text('BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR')
  const berlin = clockOfTimezone(zone('BEGIN:VTIMEZONE', 'TZID:Europe/Berlin', 'END:VTIMEZONE'))
  expect(berlin?.instantAt(Date.UTC(2026, 6, 1, 12))).toBe(Date.UTC(2026, 6, 1, 10))
  expect(clockOfTimezone(zone())).toBeUndefined()
  expect(clockOfTimezone('nonsense')).toBeUndefined()
})
