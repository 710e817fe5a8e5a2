import { describe, expect, test } from 'bun:test'
import { freeBusy } from '../../../src/dav/queries/free-busy'
import {
  partOfCalendar,
  partOfCard,
  readCalendarParts,
  readCardParts,
} from '../../../src/dav/queries/partial'
import { isComponent, rawOf, readOutline } from '../../../src/lib/icalendar/outline'
import type { XmlElement } from '../../../src/lib/xml/element'
import { cal, calendarText, card, component, objectOf, rangeOf, text } from '../../support/dav-queries'

const ZONE = [
  'BEGIN:VTIMEZONE',
  'TZID:Here',
  'BEGIN:STANDARD',
  'TZOFFSETTO:+0100',
  'END:STANDARD',
  'END:VTIMEZONE',
]
const LINES = ['UID:one', 'summary;LANGUAGE=en;X-A="b:', ' c":Folded', '  text', 'DTSTART:20260301T000000Z']
const ALARM = ['BEGIN:VALARM', 'ACTION:AUDIO', 'END:VALARM']
const SOURCE = calendarText(...ZONE, 'BEGIN:VEVENT', ...LINES, ...ALARM, 'END:VEVENT')

describe('a part of a calendar object', () => {
  const part = (source: string, ...inside: readonly XmlElement[]) => {
    const selection = readCalendarParts(
      cal('calendar-data', {}, cal('comp', { name: 'VCALENDAR' }, ...inside)),
    )
    return selection && partOfCalendar(source, selection)
  }
  const prop = (name: string, attributes = {}) => cal('prop', { name, ...attributes })
  const wrapped = (...lines: readonly string[]) => text('BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR')

  test('has the lines that are asked for byte for byte, in their order', () => {
    const asked = [prop('Version'), cal('comp', { name: 'vevent' }, prop('SUMMARY'), prop('UID'))]
    const wanted = ['VERSION:2.0', 'BEGIN:VEVENT', ...LINES.slice(0, 4), 'END:VEVENT']
    expect(part(SOURCE, ...asked)).toBe(wrapped(...wanted))
    expect(part(SOURCE.replaceAll('\r\n', '\n'), ...asked)).toBe(wrapped(...wanted).replaceAll('\r\n', '\n'))
  })
  test('has a component whole that is named without more', () => {
    expect(part(SOURCE, cal('comp', { name: 'VTIMEZONE' }))).toBe(wrapped(...ZONE))
    expect(part(SOURCE)).toBe(SOURCE)
  })
  test('has all components, or all lines, where all are asked for', () => {
    const all = part(SOURCE, cal('allprop'), cal('comp', { name: 'VEVENT' }, cal('allcomp'), prop('UID')))
    expect(all).toBe(calendarText('BEGIN:VEVENT', 'UID:one', ...ALARM, 'END:VEVENT'))
  })
  test('has a line without its value where the value is not wanted', () => {
    const asked = cal('comp', { name: 'VEVENT' }, prop('SUMMARY', { novalue: 'yes' }))
    expect(part(SOURCE, asked)).toBe(wrapped('BEGIN:VEVENT', ...LINES.slice(1, 2), ' c":', 'END:VEVENT'))
  })
  test('is the whole object where no part is named', () => {
    expect(readCalendarParts(cal('calendar-data'))).toBeUndefined()
  })
})

test('a part of a card has its version, and the properties that are asked for with their groups', () => {
  const source = text(
    'BEGIN:VCARD',
    'VERSION:3.0',
    'FN:Jane',
    'item1.EMAIL;TYPE=work:a@b.c',
    'PHOTO;ENCODING=b:AAAA',
    ' BBBB',
    'END:VCARD',
  )
  const data = card(
    'address-data',
    {},
    card('prop', { name: 'email' }),
    card('prop', { name: 'PHOTO', novalue: 'yes' }),
  )
  expect(partOfCard(source, readCardParts(data))).toBe(
    text('BEGIN:VCARD', 'VERSION:3.0', 'item1.EMAIL;TYPE=work:a@b.c', 'PHOTO;ENCODING=b:', 'END:VCARD'),
  )
  expect(partOfCard(source, readCardParts(card('address-data')))).toBe(source)
})

test.each([
  SOURCE,
  SOURCE.replaceAll('\r\n', '\n'),
  'no calendar at all',
  '\n\nBEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:no end',
  'END:VCALENDAR\r\nBEGIN:\r\n:\r\n;\r\n',
  `\uFEFF${SOURCE}`,
  'BEGIN:A\n'.repeat(50_000),
  'BEGIN:A\n'.repeat(20) + 'END:A\n'.repeat(30),
])('the outline of text %# holds every byte of it', (source) => {
  const root = readOutline(source)
  expect(root.entries.map(rawOf).join('') === source).toBe(true)
  expect(root.parts.every(isComponent)).toBe(true)
})

describe('free and busy times', () => {
  const event = (start: string, end: string, ...more: readonly string[]) =>
    component('VEVENT', `DTSTART:202603${start}Z`, `DTEND:202603${end}Z`, ...more)
  const periods = async (...sources: readonly string[]) => {
    const range = rangeOf('20260301T000000Z', '20260308T000000Z')
    const found = await freeBusy(
      sources.map((one) => objectOf(one)),
      range,
      { uid: 'x', stamp: range.from, pause: async () => {} },
    )
    return [...found.matchAll(/^FREEBUSY(.*)\r$/gm)].map(([, value]) => value)
  }

  test('are merged, cut to the range, and told by their kind', async () => {
    expect(
      await periods(
        event('01T090000', '01T100000'),
        event('01T100000', '01T113000'),
        event('01T093000', '01T094500', 'STATUS:CONFIRMED'),
        event('02T090000', '02T100000', 'STATUS:TENTATIVE'),
        event('07T230000', '09T010000', 'TRANSP:OPAQUE'),
        event('03T090000', '03T100000', 'STATUS:CANCELLED'),
        event('04T090000', '04T100000', 'TRANSP:TRANSPARENT'),
        event('05T090000', '05T090000'),
        component('VTODO', 'DTSTART:20260305T090000Z', 'DUE:20260305T100000Z'),
        component(
          'VFREEBUSY',
          'FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260306T090000Z/PT1H',
          'FREEBUSY;FBTYPE=FREE:20260306T120000Z/PT1H',
        ),
      ),
    ).toEqual([
      ':20260301T090000Z/20260301T113000Z',
      ':20260307T230000Z/20260308T000000Z',
      ';FBTYPE=BUSY-TENTATIVE:20260302T090000Z/20260302T100000Z',
      ';FBTYPE=BUSY-UNAVAILABLE:20260306T090000Z/20260306T100000Z',
    ])
  })
  test('follow a series with its overrides', async () => {
    const source = calendarText(
      'BEGIN:VEVENT',
      'UID:one',
      'DTSTART;VALUE=DATE:20200302',
      'RRULE:FREQ=DAILY;INTERVAL=3',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:one',
      'RECURRENCE-ID;VALUE=DATE:20260305',
      'DTSTART;VALUE=DATE:20260305',
      'STATUS:CANCELLED',
      'END:VEVENT',
    )
    const days = (await periods(source)).map((one) => one?.slice(1, 9))
    const first = (Date.UTC(2026, 2, 1) - Date.UTC(2020, 2, 2)) / 86_400_000
    const wanted = [0, 1, 2, 3, 4, 5, 6].filter((day) => (first + day) % 3 === 0 && day !== 4)
    expect(days).toEqual(wanted.map((day) => `2026030${day + 1}`))
  })
  test('of nothing are an answer without periods', async () => {
    const range = rangeOf('20260301T000000Z', '20260302T000000Z')
    expect(await freeBusy([], range, { uid: 'x', stamp: range.from, pause: async () => {} })).toBe(
      calendarText(
        'BEGIN:VFREEBUSY',
        'UID:x',
        'DTSTAMP:20260301T000000Z',
        'DTSTART:20260301T000000Z',
        'DTEND:20260302T000000Z',
        'END:VFREEBUSY',
      ).replace('-//Test//EN', '-//Organiser//Organiser//EN'),
    )
  })
})
