import { describe, expect, test } from 'bun:test'
import {
  calendarOf,
  exportOf,
  happenings,
  importInto,
  newCalendar,
  twoYears,
} from '../../../support/calendar-files'
import { APPLE, GOOGLE, OUTLOOK, THUNDERBIRD } from '../../../support/calendar-producers'
import { organiser } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

describe.each([
  { of: 'Google', file: GOOGLE, created: 3, skipped: [] },
  { of: 'Apple', file: APPLE, created: 3, skipped: [] },
  { of: 'Outlook', file: OUTLOOK, created: 2, skipped: [] },
  { of: 'Thunderbird', file: THUNDERBIRD, created: 2, skipped: [] },
])('a file of $of', ({ file, created, skipped }) => {
  test('is taken in, and unchanged when it comes again', async () => {
    const ada = await organiser(h, 'Europe/Berlin')
    const id = await calendarOf(ada)
    const expected = { created, updated: 0, unchanged: 0, skipped }
    expect((await importInto(ada, id, file, '?dry_run')).body).toEqual(expected)
    expect((await importInto(ada, id, file)).body).toEqual(expected)
    const later = file.replaceAll(/DTSTAMP:\d{8}/g, 'DTSTAMP:20260909')
    expect((await importInto(ada, id, later)).body).toEqual({
      created: 0,
      updated: 0,
      unchanged: created,
      skipped,
    })
  })

  test('has the same occurrences and unknown properties when it is exported and read by somebody else', async () => {
    const [ada, bob] = [await organiser(h, 'Europe/Berlin'), await organiser(h, 'Europe/Berlin')]
    const [own, theirs] = [await calendarOf(ada), await newCalendar(bob)]
    await importInto(ada, own, file)
    const text = await exportOf(ada, own)
    expect((await importInto(bob, theirs, text)).body).toMatchObject({ created, skipped: [] })
    const shown = await twoYears(ada, own)
    expect(shown.length).toBeGreaterThan(2)
    expect(await twoYears(bob, theirs)).toEqual(shown)
    const unfolded = (from: string) => from.replaceAll('\r\n ', '').split('\r\n')
    const lines = new Set(unfolded(await exportOf(bob, theirs)))
    const unknown = unfolded(file).filter(
      (line) =>
        /^(?:X-A|X-M|ATTENDEE|TRANSP|X-APPLE-S|CLASS|PRIORITY|ACTION:NONE)/.test(line) &&
        !/^X-(?:MS-OLK|APPLE-CAL)/.test(line),
    )
    expect(unknown.filter((line) => !lines.has(line))).toEqual([])
  })
})

test('each producer’s files show the events that they say', async () => {
  const ada = await organiser(h, 'Europe/Berlin')
  const id = await calendarOf(ada)
  for (const file of [GOOGLE, APPLE, OUTLOOK, THUNDERBIRD]) await importInto(ada, id, file)
  const shown = await happenings(ada, id, '2026-03-01', '2026-08-01')
  const startsOf = (title: string) =>
    shown
      .filter((one: { title: string }) => one.title.startsWith(title))
      .map((one: { start_at: string; start_date: string }) => one.start_at ?? one.start_date)
      .toSorted()
  expect(shown).toContainEqual(
    expect.objectContaining({
      title: 'Meeting',
      description:
        '<b>Bring</b> cake, tea\nand a very long line that has to be folded somewhere in the middle',
      location: 'Town hall, Berlin',
      reminder_minutes: 30,
      start_at: '2026-03-10T09:00:00+01:00',
    }),
  )
  expect(startsOf('Choir').slice(0, 5)).toEqual([
    '2026-03-02T18:30:00+01:00',
    '2026-03-09T18:30:00+01:00',
    '2026-03-17T19:00:00+01:00',
    '2026-03-23T18:30:00+01:00',
    '2026-03-30T18:30:00+02:00',
  ])
  expect(startsOf('Choir')).not.toContain('2026-04-06T18:30:00+02:00')
  expect(startsOf('May Day')).toEqual(['2026-05-01'])
  expect(startsOf('Call').slice(0, 2)).toEqual(['2026-04-02T16:00:00+02:00', '2026-05-07T16:00:00+02:00'])
  expect(startsOf('Wherever')).toEqual(['2026-04-04T11:00:00+02:00'])
  expect(shown).toContainEqual(expect.objectContaining({ title: 'Holiday', end_date: '2026-04-12' }))
  expect(startsOf('Stand-up').slice(0, 3)).toEqual([
    '2026-03-03T09:00:00+01:00',
    '2026-03-04T09:00:00+01:00',
    '2026-03-06T09:00:00+01:00',
  ])
  expect(startsOf('Overseas')).toEqual(['2026-07-01T15:00:00+02:00'])
  expect(startsOf('Several')).toEqual([
    '2026-03-30T20:00:00+02:00',
    '2026-04-14T20:00:00+02:00',
    '2026-05-19T20:00:00+02:00',
  ])
})
