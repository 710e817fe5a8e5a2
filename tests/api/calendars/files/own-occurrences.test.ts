import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { eventOccurrences } from '../../../../src/db/schema'
import { addDaysTo } from '../../../../src/lib/time/wall-time'
import { calendar, exportOf, importer, importInto, newCalendar } from '../../../support/calendar-files'
import { at } from '../../../support/events'
import { sharedWith } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const MAX = 1000
const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, i) => addDaysTo(first, i))
/** Daily from 1 January 2026 on. */
const daily = (uid: string, exceptions: readonly string[]) => [
  `UID:${uid}`,
  'DTSTART;VALUE=DATE:20260101',
  'SUMMARY:X',
  'RRULE:FREQ=DAILY',
  ...(exceptions.length > 0 ? [`EXDATE;VALUE=DATE:${exceptions.join().replaceAll('-', '')}`] : []),
]
const TOO_MANY = 'has more than 1000 changed or deleted occurrences: the first 1000 are taken'
const answer = (fields: object) => ({ created: 0, updated: 0, unchanged: 0, skipped: [], ...fields })
const rowsOf = (eventId: number) => h.db.$count(eventOccurrences, eq(eventOccurrences.eventId, eventId))

describe('a file', () => {
  test('brings in the first 1 000 of 20 000 exceptions of an event and all else whole, and tells the loss', async () => {
    const { ada, take, starts } = await importer(h)
    const exceptions = daysFrom('2026-01-11', 20_000).toReversed()
    const file = calendar(daily('many', exceptions), [
      'UID:one',
      'DTSTART;VALUE=DATE:20260105',
      'SUMMARY:One',
    ])
    const skipped = [{ uid: 'many', reason: TOO_MANY }]
    expect(await take(file)).toEqual(answer({ created: 2, skipped }))
    const [{ id }] = await ada.list('2026-01-01', '2026-01-02')
    expect(await rowsOf(id)).toBe(MAX)
    expect(await starts('2026-01-01', '2026-02-01')).toEqual(
      [...daysFrom('2026-01-01', 10), '2026-01-05'].toSorted(),
    )
    const last = addDaysTo('2026-01-11', MAX - 1)
    expect(await starts(last, addDaysTo(last, 3))).toEqual(daysFrom(addDaysTo(last, 1), 2))
    const again = answer({ unchanged: 2, skipped })
    expect([await take(file), await take(file, '?dry_run=true')]).toEqual([again, again])
  })

  test('comes in, and goes out and in again, without loss where an event has 1 000 exceptions', async () => {
    const { ada, id, take, starts } = await importer(h)
    expect(await take(calendar(daily('x', daysFrom('2026-01-11', MAX))))).toEqual(answer({ created: 1 }))
    expect(await take(await exportOf(ada, id))).toEqual(answer({ unchanged: 1 }))
    const other = await newCalendar(ada)
    expect((await importInto(ada, other, await exportOf(ada, id))).body).toEqual(answer({ created: 1 }))
    expect(await starts('2026-01-01', '2026-06-01')).toEqual(daysFrom('2026-01-01', 10))
  })
})

describe('an event with 1 000 overrides and exceptions', () => {
  const refused = {
    status: 409,
    body: { detail: 'An event can have at most 1000 changed or deleted occurrences' },
  }

  test('lets no other occurrence be changed or deleted, and those be changed, restored and deleted', async () => {
    const { ada, bob, calendar: shared } = await sharedWith(h, 'write')
    await importInto(ada, shared.id, calendar(daily('x', daysFrom('2026-01-11', MAX - 1))))
    const [{ id }] = await ada.list('2026-01-01', '2026-01-02')
    expect((await bob.change(id, { title: 'Other' }, at('2026-01-02'))).status).toBe(200)
    for (const actor of [ada, bob]) {
      expect(await actor.change(id, { title: 'Other' }, at('2026-01-03'))).toMatchObject(refused)
      expect(await actor.remove(id, at('2026-01-04'))).toMatchObject(refused)
    }
    expect(await rowsOf(id)).toBe(MAX)
    // Who sends back what they read changes nothing.
    expect((await ada.change(id, { title: 'X' }, at('2026-01-03'))).status).toBe(200)
    expect((await ada.change(id, { title: 'Third' }, at('2026-01-02'))).status).toBe(200)
    expect((await ada.change(id, { title: 'X' }, at('2026-01-02'))).status).toBe(200)
    expect((await ada.remove(id, at('2026-01-03'))).status).toBe(204)
    expect((await ada.change(id, { title: 'Y' })).status).toBe(200)
    expect(await ada.starts('2026-01-01', '2026-01-12')).toHaveLength(9)
  })

  test('lets one of two occurrences be changed at once where there is room for one', async () => {
    const { ada, id: calendarId } = await importer(h)
    await importInto(ada, calendarId, calendar(daily('x', daysFrom('2026-01-11', MAX - 1))))
    const [{ id }] = await ada.list('2026-01-01', '2026-01-02')
    const answers = await Promise.all([
      ada.remove(id, at('2026-01-02')),
      ada.change(id, { title: 'Y' }, at('2026-01-03')),
    ])
    expect(answers.filter(({ status }) => status === 409)).toMatchObject([refused])
    expect(await rowsOf(id)).toBe(MAX)
  })

  test('keeps more of them if it had more before: when it is moved, and exported and imported again', async () => {
    const { ada, id: calendarId, take } = await importer(h)
    await take(calendar(daily('x', daysFrom('2026-01-11', MAX))))
    const [{ id }] = await ada.list('2026-01-01', '2026-01-02')
    const now = h.clock.now()
    await h.db.insert(eventOccurrences).values(
      daysFrom(addDaysTo('2026-01-11', MAX), 500).map((day) => ({
        eventId: id,
        occurrenceStart: `${day}T00:00:00`,
        isCancelled: true,
        changes: {},
        createdAt: now,
        updatedAt: now,
      })),
    )
    expect((await ada.change(id, { start_date: '2026-01-02' })).status).toBe(200)
    expect(await rowsOf(id)).toBe(MAX + 500)
    expect(await take(await exportOf(ada, calendarId))).toEqual(answer({ unchanged: 1 }))
  })
})
