import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { exportOf, importer, importInto, newCalendar, twoYears } from '../../../support/calendar-files'
import { APPLE, GOOGLE, OUTLOOK, THUNDERBIRD } from '../../../support/calendar-producers'
import { at } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const step = fc.record({
  event: fc.nat(9),
  occurrence: fc.nat(6),
  scope: fc.constantFrom('all', 'this', 'following'),
  what: fc.constantFrom(
    'title',
    'reminder',
    'hour',
    'day',
    'length',
    'zone',
    'rule',
    'once',
    'delete',
    'kind',
  ),
})

const CHANGES: Readonly<Record<string, (allDay: boolean) => Record<string, unknown>>> = {
  title: () => ({ title: 'Other', location: null }),
  reminder: () => ({ reminder_minutes: 45 }),
  hour: (allDay) => (allDay ? {} : { start_at: '2026-03-12T11:30' }),
  day: (allDay) => (allDay ? { start_date: '2026-03-18' } : { start_at: '2026-03-18T18:30' }),
  length: (allDay) => (allDay ? { end_date: '2026-12-20' } : { end_at: '2026-12-20T20:00' }),
  zone: (allDay) => (allDay ? {} : { time_zone: 'Asia/Tokyo' }),
  rule: () => ({ recurrence_rule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=5' }),
  once: () => ({ recurrence_rule: null }),
  kind: (allDay) =>
    allDay
      ? {
          all_day: false,
          start_at: '2026-03-20T08:00',
          end_at: '2026-03-20T09:00',
          time_zone: 'Europe/Berlin',
        }
      : { all_day: true, start_date: '2026-03-20', end_date: '2026-03-20' },
}

test('whatever is changed here, another account that imports the export has the same occurrences', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(GOOGLE, APPLE, OUTLOOK, THUNDERBIRD),
      fc.array(step, { minLength: 1, maxLength: 5 }),
      async (file, steps) => {
        const { ada, id, take } = await importer(h)
        await take(file)
        for (const { event, occurrence, scope, what } of steps) {
          const { events } = (await ada.request('GET', `/api/calendars/${id}/events`)).body
          const one = events[event % events.length]
          if (!one) continue
          const { occurrences } = (await ada.occurrences(one.id, '2026-01-01', '2027-01-30')).body
          const start = occurrences[occurrence % Math.max(occurrences.length, 1)]?.occurrence_start
          const aim = scope === 'all' || !start ? undefined : at(start, scope)
          const answered = await (what === 'delete'
            ? ada.remove(one.id, aim)
            : ada.change(one.id, CHANGES[what]?.(one.all_day) ?? {}, aim))
          expect([200, 204, 409, 422]).toContain(answered.status)
        }
        const text = await exportOf(ada, id)
        const second = await newCalendar(ada)
        expect((await importInto(ada, second, text)).body.skipped).toEqual([])
        expect(await twoYears(ada, second)).toEqual(await twoYears(ada, id))
        expect((await take(text)).updated).toBe(0)
      },
    ),
    { numRuns: 30 },
  )
}, 90_000)
