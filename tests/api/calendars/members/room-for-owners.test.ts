import { expect, test } from 'bun:test'
import { calendar as calendarFile, importInto } from '../../../support/calendar-files'
import { type Actor } from '../../../support/harness'
import { sharedWith } from '../../../support/sharing'
import { FOR_OTHERS, MANY, pretendCount } from '../../../support/tallies'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness()
const sql = useSql(h)

const DAY = { all_day: true, start_date: '2026-05-01', end_date: '2026-05-01' }
const SERIES = { title: 'S', ...DAY, recurrence_rule: 'FREQ=DAILY' }
const FULL = { status: 409, body: { detail: 'This calendar is full' } }

const pretend = (actor: Actor, kind: string, count: number) => pretendCount(sql, actor, kind, count)
const countOf = async ({ row }: Actor, kind: string): Promise<number> =>
  (await sql`select count from tallies where kind = ${kind} and owner_id = ${row.id}`)[0]?.count ?? 0
const create = (actor: Actor, body: object) => actor.request('POST', '/api/events', { body })

test('whoever writes into a shared calendar leaves its owner a fifth of the events', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'write')
  const within = { ...SERIES, calendar_id: calendar.id }
  const { body: series } = await create(bob, within)
  const { body: own } = await create(bob, SERIES)
  await pretend(ada, 'events', FOR_OTHERS - 1)
  expect((await create(bob, within)).status).toBe(201)

  const file = calendarFile(['UID:e', 'DTSTART;VALUE=DATE:20260501', 'SUMMARY:E'])
  const [path, body] = [`/api/events/${series.id}`, { title: 'U' }]
  for (const add of [
    () => create(bob, within),
    () => importInto(bob, calendar.id, file),
    () => importInto(bob, calendar.id, file, '?dry_run=true'),
    () => bob.request('PUT', `/api/events/${own.id}`, { body: { calendar_id: calendar.id } }),
    () => bob.request('PUT', `${path}?scope=following&occurrence_start=2026-05-03`, { body }),
  ])
    expect(await add()).toMatchObject(FULL)
  expect(await countOf(ada, 'events')).toBe(FOR_OTHERS)

  expect((await create(ada, within)).status).toBe(201)
  expect((await importInto(ada, calendar.id, file)).body).toMatchObject({ created: 1 })
})

test('whoever writes into a shared calendar that is full for them changes and deletes what is there', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'write')
  const { body: event } = await create(ada, { ...SERIES, calendar_id: calendar.id })
  await pretend(ada, 'events', MANY - 1)
  const path = `/api/events/${event.id}`
  expect((await bob.request('PUT', path, { body: { title: 'U' } })).status).toBe(200)
  expect((await bob.request('DELETE', path)).status).toBe(204)
  expect(await countOf(ada, 'events')).toBe(MANY - 2)
})

test('whoever writes into a shared calendar leaves its owner a fifth of the occurrences that differ', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'write')
  const { body: event } = await create(ada, { ...SERIES, calendar_id: calendar.id })
  const at = (day: string) => `/api/events/${event.id}?scope=this&occurrence_start=${day}`
  const change = (actor: Actor, day: string) => actor.request('PUT', at(day), { body: { title: day } })
  const cancel = (actor: Actor, day: string) => actor.request('DELETE', at(day))
  await pretend(ada, 'occurrences', FOR_OTHERS - 1)
  expect((await change(bob, '2026-05-02')).status).toBe(200)
  expect(await change(bob, '2026-05-03')).toMatchObject(FULL)
  expect(await cancel(bob, '2026-05-03')).toMatchObject(FULL)
  expect((await cancel(bob, '2026-05-02')).status).toBe(204)
  expect((await change(ada, '2026-05-03')).status).toBe(200)
})

test('whoever writes into a shared calendar takes the last place of their own quota as before', async () => {
  const { bob, calendar } = await sharedWith(h, 'write')
  await pretend(bob, 'events', MANY - 1)
  expect((await create(bob, { ...SERIES, calendar_id: calendar.id })).status).toBe(201)
  expect((await create(bob, SERIES)).status).toBe(201)
  expect(await countOf(bob, 'events')).toBe(MANY)
})
