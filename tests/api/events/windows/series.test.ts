import { expect, test } from 'bun:test'
import { calendarOf } from '../../../support/calendar-files'
import { organiser } from '../../../support/events'
import { pausesOf } from '../../../support/pauses'
import type { Actor } from '../../../support/harness'
import { observed, rowsReadBy } from '../../../support/statements'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness()
const sql = useSql(h)

const DAY = '2026-03-10'
const NEXT = '2026-03-11'
const WINDOW = `/api/events?from=${DAY}&to=${NEXT}`

/** Series that began long ago, and have an occurrence every 40 years. */
async function insertRareSeries(actor: Actor, count: number) {
  const id = await calendarOf(actor)
  await sql`
    insert into events (calendar_id, title, all_day, start_date, end_date, recurrence_rule, created_at, updated_at)
    select ${id}, 'R' || n, true, '1904-02-29', '1904-02-29', 'FREQ=YEARLY;INTERVAL=40;BYMONTH=2;BYMONTHDAY=29', now(), now()
    from generate_series(1, ${count}) n`
}

test('a window of more than a thousand series shows those that are in it', async () => {
  const ada = await organiser(h)
  const id = await calendarOf(ada)
  await sql`
    insert into events (calendar_id, title, all_day, start_date, end_date, recurrence_rule, created_at, updated_at)
    select ${id}, 'S' || n, true, date '2020-01-01' + n, date '2020-01-01' + n, 'FREQ=YEARLY', now(), now() from generate_series(0, 2199) n`
  expect(await ada.list(DAY, NEXT)).toHaveLength(6)
  expect(await ada.list(DAY, NEXT, { q: 's69' })).toHaveLength(1)
})

test('a window examines each of many rare series once', async () => {
  const ada = await organiser(h)
  await insertRareSeries(ada, 4000)
  await ada.create({ title: 'Choir', start_at: `${DAY}T09:00`, end_at: `${DAY}T10:00` })
  await sql`analyze events`
  using statements = observed(h.db)
  const { body } = await ada.request('GET', WINDOW)
  expect(body.events).toMatchObject([{ title: 'Choir' }])
  let read = 0
  for (const one of statements) read += await rowsReadBy(sql, one, 'events')
  expect(read).toBeLessThan(6 * 4000)
})

test('a window and the dashboard find what is in them among more than 10 000 series', async () => {
  const ada = await organiser(h)
  await insertRareSeries(ada, 10_001)
  await ada.create({ title: 'Choir', start_at: `${DAY}T09:00`, end_at: `${DAY}T10:00` })
  const { status, body } = await ada.request('GET', WINDOW)
  expect([status, body]).toMatchObject([200, { events: [{ title: 'Choir' }] }])
  const dashboard = await ada.request('GET', `/api/dashboard?date=${DAY}`)
  expect(dashboard.body.events).toMatchObject([{ title: 'Choir' }])
})

test('a window lets others in while it looks through series that have no occurrence in it', async () => {
  const ada = await organiser(h)
  await insertRareSeries(ada, 50)
  expect(await pausesOf(h, () => ada.request('GET', WINDOW))).toBeGreaterThanOrEqual(50)
})
