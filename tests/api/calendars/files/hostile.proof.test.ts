import { describe, expect, test } from 'bun:test'
import { calendarFiles } from '../../../../src/adapters/icalendar'
import { calendar, calendarOf, exportOf, importInto, wrapped } from '../../../support/calendar-files'
import { organiser } from '../../../support/events'
import { startHarness } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const MIB = 1_048_576
const whole = (body: string) => `BEGIN:VCALENDAR\n${body}END:VCALENDAR\n`
const event = (body: string, start = 'DTSTART:20260101T000000Z') =>
  `BEGIN:VEVENT\n${start}\n${body}END:VEVENT\n`
const dates = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    new Date(Date.UTC(2026, 0, 1, n)).toISOString().slice(0, 19).replaceAll(/[-:]/g, ''),
  )
const all = (count: number, from = 1) => Array.from({ length: count }, (_, n) => n + from).join(',')
const EVERYTHING = `RRULE:FREQ=YEARLY;BYMONTH=${all(12)};BYMONTHDAY=${all(31)};BYHOUR=${all(24, 0)};COUNT=10000\n`
const MORE = EVERYTHING.replace('COUNT', `BYMINUTE=${all(60, 0)};COUNT`)

describe('a hostile file', () => {
  test.each([
    { why: 'one line of 10 MiB', file: whole(event(`SUMMARY:${'x'.repeat(9.9 * MIB)}\n`)) },
    { why: 'line breaks', file: whole('\n'.repeat(9.9 * MIB)) },
    { why: 'continuations', file: whole(event(`UID:a\n${' \n'.repeat(4 * MIB)}`)) },
    { why: 'nested components', file: whole(event('BEGIN:X\n'.repeat(10_000))) },
    { why: 'nested events', file: whole('BEGIN:VEVENT\n'.repeat(10_000)) },
    { why: 'nested calendars', file: 'BEGIN:VCALENDAR\n'.repeat(100_000) },
    { why: 'quotes', file: whole(event(`SUMMARY${';"'.repeat(400_000)}:A\n`).repeat(10)) },
    { why: 'parameters', file: whole(event(`ATTENDEE;${'A=B;'.repeat(2000)}A=B:C\n`).repeat(500)) },
    { why: 'backslashes', file: whole(event(`SUMMARY:${'\\'.repeat(900_000)}\n`).repeat(10)) },
    {
      why: '100 000 exceptions',
      file: whole(event(`RRULE:FREQ=DAILY\nEXDATE:${dates(100_000).join(',')}\n`)),
    },
    { why: '40 000 exceptions', file: whole(event(`${EVERYTHING}EXDATE:${dates(40_000).join(',')}\n`)) },
    {
      why: '40 000 exceptions to what is not followed',
      file: whole(event(`${MORE}EXDATE:${dates(40_000).join(',')}\n`)),
    },
    { why: '40 000 starts', file: whole(event(`RDATE:${dates(40_000).join(',')}\n`)) },
    { why: 'rules that name everything', file: whole(event(EVERYTHING).repeat(300)) },
    {
      why: 'zones without end',
      file: whole(
        `BEGIN:VTIMEZONE\nTZID:Z\n${`BEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:+0123\nTZOFFSETTO:+0124\nRRULE:FREQ=YEARLY;BYMONTH=1,2,3,4,5,6\nEND:STANDARD\n`.repeat(290)}END:VTIMEZONE\n${event('', 'DTSTART;TZID=Z:20260101T000000').repeat(20)}`,
      ),
    },
    { why: 'control characters', file: whole(event('SUMMARY:\u0001\u001b\u007f\u2028\ufeff\n')) },
    {
      why: 'prototypes',
      file: whole(event('__proto__;__proto__=1:2\nCONSTRUCTOR:1\nDTEND;toString=1:20260101T000000Z\n')),
    },
    {
      why: 'lone surrogates in UTF-16',
      file: new Uint8Array(Buffer.from(`\ufeff${whole(event('SUMMARY:\ud800\n'))}`, 'utf16le')),
    },
    { why: 'noise', file: crypto.getRandomValues(new Uint8Array(MIB)) },
  ])(
    'is answered, and what it leaves is exported: $why',
    async ({ file }) => {
      const ada = await organiser(h)
      const id = await calendarOf(ada)
      const answered = await importInto(ada, id, file)
      expect([200, 422]).toContain(answered.status)
      expect((await ada.window('2026-01-01', '2026-02-01')).status).toBeLessThan(500)
      expect(await exportOf(ada, id)).toEndWith('END:VCALENDAR\r\n')
    },
    60_000,
  )

  test('is refused if it has more events than anybody has', async () => {
    const ada = await organiser(h)
    const answered = await importInto(
      ada,
      await calendarOf(ada),
      whole('BEGIN:VEVENT\nEND:VEVENT\n'.repeat(50_001)),
    )
    expect(answered).toMatchObject({ status: 422, body: { detail: 'file: has more than 50000 events' } })
  }, 30_000)
})

/** A clock by which time passes with the work alone, and the most pieces of work between two sleeps. */
function slices() {
  let [passedMs, sinceSleep, longest] = [0, 0, 0]
  return {
    clock: {
      now: () => new Date('2026-03-04T09:30:00Z'),
      monotonic: () => passedMs,
      nextTurn: async () => {},
      sleep: async (ms: number) => {
        await Bun.sleep(ms)
        sinceSleep = 0
      },
    },
    work: (ms: number) => {
      passedMs += ms
      longest = Math.max(longest, ++sinceSleep)
    },
    longest: () => longest,
  }
}

test('an import lets others in between any two events that take their time', async () => {
  const { clock, work, longest } = slices()
  // A clock by which an event is a slice: each has a zone of its own to be looked for.
  const slow = {
    ...calendarFiles,
    zoneOfWindows: (name: string) => {
      work(11)
      return calendarFiles.zoneOfWindows(name)
    },
  }
  await using slowed = await startHarness({ deps: { clock, calendarFiles: slow } })
  const ada = await organiser(slowed)
  const events = Array.from({ length: 600 }, (_, n) => [
    `UID:u${n}`,
    `DTSTART;TZID=Zone ${n}:20260101T090000`,
  ])
  const answered = await importInto(ada, await calendarOf(ada), calendar(...events))
  expect(answered.body).toMatchObject({ created: 600, skipped: [] })
  expect(longest()).toBe(1)
})

describe('an import of ten thousand events', () => {
  const many = calendar(
    ...Array.from({ length: 10_000 }, (_, n) => [
      `UID:u${n}`,
      `DTSTART;TZID=Europe/Berlin:2026${String(1 + (n % 12)).padStart(2, '0')}01T090000`,
      'DURATION:PT1H',
      `SUMMARY:Event ${n}`,
      'RRULE:FREQ=WEEKLY;COUNT=10',
      'X-KEPT:yes',
    ]),
  )

  test('lets others in meanwhile, and loses none in the export', async () => {
    const SLICE = 200
    const { clock, work, longest } = slices()
    // A clock by which that many components are a slice, however busy the machine is.
    const counted = {
      ...calendarFiles,
      read: (name: string, text: string) => {
        work(10 / SLICE)
        return calendarFiles.read(name, text)
      },
    }
    await using slowed = await startHarness({ deps: { clock, calendarFiles: counted } })
    const [ada, eve] = [await organiser(slowed), await organiser(slowed)]
    const id = await calendarOf(ada)
    const importing = { isDone: false, others: 0 }
    const others = (async () => {
      while (!importing.isDone) {
        expect((await eve.calendars()).status).toBe(200)
        importing.others++
      }
    })()
    const answered = await importInto(ada, id, many)
    importing.isDone = true
    await others
    expect(answered.body).toEqual({ created: 10_000, updated: 0, unchanged: 0, skipped: [] })
    expect(importing.others).toBeGreaterThan(10)
    expect(longest()).toBeLessThanOrEqual(2 * SLICE)
    expect((await importInto(ada, id, many)).body).toMatchObject({ created: 0, unchanged: 10_000 })
    const text = await exportOf(ada, id)
    expect(new Set(text.match(/^UID:.*$/gm)).size).toBe(10_000)
    expect(text.match(/^X-KEPT:yes$/gm)).toHaveLength(10_000)
    expect(wrapped().startsWith('BEGIN:VCALENDAR')).toBe(true)
  }, 180_000)
})
