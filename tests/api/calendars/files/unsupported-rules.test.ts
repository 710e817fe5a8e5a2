import { describe, expect, test } from 'bun:test'
import { calendar, exportOf, importer, importInto, newCalendar } from '../../../support/calendar-files'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const MINUTES = Array.from({ length: 60 }, (_, i) => i).join(',')
const RRULE = `RRULE:FREQ=DAILY;BYHOUR=9,10;BYMINUTE=${MINUTES}`
const dense = [
  'UID:dense',
  'SUMMARY:Every minute',
  'DTSTART;TZID=Europe/Berlin:20260310T090000',
  'DTEND;TZID=Europe/Berlin:20260310T090100',
  RRULE,
  'EXDATE;TZID=Europe/Berlin:20260311T093000',
  'RDATE;TZID=Europe/Berlin:20260312T200000',
  'X-KEPT:yes',
]
const KEPT = dense.slice(2)

const unfolded = (file: string) => file.replaceAll('\r\n ', '').split('\r\n')

describe('a file whose event repeats more than 24 times a day', () => {
  test('is taken in as its first occurrence alone, shown as unsupported, and exported with its rule', async () => {
    const { ada, id, take } = await importer(h)
    expect(await take(calendar(dense))).toEqual({ created: 1, updated: 0, unchanged: 0, skipped: [] })
    const [shown, ...more] = await ada.list('2026-01-01', '2027-01-01')
    expect(more).toEqual([])
    expect(shown).toMatchObject({
      title: 'Every minute',
      start_at: '2026-03-10T09:00:00+01:00',
      end_at: '2026-03-10T09:01:00+01:00',
      recurrence_rule: null,
      recurrence_unsupported: true,
      occurrence_start: null,
    })
    expect((await ada.read(shown.id)).body).toEqual(shown)
    expect(unfolded(await exportOf(ada, id))).toEqual(expect.arrayContaining(KEPT))
  })

  test('is exported and imported again, here and elsewhere, without loss', async () => {
    const { ada, id, take } = await importer(h)
    await take(calendar(dense))
    const file = await exportOf(ada, id)
    expect(await take(file)).toEqual({ created: 0, updated: 0, unchanged: 1, skipped: [] })
    const other = await newCalendar(ada)
    await importInto(ada, other, file)
    const again = unfolded(await exportOf(ada, other))
    for (const line of KEPT) expect(again.filter((one) => one === line)).toEqual([line])
  })

  test('keeps its times and its rule whatever is changed here', async () => {
    const { ada, id, take } = await importer(h)
    await take(calendar(dense))
    const [{ id: eventId, ...read }] = await ada.list('2026-01-01', '2027-01-01')
    const renamed = await ada.change(eventId, { ...read, title: 'Renamed' })
    expect([renamed.status, renamed.body.recurrence_unsupported]).toEqual([200, true])
    expect(unfolded(await exportOf(ada, id))).toEqual(expect.arrayContaining(KEPT))
    for (const changes of [
      { recurrence_rule: 'FREQ=WEEKLY' },
      { start_at: '2026-03-10T10:00' },
      { all_day: true, start_date: '2026-03-10', end_date: '2026-03-10' },
    ])
      expect(await ada.change(eventId, changes)).toMatchObject({
        status: 409,
        body: { detail: 'Change this in the program that made it' },
      })
    expect(unfolded(await exportOf(ada, id))).toEqual(expect.arrayContaining(KEPT))
  })

  test('tells that its changed occurrences are left out', async () => {
    const { take } = await importer(h)
    const changed = [
      'UID:dense',
      'RECURRENCE-ID:20260311T080000Z',
      'DTSTART:20260311T200000Z',
      'SUMMARY:Late',
    ]
    expect(await take(calendar(dense, changed))).toEqual({
      created: 1,
      updated: 0,
      unchanged: 0,
      skipped: [{ uid: 'dense', reason: 'is an occurrence of a series that is not supported' }],
    })
  })

  test('follows its rule once a later import has one that is supported', async () => {
    const { ada, take } = await importer(h)
    await take(calendar(dense))
    const weekly = dense.map((line) => (line === RRULE ? 'RRULE:FREQ=WEEKLY;COUNT=2' : line))
    expect(await take(calendar(weekly))).toMatchObject({ created: 0, updated: 1 })
    const shown = await ada.list('2026-01-01', '2027-01-01')
    expect(shown.map(({ recurrence_unsupported }) => recurrence_unsupported)).toEqual([false, false, false])
  })
})
