import { describe, expect, test } from 'bun:test'
import { cal, component, filterOf, inRange, matches, rangeElement } from '../../support/dav-queries'

/** Seconds around these times, which all rows use: from 10:00 to 11:00. */
const [START, END] = ['20260310T100000Z', '20260310T110000Z']

type Row = readonly [title: string, lines: readonly string[], ranges: readonly Case[]]
type Case = readonly [start: string | undefined, end: string | undefined, isIn: boolean]

const at = (time: string) => `20260310T${time}Z`

/** A span from 10:00 to 11:00 with an exclusive end. */
const SPAN: readonly Case[] = [
  [at('110000'), at('120000'), false],
  [at('105959'), at('120000'), true],
  [at('090000'), at('100000'), false],
  [at('090000'), at('100001'), true],
  [at('102000'), at('102001'), true],
  [undefined, at('100000'), false],
  [undefined, at('100001'), true],
  [at('110000'), undefined, false],
  [at('105959'), undefined, true],
]

/** A point at 10:00. */
const POINT: readonly Case[] = [
  [at('100000'), at('100001'), true],
  [at('100001'), at('110000'), false],
  [at('090000'), at('100000'), false],
  [at('090000'), at('100001'), true],
  [undefined, at('100000'), false],
  [at('100000'), undefined, true],
  [at('100001'), undefined, false],
]

const DAY: readonly Case[] = [
  ['20260311T000000Z', '20260312T000000Z', false],
  ['20260310T235959Z', '20260312T000000Z', true],
  ['20260309T000000Z', '20260310T000000Z', false],
  ['20260309T000000Z', '20260310T000001Z', true],
]

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  VEVENT: [
    ['with DTEND', [`DTSTART:${START}`, `DTEND:${END}`], SPAN],
    ['with DURATION above zero', [`DTSTART:${START}`, 'DURATION:PT1H'], SPAN],
    ['with DURATION of zero', [`DTSTART:${START}`, 'DURATION:PT0S'], POINT],
    ['with a time alone', [`DTSTART:${START}`], POINT],
    ['with a day alone', ['DTSTART;VALUE=DATE:20260310'], DAY],
  ],
  VTODO: [
    [
      'with DTSTART and DURATION',
      [`DTSTART:${START}`, 'DURATION:PT1H'],
      [
        [at('110000'), at('120000'), true],
        [at('110001'), at('120000'), false],
        [at('090000'), at('100000'), false],
        [at('090000'), at('100001'), true],
      ],
    ],
    [
      'with DTSTART and DURATION of zero, up to the end of the range',
      [`DTSTART:${START}`, 'DURATION:PT0S'],
      [
        [at('090000'), at('100000'), true],
        [at('100000'), at('110000'), true],
        [at('100001'), at('110000'), false],
      ],
    ],
    [
      'with DTSTART and DUE',
      [`DTSTART:${START}`, `DUE:${END}`],
      [
        [at('110000'), at('120000'), false],
        [at('105959'), at('120000'), true],
        [at('090000'), at('100000'), false],
        [at('090000'), at('100001'), true],
      ],
    ],
    [
      'with DTSTART and the same DUE',
      [`DTSTART:${START}`, `DUE:${START}`],
      [
        [at('100000'), at('110000'), true],
        [at('090000'), at('100000'), true],
        [at('100001'), at('110000'), false],
        [at('090000'), at('095959'), false],
      ],
    ],
    ['with DTSTART alone', [`DTSTART:${START}`], POINT],
    [
      'with DUE alone',
      [`DUE:${START}`],
      [
        [at('100000'), at('110000'), false],
        [at('095959'), at('110000'), true],
        [at('090000'), at('100000'), true],
        [at('090000'), at('095959'), false],
      ],
    ],
    [
      'with COMPLETED and CREATED',
      [`CREATED:${START}`, `COMPLETED:${END}`],
      [
        [at('110000'), at('120000'), true],
        [at('110001'), at('120000'), false],
        [at('090000'), at('100000'), true],
        [at('090000'), at('095959'), false],
        [at('102000'), at('102001'), true],
      ],
    ],
    [
      'with COMPLETED alone',
      [`COMPLETED:${START}`],
      [
        [at('100000'), at('110000'), true],
        [at('100001'), at('110000'), false],
        [at('090000'), at('100000'), true],
        [at('090000'), at('095959'), false],
      ],
    ],
    [
      'with CREATED alone',
      [`CREATED:${START}`],
      [
        [at('090000'), at('100000'), false],
        [at('090000'), at('100001'), true],
        [at('230000'), at('235959'), true],
      ],
    ],
    ['without dates', ['SUMMARY:Some day'], [[at('090000'), at('090001'), true]]],
  ],
  VJOURNAL: [
    ['with a time', [`DTSTART:${START}`], POINT],
    ['with a day', ['DTSTART;VALUE=DATE:20260310'], DAY],
    ['without DTSTART', ['SUMMARY:Thoughts'], [['19000101T000000Z', undefined, false]]],
  ],
  VFREEBUSY: [
    [
      'with DTSTART and DTEND, whose end is inclusive',
      [`DTSTART:${START}`, `DTEND:${END}`, 'FREEBUSY:20200101T000000Z/PT1H'],
      [
        [at('110000'), at('120000'), true],
        [at('110001'), at('120000'), false],
        [at('090000'), at('100000'), false],
        [at('090000'), at('100001'), true],
      ],
    ],
    ['with periods alone', [`FREEBUSY:20260310T100500Z/PT1M,${START}/${END}`], SPAN],
    ['with a period by its duration', [`FREEBUSY;FBTYPE=FREE:${START}/PT1H`], SPAN],
    ['with neither', ['DURATION:PT1H'], [['19000101T000000Z', undefined, false]]],
  ],
}

for (const [name, rows] of Object.entries(ROWS)) {
  describe(`a ${name}`, () => {
    for (const [title, lines, ranges] of rows) {
      test(`${title} overlaps the ranges that RFC 4791 says`, () => {
        const found = ranges.map(([start, end]) => [
          start,
          end,
          inRange(component(name, ...lines), name, start, end),
        ])
        expect(found).toEqual(ranges.map((one) => [...one]))
      })
    }
  })
}

describe('an alarm', () => {
  const alarm = (trigger: string, ...more: string[]) => [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    trigger,
    ...more,
    'END:VALARM',
  ]
  const triggers = (source: string, name: string, start: string, end: string) =>
    matches(
      source,
      filterOf(
        cal('comp-filter', { name }, cal('comp-filter', { name: 'VALARM' }, rangeElement(start, end))),
      ),
    )
  const event = (...lines: string[]) => component('VEVENT', `DTSTART:${START}`, `DTEND:${END}`, ...lines)

  test('relative to the start triggers at that point', () => {
    const source = event(...alarm('TRIGGER:-PT15M'))
    expect(triggers(source, 'VEVENT', at('094500'), at('094501'))).toBe(true)
    expect(triggers(source, 'VEVENT', at('090000'), at('094500'))).toBe(false)
    expect(triggers(source, 'VEVENT', at('094501'), at('120000'))).toBe(false)
  })

  test('relative to the end triggers from there', () => {
    const source = event(...alarm('TRIGGER;RELATED=END:PT5M'))
    expect(triggers(source, 'VEVENT', at('110500'), at('110501'))).toBe(true)
    expect(triggers(source, 'VEVENT', at('100000'), at('110500'))).toBe(false)
  })

  test('at an instant triggers there, wherever the event is', () => {
    const source = event(...alarm('TRIGGER;VALUE=DATE-TIME:20260101T080000Z'))
    expect(triggers(source, 'VEVENT', '20260101T080000Z', '20260101T080001Z')).toBe(true)
    expect(triggers(source, 'VEVENT', at('000000'), at('235959'))).toBe(false)
  })

  test('that repeats triggers each time, and no more often', () => {
    const source = event(...alarm('TRIGGER:-PT15M', 'REPEAT:2', 'DURATION:PT10M'))
    for (const time of ['094500', '095500', '100500']) {
      expect(triggers(source, 'VEVENT', at(time), at(`${time.slice(0, 5)}1`))).toBe(true)
    }
    expect(triggers(source, 'VEVENT', at('094501'), at('095500'))).toBe(false)
    expect(triggers(source, 'VEVENT', at('100501'), at('235959'))).toBe(false)
  })

  test('of a series triggers for each occurrence that has it', () => {
    const source = component('VEVENT', `DTSTART:${START}`, 'RRULE:FREQ=WEEKLY', ...alarm('TRIGGER:-P1D'))
    expect(triggers(source, 'VEVENT', '20400312T100000Z', '20400312T100001Z')).toBe(true)
    expect(triggers(source, 'VEVENT', '20400305T100001Z', '20400312T100000Z')).toBe(false)
    expect(triggers(source, 'VEVENT', '20260316T100000Z', '20260316T100001Z')).toBe(true)
  })

  test('of a todo without a start counts from when it is due', () => {
    const source = component('VTODO', `DUE:${START}`, ...alarm('TRIGGER:-PT15M'))
    expect(triggers(source, 'VTODO', at('094500'), at('094501'))).toBe(true)
  })
})

describe('a property', () => {
  const ranged = (name: string, source: string, start: string, end: string) => {
    const kind = source.includes('BEGIN:VTODO') ? 'VTODO' : 'VEVENT'
    const property = cal('prop-filter', { name }, rangeElement(start, end))
    return matches(source, filterOf(cal('comp-filter', { name: kind }, property)))
  }

  test.each(['COMPLETED', 'CREATED', 'DTEND', 'DTSTAMP', 'DTSTART', 'DUE', 'LAST-MODIFIED'])(
    '%s is in a range from its start, and not at its end',
    (name) => {
      const source = component('VTODO', `${name}:${START}`)
      expect(ranged(name, source, at('100000'), at('100001'))).toBe(true)
      expect(ranged(name, source, at('090000'), at('100000'))).toBe(false)
      expect(ranged(name, source, at('100001'), at('110000'))).toBe(false)
    },
  )

  test('DTEND or DUE that only DURATION says counts as if it were there', () => {
    const lines = [`DTSTART:${START}`, 'DURATION:PT1H']
    expect(ranged('DTEND', component('VEVENT', ...lines), at('110000'), at('110001'))).toBe(true)
    expect(ranged('DUE', component('VTODO', ...lines), at('110000'), at('110001'))).toBe(true)
    expect(ranged('DUE', component('VEVENT', ...lines), at('110000'), at('110001'))).toBe(false)
  })
})
