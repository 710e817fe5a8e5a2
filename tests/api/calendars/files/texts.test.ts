import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import {
  calendar,
  exportOf,
  importer,
  importInto,
  newCalendar,
  twoYears,
} from '../../../support/calendar-files'
import { APPLE, GOOGLE, OUTLOOK, THUNDERBIRD } from '../../../support/calendar-producers'
import { at } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const CORPUS = [GOOGLE, APPLE, OUTLOOK, THUNDERBIRD]

const unfolded = (text: string) => text.replaceAll(/(?:\r\n|\n)[ \t]/g, '')
/** The lines of all events, as written. */
const eventLines = (text: string): string[] =>
  text.match(/^BEGIN:VEVENT[^]*?^END:VEVENT/gm)?.flatMap((one) => one.split(/\r?\n/)) ?? []

/** The lines that one text has more often than the other. */
function surplus(one: readonly string[], other: readonly string[]): string[] {
  const left = [...other]
  return one.filter((line) => {
    const place = left.indexOf(line)
    if (place !== -1) left.splice(place, 1)
    return place === -1
  })
}

const STAMPS = ['DTSTAMP', 'LAST-MODIFIED', 'SEQUENCE']
const names = (lines: readonly string[]) =>
  [...new Set(lines.map((line) => /^[\w-]*/.exec(line)?.[0] ?? ''))].toSorted()

type Importer = Awaited<ReturnType<typeof importer>>
const eventsOf = async ({ ada, id }: Importer) =>
  (await ada.request('GET', `/api/calendars/${id}/events`)).body.events

/** Imports one event, and says which lines a change takes away and adds. */
async function changing(event: readonly string[], ...overrides: ReadonlyArray<readonly string[]>) {
  const own = await importer(h)
  await own.take(calendar(event, ...overrides))
  const before = eventLines(await exportOf(own.ada, own.id))
  expect(before).toEqual(eventLines(calendar(event, ...overrides)))
  const [{ id }] = await eventsOf(own)
  const differences = async () => {
    const after = eventLines(await exportOf(own.ada, own.id))
    const isStamp = (line: string) => /^(?:DTSTAMP|LAST-MODIFIED|SEQUENCE)/.test(line)
    return {
      gone: surplus(before, after).filter((line) => !isStamp(line)),
      new: surplus(after, before).filter((line) => !isStamp(line)),
    }
  }
  const change = async (body: Record<string, unknown>, aim?: Record<string, string>) => {
    const answered = await own.ada.change(id, body, aim)
    expect([answered.status, answered.body.detail]).toEqual([200, undefined])
    return differences()
  }
  return { ...own, event: id, change, differences }
}

const ZONED = [
  'X-FIRST:1',
  'UID:u',
  'DTSTAMP:20200101T000000Z',
  'SEQUENCE:7',
  'DTSTART;TZID=W. Europe Standard Time:20260310T090000',
  'DURATION:PT1H',
  'SUMMARY;LANGUAGE=de:Title',
  'DESCRIPTION:A long text that is fol',
  ' ded in an odd place',
  'ATTENDEE;PARTSTAT=ACCEPTED:mailto:eve@example.org',
  'RRULE:FREQ=DAILY;COUNT=9',
  'EXDATE;TZID=W. Europe Standard Time:20260311T090000',
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  'X-WR-ALARMUID:a',
  'TRIGGER:-PT15M',
  'ACKNOWLEDGED:20260101T000000Z',
  'END:VALARM',
  'BEGIN:VALARM',
  'ACTION:AUDIO',
  'TRIGGER:-PT5M',
  'END:VALARM',
]
const OVERRIDE = [
  'UID:u',
  'RECURRENCE-ID;TZID=W. Europe Standard Time:20260312T090000',
  'DTSTART:20260312T110000Z',
  'SUMMARY:Later',
  'X-OWN:1',
]

describe('The text of an imported event', () => {
  test('loses and gains only the lines of the words that change', async () => {
    const { change, ada, event, id } = await changing(ZONED)
    expect(await change({ title: 'New' })).toEqual({
      gone: ['SUMMARY;LANGUAGE=de:Title'],
      new: ['SUMMARY:New'],
    })
    expect(await change({ title: 'Title', location: 'Here' })).toEqual({ gone: [], new: ['LOCATION:Here'] })
    expect(await change({ description: null, location: null })).toEqual({
      gone: ['DESCRIPTION:A long text that is fol', ' ded in an odd place'],
      new: [],
    })
    const text = await exportOf(ada, id)
    expect(text).toContain('SEQUENCE:10\r\n')
    expect((await ada.read(event)).body.version).toBe(4)
  })

  test('keeps the alarm of the reminder but for its time, and all other alarms', async () => {
    const { change } = await changing(ZONED)
    expect(await change({ reminder_minutes: 30 })).toEqual({
      gone: ['TRIGGER:-PT15M'],
      new: ['TRIGGER:-PT30M'],
    })
    expect((await change({ reminder_minutes: null })).gone).toEqual([
      'ACTION:DISPLAY',
      'X-WR-ALARMUID:a',
      'TRIGGER:-PT15M',
      'ACKNOWLEDGED:20260101T000000Z',
      'BEGIN:VALARM',
      'END:VALARM',
    ])
  })

  test('keeps its name of the zone and its duration when it moves within the day', async () => {
    const { change, shown, ada, id } = await changing(ZONED, OVERRIDE)
    expect(await change({ start_at: '2026-03-10T10:30' })).toEqual({
      gone: [
        'DTSTART;TZID=W. Europe Standard Time:20260310T090000',
        'EXDATE;TZID=W. Europe Standard Time:20260311T090000',
        'RECURRENCE-ID;TZID=W. Europe Standard Time:20260312T090000',
        'DTSTART:20260312T110000Z',
      ],
      new: [
        'DTSTART;TZID=W. Europe Standard Time:20260310T103000',
        'EXDATE;TZID=W. Europe Standard Time:20260311T103000',
        'RECURRENCE-ID;TZID=W. Europe Standard Time:20260312T103000',
        'DTSTART:20260312T123000Z',
      ],
    })
    const second = await newCalendar(ada)
    await importInto(ada, second, await exportOf(ada, id))
    expect(await twoYears(ada, second)).toEqual(await twoYears(ada, id))
    expect(await shown()).toHaveLength(8)
  })

  test('stays floating when it moves, and ends with its rule', async () => {
    const { change } = await changing([
      'UID:f',
      'DTSTART:20260310T090000',
      'DTEND:20260310T100000',
      'RRULE:FREQ=DAILY;UNTIL=20260401T090000',
    ])
    expect(await change({ start_at: '2026-03-10T08:00' })).toEqual({
      gone: ['DTSTART:20260310T090000', 'DTEND:20260310T100000', 'RRULE:FREQ=DAILY;UNTIL=20260401T090000'],
      new: ['DTSTART:20260310T080000', 'DTEND:20260310T090000', 'RRULE:FREQ=DAILY;UNTIL=20260401T080000'],
    })
    expect((await change({ time_zone: 'America/New_York', start_at: '2026-03-10T08:00' })).new).toContain(
      'DTSTART;TZID=America/New_York:20260310T080000',
    )
  })

  test('says which occurrences are deleted and changed, each in its own component', async () => {
    const { ada, event, change, differences } = await changing(ZONED, OVERRIDE)
    await ada.remove(event, at('2026-03-13T09:00'))
    expect(await differences()).toEqual({
      gone: [],
      new: ['EXDATE;TZID=W. Europe Standard Time:20260313T090000'],
    })
    const renamed = await change({ title: 'Once' }, at('2026-03-12T09:00'))
    expect(renamed).toEqual({
      gone: ['SUMMARY:Later'],
      new: ['EXDATE;TZID=W. Europe Standard Time:20260313T090000', 'SUMMARY:Once'],
    })
    const added = await change({ title: 'Alone' }, at('2026-03-14T09:00'))
    expect(added.new).toEqual(
      expect.arrayContaining([
        'RECURRENCE-ID;TZID=W. Europe Standard Time:20260314T090000',
        'DTSTART;TZID=W. Europe Standard Time:20260314T090000',
        'SUMMARY:Alone',
        'ATTENDEE;PARTSTAT=ACCEPTED:mailto:eve@example.org',
      ]),
    )
    await ada.remove(event, at('2026-03-12T09:00'))
    expect((await differences()).gone).toEqual(
      ['BEGIN:VEVENT', 'END:VEVENT', 'UID:u', ...OVERRIDE.slice(1)].filter((line) =>
        OVERRIDE.slice(1).includes(line),
      ),
    )
  })

  test('is divided with its series, and each half says the rest as it was', async () => {
    const { ada, id, event, take } = await changing(ZONED, OVERRIDE)
    await ada.change(event, { title: 'Rest' }, at('2026-03-12T09:00', 'following'))
    const text = await exportOf(ada, id)
    expect(text.match(/^X-FIRST:1\r$/gm)).toHaveLength(2)
    expect(text.match(/^X-OWN:1\r$/gm)).toHaveLength(1)
    expect(text.match(/^UID:.*$/gm)?.map((line) => line === 'UID:u')).toEqual([true, false, false])
    expect(await take(text)).toMatchObject({ created: 0, updated: 0, skipped: [] })
    const second = await newCalendar(ada)
    await importInto(ada, second, text)
    expect(await twoYears(ada, second)).toEqual(await twoYears(ada, id))
  })

  test('comes back with the event from the trash, by undoing, and goes with it into another calendar', async () => {
    const { ada, id, event } = await changing(ZONED, OVERRIDE)
    const lines = eventLines(await exportOf(ada, id))
    await ada.remove(event)
    const trash = (await ada.request('GET', '/api/trash')).body
    const [item] = trash.items ?? trash.trash ?? []
    expect((await ada.request('POST', `/api/trash/${item.id}/restore`)).status).toBeLessThan(300)
    expect(eventLines(await exportOf(ada, id))).toEqual(lines)
    await ada.change(event, { title: 'Other' })
    const { operations } = (await ada.request('GET', '/api/operations')).body
    expect((await ada.request('POST', `/api/operations/${operations[0].id}/undo`)).status).toBeLessThan(300)
    expect(eventLines(await exportOf(ada, id))).toEqual(lines)
    const second = await newCalendar(ada)
    await ada.change(event, { calendar_id: second })
    expect(eventLines(await exportOf(ada, second))).toEqual(lines)
    expect(eventLines(await exportOf(ada, id))).toEqual([])
  })

  test('shows an all-day series with an occurrence that has times, which can be changed', async () => {
    const day = ['UID:d', 'DTSTART;VALUE=DATE:20260310', 'SUMMARY:D', 'RRULE:FREQ=DAILY;COUNT=3']
    const own = [
      'UID:d',
      'RECURRENCE-ID;VALUE=DATE:20260311',
      'DTSTART;TZID=Asia/Tokyo:20260311T100000',
      'DTEND;TZID=Asia/Tokyo:20260311T110000',
      'SUMMARY:D',
    ]
    const { shown, change } = await changing(day, own)
    expect((await shown())[1] ?? {}).toBeDefined()
    expect(
      (await shown()).map((one: { start_at: string | null; time_zone: string | null }) => [
        one.start_at,
        one.time_zone,
      ]),
    ).toContainEqual(['2026-03-11T02:00:00+01:00', 'Asia/Tokyo'])
    expect(
      await change({ title: 'E', start_at: '2026-03-11T12:00', all_day: false }, at('2026-03-11')),
    ).toEqual({
      gone: ['DTSTART;TZID=Asia/Tokyo:20260311T100000', 'DTEND;TZID=Asia/Tokyo:20260311T110000', 'SUMMARY:D'],
      new: ['DTSTART;TZID=Asia/Tokyo:20260311T120000', 'DTEND;TZID=Asia/Tokyo:20260311T130000', 'SUMMARY:E'],
    })
  })
})

/** A file with properties doubled, lines folded elsewhere, other line ends or extra properties. */
const mutated = fc
  .record({
    file: fc.constantFrom(...CORPUS),
    isBare: fc.boolean(),
    extra: fc.constantFrom(
      'X-EXTRA;A="b;c":1',
      'CATEGORIES:A,B',
      'STATUS:CANCELLED',
      'EXRULE:FREQ=DAILY',
      'URL:https://a.example/;x',
      'CLASS:PRIVATE',
    ),
    width: fc.integer({ min: 20, max: 74 }),
  })
  .map(({ file, isBare, extra, width }) => {
    const lines = unfolded(file)
      .split('\r\n')
      .flatMap((line) => (line === 'BEGIN:VEVENT' ? [line, extra] : [line]))
    const folded = lines.map(
      (line) => line.match(new RegExp(`.{1,${width}}`, 'gs'))?.join(isBare ? '\n ' : '\r\n ') ?? '',
    )
    return folded.join(isBare ? '\n' : '\r\n')
  })

describe('Any file', () => {
  test('that is imported, read, changed in its titles and exported keeps every line that was not meant', async () => {
    await fc.assert(
      fc.asyncProperty(mutated, async (file) => {
        const own = await importer(h)
        expect((await own.take(file)).skipped.length).toBeLessThan(10)
        const given = eventLines(file)
        expect(eventLines(await exportOf(own.ada, own.id)).toSorted()).toEqual(given.toSorted())
        for (const event of await eventsOf(own))
          expect((await own.ada.change(event.id, { title: `New ${event.title}` })).status).toBe(200)
        const after = eventLines(await exportOf(own.ada, own.id))
        const logical = (lines: readonly string[]) => unfolded(lines.join('\n')).split('\n')
        const lost = surplus(logical(given), logical(after))
        expect(['SUMMARY', ...STAMPS]).toEqual(expect.arrayContaining(names(lost)))
        expect(['SUMMARY', ...STAMPS]).toEqual(
          expect.arrayContaining(names(surplus(logical(after), logical(given)))),
        )
      }),
      { numRuns: 12 },
    )
  }, 60_000)
})
