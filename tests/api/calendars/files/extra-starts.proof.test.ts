import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { eventExtraStarts, events } from '../../../../src/db/schema'
import { addDaysTo } from '../../../../src/lib/time/wall-time'
import {
  calendar,
  exportOf,
  importInto,
  importer,
  newCalendar,
  wrapped,
} from '../../../support/calendar-files'
import { at } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const RULES = [
  'FREQ=WEEKLY',
  'FREQ=WEEKLY;INTERVAL=2;UNTIL=20320101',
  'FREQ=DAILY;COUNT=5',
  'FREQ=WEEKLY;COUNT=7',
  'FREQ=MONTHLY;UNTIL=20260801',
]

test.each(['no rule', ...RULES])(
  'a start beside %s is changed, cancelled, moved and divided at like any other occurrence',
  async (rule) => {
    const { ada, take, starts } = await importer(h)
    const lines = [
      'UID:x',
      'DTSTART:20260302T090000',
      'SUMMARY:X',
      ...(RULES.includes(rule) ? [`RRULE:${rule}`] : []),
    ]
    await take(calendar([...lines, 'RDATE:20260311T100000,20260325T110000,20260408T120000']))
    const [{ id }] = await ada.list('2026-03-02', '2026-03-03')
    const before = await starts()
    expect(before).toContain('2026-03-25T11:00:00+01:00')
    const divided = await ada.change(id, { title: 'Y' }, at('2026-03-25T11:00', 'following'))
    expect(divided).toMatchObject({
      status: 200,
      body: { title: 'Y', start_at: '2026-03-25T11:00:00+01:00' },
    })
    expect(await starts()).toEqual(before)
    await ada.remove(id, at('2026-03-11T10:00'))
    expect(await starts()).toEqual(before.filter((start) => start !== '2026-03-11T10:00:00+01:00'))
    await ada.change(divided.body.id, { start_at: '2026-03-25T12:00' })
    expect(await starts()).toContain('2026-04-08T13:00:00+02:00')
  },
)

test('extra starts without a rule show a rule that names the first alone, and are exported without one', async () => {
  const { ada, id, take, starts } = await importer(h)
  const dates = 'RDATE;TZID=Europe/Berlin:20260311T100000,20260325T110000'
  await take(calendar(['UID:x', 'DTSTART;TZID=Europe/Berlin:20260302T090000', 'SUMMARY:X', dates]))
  const [shown] = await ada.list('2026-03-02', '2026-03-03')
  expect(shown.recurrence_rule).toBe('FREQ=DAILY;COUNT=1')
  const before = await starts()
  expect(before).toHaveLength(3)
  // Who sends back what they read changes nothing.
  const { recurrence_rule } = shown
  expect((await ada.change(shown.id, { recurrence_rule, title: 'Y' })).status).toBe(200)
  expect(await starts()).toEqual(before)
  const file = await exportOf(ada, id)
  expect(file.split('BEGIN:VEVENT')[1]).not.toContain('RRULE')
  expect(file).toContain(dates)
  const other = await newCalendar(ada)
  await importInto(ada, other, file)
  const copies = await ada.list('2026-03-01', '2026-04-01', { calendar_id: String(other) })
  expect(copies.map((one) => [one.start_at, one.recurrence_rule])).toEqual(
    before.map((start) => [start, 'FREQ=DAILY;COUNT=1']),
  )
  await ada.change(shown.id, { recurrence_rule: null })
  expect(await starts()).toEqual(before.slice(0, 1))
})

/** Days as RDATE lists them. */
const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, i) => addDaysTo(first, i).replaceAll('-', ''))
const dated = (uid: string, dates: readonly string[], ...more: readonly string[]) => [
  `UID:${uid}`,
  'DTSTART;VALUE=DATE:20260101',
  'SUMMARY:X',
  `RDATE;VALUE=DATE:${dates.join()}`,
  ...more,
]
const TOO_MANY = 'has more than 1000 dates beside its rule: the first 1000 are taken'

test('each of 20 events with 50 000 extra dates has the first 1 000, and each loss is told', async () => {
  const { ada, id, take } = await importer(h)
  const dates = daysFrom('2030-01-01', 50_000).toReversed()
  const file = calendar(...Array.from({ length: 20 }, (_, i) => dated(`k${i}`, dates)))
  const skipped = Array.from({ length: 20 }, (_, i) => ({ uid: `k${i}`, reason: TOO_MANY }))
  expect(await take(file)).toEqual({ created: 20, updated: 0, unchanged: 0, skipped })
  const one = calendar(dated('k0', dates))
  const answer = { created: 0, updated: 0, unchanged: 1, skipped: skipped.slice(0, 1) }
  expect([await take(one), await take(one, '?dry_run=true')]).toEqual([answer, answer])
  const rows = await h.db
    .select({ start: eventExtraStarts.start })
    .from(eventExtraStarts)
    .innerJoin(events, eq(events.id, eventExtraStarts.eventId))
    .where(eq(events.calendarId, id))
  expect(rows).toHaveLength(20_000)
  const last = addDaysTo('2030-01-01', 999)
  expect(await ada.starts(last, addDaysTo(last, 10), { calendar_id: String(id) })).toEqual(
    Array.from({ length: 20 }, () => last),
  )
}, 60_000)

test('an event of 1 000 extra dates comes out and goes in unchanged, and a new file replaces them', async () => {
  const { ada, id, take, starts } = await importer(h)
  const answer = (fields: object) => ({ created: 0, updated: 0, unchanged: 0, skipped: [], ...fields })
  const file = calendar(dated('x', daysFrom('2026-02-01', 1000)))
  expect(await take(file)).toEqual(answer({ created: 1 }))
  expect(await take(file)).toEqual(answer({ unchanged: 1 }))
  expect(await starts('2026-01-01', '2026-12-31')).toHaveLength(334)
  await ada.change((await ada.list('2026-01-01', '2026-01-02'))[0].id, { title: 'Y' })
  expect(await take(await exportOf(ada, id))).toEqual(answer({ unchanged: 1 }))
  expect(await take(calendar(dated('x', ['20260203', '20260207'])))).toEqual(answer({ updated: 1 }))
  expect(await starts()).toEqual(['2026-01-01', '2026-02-03', '2026-02-07'])
})

test('dates that only overrides name count as extra dates: those beyond 1 000 are left out and told', async () => {
  const { take, starts } = await importer(h)
  const overrides = ['20300101', '20280101'].map((day) => [
    'BEGIN:VEVENT',
    'UID:x',
    `RECURRENCE-ID;VALUE=DATE:${day}`,
    `DTSTART;VALUE=DATE:${day}`,
    `SUMMARY:${day}`,
    'END:VEVENT',
  ])
  const series = ['BEGIN:VEVENT', ...dated('x', daysFrom('2026-02-01', 1000)), 'END:VEVENT']
  expect(await take(wrapped(series, ...overrides))).toMatchObject({
    created: 1,
    skipped: [{ uid: 'x', reason: TOO_MANY }],
  })
  expect([await starts('2030-01-01', '2030-01-02'), await starts('2028-10-27', '2028-10-29')]).toEqual([
    [],
    ['2028-10-27'],
  ])
  expect(await starts('2028-01-01', '2028-01-02')).toEqual(['2028-01-01'])
})

test('a series that repeats every other week without end cannot be divided at a start in between, as no rule would say the rest', async () => {
  const { ada, take, starts } = await importer(h)
  const lines = ['UID:x', 'DTSTART:20260302T090000', 'SUMMARY:X', 'RRULE:FREQ=WEEKLY;INTERVAL=2']
  await take(calendar([...lines, 'RDATE:20260311T100000,20260325T110000']))
  const [{ id }] = await ada.list('2026-03-02', '2026-03-03')
  const before = await starts()
  const rest = at('2026-03-25T11:00', 'following')
  const refused = await ada.change(id, { title: 'Y' }, rest)
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [
      {
        field: 'query.occurrence_start',
        message: 'is beside the rule, and from there on the series would need more than 1000 extra dates',
      },
    ],
  ])
  expect(await starts()).toEqual(before)
  expect((await ada.remove(id, rest)).status).toBe(204)
  expect(await starts()).toEqual(before.filter((start) => start < '2026-03-25'))
})

test('an event that had more than 1 000 extra dates before keeps them: moved, divided, exported and imported again', async () => {
  const { ada, id, take, starts } = await importer(h)
  await take(calendar(dated('x', ['20260201'])))
  const [event] = await ada.list('2026-01-01', '2026-01-02')
  const starting = Array.from({ length: 1500 }, (_, i) => `${addDaysTo('2026-02-02', i)}T00:00:00`)
  await h.db.insert(eventExtraStarts).values(starting.map((start) => ({ eventId: event.id, start })))
  await h.db
    .update(events)
    .set({ lastEndDate: addDaysTo('2026-02-02', 1499) })
    .where(eq(events.id, event.id))
  const count = (eventId: number) => h.db.$count(eventExtraStarts, eq(eventExtraStarts.eventId, eventId))
  expect((await ada.change(event.id, { start_date: '2026-01-02' })).status).toBe(200)
  expect([await count(event.id), await starts('2030-03-01', '2030-04-01')]).toEqual([
    1501,
    Array.from({ length: 13 }, (_, i) => addDaysTo('2030-03-01', i)),
  ])
  expect(await take(await exportOf(ada, id))).toEqual({ created: 0, updated: 0, unchanged: 1, skipped: [] })
  const other = await newCalendar(ada)
  expect((await ada.change(event.id, { calendar_id: other })).status).toBe(200)
  const rest = at('2026-02-12', 'following')
  const { body: divided } = await ada.change(event.id, { title: 'Y' }, rest)
  expect([await count(event.id), await count(divided.id)]).toEqual([10, 1490])
  expect(await starts('2030-03-01', '2030-04-01')).toEqual([])
  expect(await ada.starts('2030-03-01', '2030-04-01', { calendar_id: String(other) })).toHaveLength(13)
})
