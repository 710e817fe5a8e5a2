import { describe, expect, test } from 'bun:test'
import {
  calendar,
  exportOf,
  importer,
  importInto,
  newCalendar,
  twoYears,
  wrapped,
} from '../../../support/calendar-files'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const own = (zone?: string) => importer(h, zone)
const NINE = 'DTSTART:20260310T090000'
const named = (n: number) => [`UID:u${n}`, NINE, `SUMMARY:Event ${n}`]

describe('the import understands', () => {
  test.each([
    { lines: ['DTSTART;VALUE=DATE:20260310'], start: '2026-03-10', end: '2026-03-10' },
    { lines: ['DTSTART:20260310'], start: '2026-03-10', end: '2026-03-10' },
    {
      lines: ['DTSTART;VALUE=DATE:20260310', 'DTEND;VALUE=DATE:20260310'],
      start: '2026-03-10',
      end: '2026-03-10',
    },
    { lines: ['DTSTART;VALUE=DATE:20260310', 'DURATION:P2D'], start: '2026-03-10', end: '2026-03-11' },
    { lines: [NINE], start: '2026-03-10T09:00:00+01:00', end: '2026-03-10T09:00:00+01:00' },
    { lines: [NINE, 'DURATION:PT90M'], start: '2026-03-10T09:00:00+01:00', end: '2026-03-10T10:30:00+01:00' },
    {
      lines: ['DTSTART:20260328T120000', 'DURATION:P1D'],
      start: '2026-03-28T12:00:00+01:00',
      end: '2026-03-29T12:00:00+02:00',
    },
    {
      lines: ['DTSTART;TZID=America/New_York:20260310T090000', 'DTEND:20260310T140000Z'],
      start: '2026-03-10T14:00:00+01:00',
      end: '2026-03-10T15:00:00+01:00',
    },
    {
      lines: ['DTSTART:2026-03-10T09:00:00Z'],
      start: '2026-03-10T10:00:00+01:00',
      end: '2026-03-10T10:00:00+01:00',
    },
    {
      lines: ['DTSTART;TZID=Tokyo Standard Time:20260310T170000'],
      start: '2026-03-10T09:00:00+01:00',
      end: '2026-03-10T09:00:00+01:00',
    },
  ])('$lines', async ({ lines, start, end }) => {
    const { take, shown } = await own()
    expect(await take(calendar(['UID:x', ...lines]))).toMatchObject({ created: 1, skipped: [] })
    const [event] = await shown()
    expect([event.title, event.start_at ?? event.start_date, event.end_at ?? event.end_date]).toEqual([
      '(no title)',
      start,
      end,
    ])
  })

  test('floating times as wall times of the importing user', async () => {
    const { take, shown } = await own('America/New_York')
    await take(calendar(named(1)))
    expect(await shown()).toMatchObject([
      { start_at: '2026-03-10T14:00:00+01:00', time_zone: 'America/New_York' },
    ])
  })

  test.each([
    { rule: 'FREQ=DAILY;UNTIL=20260312', days: 3 },
    { rule: 'FREQ=DAILY;UNTIL=20260312T080000Z', days: 3 },
    { rule: 'FREQ=DAILY;UNTIL=20260312T085959', days: 2 },
    { rule: 'freq=daily; count=4;', days: 4 },
    { rule: 'FREQ=DAILY;UNTIL=99991231T235959Z', days: 22 },
  ])('a rule $rule', async ({ rule, days }) => {
    const { take, starts } = await own()
    expect(await take(calendar([...named(1), `RRULE:${rule}`]))).toMatchObject({ created: 1, skipped: [] })
    expect(await starts('2026-03-01', '2026-04-01')).toHaveLength(days)
  })

  test('exceptions as days, as instants, in another zone and as cancelled occurrences', async () => {
    const { take, starts } = await own()
    const series = [...named(1), 'RRULE:FREQ=DAILY;COUNT=6']
    const exceptions = [
      'EXDATE;VALUE=DATE:20260311',
      'EXDATE:20260312T080000Z,20270101T000000Z',
      'EXDATE;TZID=America/New_York:20260313T040000',
    ]
    const cancelled = ['UID:u1', 'RECURRENCE-ID:20260314T090000', 'STATUS:CANCELLED']
    await take(calendar(cancelled, [...series, ...exceptions]))
    expect(await starts()).toEqual(['2026-03-10T09:00:00+01:00', '2026-03-15T09:00:00+01:00'])
  })

  test('occurrences without their series as one event with those starts', async () => {
    const { ada, id, take, shown } = await own()
    const one = (day: number, title: string) => [
      'UID:o',
      `RECURRENCE-ID:202603${day}T090000`,
      `DTSTART:202603${day}T100000`,
      `SUMMARY:${title}`,
    ]
    expect(await take(calendar(one(12, 'Later'), one(11, 'First')))).toMatchObject({
      created: 1,
      skipped: [],
    })
    expect(await shown()).toMatchObject([
      { title: 'First', start_at: '2026-03-11T10:00:00+01:00' },
      { title: 'Later', start_at: '2026-03-12T10:00:00+01:00' },
    ])
    const text = await exportOf(ada, id)
    for (const line of [...one(12, 'Later'), ...one(11, 'First')]) expect(text).toContain(`${line}\r\n`)
  })

  test('a title that is too long, which is shown shortened and exported whole until it is changed', async () => {
    const { ada, id, take } = await own()
    const title = 'Long '.repeat(60).trim()
    await take(calendar([...named(1).slice(0, 2), `SUMMARY;LANGUAGE=en:${title}`]))
    const [event] = await ada.list('2026-03-10', '2026-03-11')
    expect([event.title.length <= 200, event.title.endsWith('…')]).toEqual([true, true])
    const unfolded = async () => (await exportOf(ada, id)).replaceAll('\r\n ', '')
    expect(await unfolded()).toContain(`SUMMARY;LANGUAGE=en:${title}\r\n`)
    await ada.change(event.id, { title: 'Short' })
    expect((await unfolded()).match(/^SUMMARY.*$/gm)).toEqual(['SUMMARY:Short'])
  })

  test('quoted-printable texts of old phones', async () => {
    const { take, shown } = await own()
    const line = 'SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Gr=C3=BC=\r\n=C3=9Fe, alle'
    await take(calendar(['UID:q', NINE, line]))
    expect(await shown()).toMatchObject([{ title: 'Grüße, alle' }])
  })
})

describe('zones that a file defines', () => {
  const zone = (name: string, ...parts: ReadonlyArray<readonly string[]>) => [
    'BEGIN:VTIMEZONE',
    `TZID:${name}`,
    ...parts.flatMap(([kind = '', start, from, to, ...more]) => [
      `BEGIN:${kind}`,
      `DTSTART:${start}`,
      `TZOFFSETFROM:${from}`,
      `TZOFFSETTO:${to}`,
      ...more,
      `END:${kind}`,
    ]),
    'END:VTIMEZONE',
  ]
  const event = (name: string, ...lines: string[]) => [
    'BEGIN:VEVENT',
    'UID:z',
    `DTSTART;TZID=${name}:20260310T090000`,
    ...lines,
    'END:VEVENT',
  ]

  test('are the known zone that is like them', async () => {
    const { take, shown } = await own()
    const sydney = zone(
      'Ours',
      ['STANDARD', '20080406T030000', '+1100', '+1000', 'RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU'],
      ['DAYLIGHT', '20081005T020000', '+1000', '+1100', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SU'],
    )
    await take(wrapped(sydney, event('Ours', 'RRULE:FREQ=MONTHLY;COUNT=3')))
    const occurring = await shown()
    expect(occurring[0].time_zone).toBe('Australia/Sydney')
    expect(occurring.map((one: { start_at: string }) => one.start_at).toSorted()).toEqual([
      '2026-03-09T23:00:00+01:00',
      '2026-04-10T01:00:00+02:00',
      '2026-05-10T01:00:00+02:00',
    ])
  })

  test('keep their own offsets where no known zone has them', async () => {
    const { ada, take, starts, id } = await own()
    const odd = zone(
      'Odd',
      ['STANDARD', '20250101T000000', '+0123', '+0123'],
      ['DAYLIGHT', '20260401T000000', '+0123', '+0323'],
    )
    await take(wrapped(odd, event('Odd', 'RRULE:FREQ=MONTHLY;COUNT=3', 'DURATION:PT1H')))
    const expected = ['2026-03-10T08:37:00+01:00', '2026-04-10T07:37:00+02:00', '2026-05-10T07:37:00+02:00']
    expect(await starts()).toEqual(expected)
    const second = await newCalendar(ada)
    await importInto(ada, second, await exportOf(ada, id))
    expect(await twoYears(ada, second)).toEqual(await twoYears(ada, id))
    expect(await take(wrapped(odd, event('Odd', 'RRULE:FREQ=DAILY')))).toMatchObject({
      updated: 1,
      skipped: [],
    })
    expect(await starts()).toEqual(['2026-03-10T08:37:00+01:00'])
  })
})
