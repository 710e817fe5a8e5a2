import { describe, expect, test } from 'bun:test'
import { calendarFiles } from '../../../../src/adapters/icalendar'
import { calendarOf, exportOf, importer, importInto, wrapped } from '../../../support/calendar-files'
import { organiser } from '../../../support/events'
import { startHarness } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const observance = (lines: readonly string[], from = '+0123', to = '+0123') => [
  'BEGIN:STANDARD',
  'DTSTART:19000101T000000',
  `TZOFFSETFROM:${from}`,
  `TZOFFSETTO:${to}`,
  ...lines,
  'END:STANDARD',
]
const zone = (...observances: ReadonlyArray<readonly string[]>) => [
  'BEGIN:VTIMEZONE',
  'TZID:Odd',
  ...observances.flat(),
  'END:VTIMEZONE',
]
const onDay = (n: number) => {
  const day = new Date(Date.UTC(1950, 0, 1 + 20 * n)).toISOString().slice(0, 10).replaceAll('-', '')
  return `${day}T000000`
}
const rdates = (count: number) => `RDATE:${Array.from({ length: count }, (_, n) => onDay(n)).join(',')}`
const event = (n: number, start: string) => [
  'BEGIN:VEVENT',
  `UID:z${n}`,
  `DTSTART;TZID=Odd:${start}`,
  'DURATION:PT1H',
  'SUMMARY:x',
  'END:VEVENT',
]
const YEARLY = 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'

describe('a time zone of a file', () => {
  test.each([
    { why: '500 onsets in one line', zone: zone(observance([rdates(499)])) },
    {
      why: '500 onsets in many parts',
      zone: zone(...Array.from({ length: 100 }, () => observance([rdates(4)]))),
    },
    {
      why: 'onsets of rules that never end',
      zone: zone(...Array.from({ length: 6 }, () => observance([YEARLY]))),
    },
    { why: 'both', zone: zone(observance([YEARLY, rdates(499)])) },
  ])('may have $why', async ({ zone: given }) => {
    const { take, starts } = await importer(h, 'UTC')
    expect(await take(wrapped(given, event(1, '20260310T100000')))).toMatchObject({ created: 1, skipped: [] })
    expect(await starts()).toEqual(['2026-03-10T09:37:00+01:00'])
  })

  test.each([
    { why: '501 onsets in one line', zone: zone(observance([rdates(500)])) },
    {
      why: '501 onsets in many parts',
      zone: zone(observance([]), ...Array.from({ length: 100 }, () => observance([rdates(4)]))),
    },
    {
      why: 'more rules than any zone has',
      zone: zone(...Array.from({ length: 8 }, () => observance([YEARLY]))),
    },
    {
      why: 'a rule that names every day',
      zone: zone(observance(['RRULE:FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU'])),
    },
  ])('counts as unknown with $why: its own events are in the zone of the user', async ({ zone: given }) => {
    const { take, starts } = await importer(h, 'UTC')
    const known = event(2, '20260311T100000').map((line) => line.replace('Odd', 'Europe/Berlin'))
    expect(await take(wrapped(given, event(1, '20260310T100000'), known))).toEqual({
      created: 2,
      updated: 0,
      unchanged: 0,
      skipped: [],
    })
    expect(await starts()).toEqual(['2026-03-10T11:00:00+01:00', '2026-03-11T10:00:00+01:00'])
  })

  test('follows the last of its onsets, whatever their order in the file', async () => {
    const { ada, id, take } = await importer(h, 'UTC')
    const odd = zone(
      observance(['RDATE:20260401T000000,20260201T000000'], '+0200', '+0123'),
      observance(['RDATE:20260301T000000,20260501T000000,20260101T000000'], '+0123', '+0200').map((line) =>
        line.replace('STANDARD', 'DAYLIGHT').replace('19000101', '19000201'),
      ),
    )
    const months = [1, 2, 3, 4, 5].map((month) => event(month, `20260${month}10T100000`))
    expect(await take(wrapped(odd, ...months))).toMatchObject({ created: 5, skipped: [] })
    const shown = await ada.list('2026-01-01', '2026-07-01', { calendar_id: String(id) })
    expect(shown.map(({ start_at }) => new Date(start_at).toISOString().slice(5, 16))).toEqual([
      '01-10T08:00',
      '02-10T08:37',
      '03-10T08:00',
      '04-10T08:37',
      '05-10T08:00',
    ])
  })

  test('does not hold up three thousand events with a hundred thousand onsets', async () => {
    const { take } = await importer(h, 'UTC')
    const odd = zone(...Array.from({ length: 300 }, () => observance([YEARLY, rdates(333)])))
    const events = Array.from({ length: 3000 }, (_, n) => event(n, `${1950 + (n % 100)}0305T100000`))
    const answered = await take(wrapped(odd, ...events), '?dry_run=true')
    expect(answered).toMatchObject({ created: 3000, skipped: [] })
    const most = zone(...Array.from({ length: 6 }, () => observance([YEARLY])), observance([rdates(490)]))
    expect(await take(wrapped(most, ...events), '?dry_run=true')).toMatchObject({
      created: 3000,
      skipped: [],
    })
  }, 30_000)

  test('is read in steps between which others are served', async () => {
    let [passedMs, sleeps] = [0, 0]
    const clock = {
      now: () => new Date('2026-03-04T09:30:00Z'),
      // A clock by which twenty steps are a slice, however busy the machine is.
      monotonic: () => (passedMs += 0.5),
      nextTurn: async () => {},
      sleep: async () => {
        sleeps++
        await Bun.sleep(0)
      },
    }
    await using slowed = await startHarness({ deps: { clock, calendarFiles } })
    const ada = await organiser(slowed)
    const id = await calendarOf(ada)
    const sparse = observance(['RRULE:FREQ=YEARLY;BYYEARDAY=366;BYDAY=SU'])
    const odd = zone(...Array.from({ length: 200 }, () => sparse))
    expect((await importInto(ada, id, wrapped(odd, event(1, '20260310T100000')))).status).toBe(200)
    expect(sleeps).toBeGreaterThan(50)
    expect(await exportOf(ada, id)).toEndWith('END:VCALENDAR\r\n')
  }, 30_000)
})
