import { describe, expect, test } from 'bun:test'
import { calendarOf } from '../../../support/calendar-files'
import { organiser } from '../../../support/events'
import { pausesOf } from '../../../support/pauses'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness()
const sql = useSql(h)

const times = { start_at: '2026-01-01T09:00', end_at: '2026-01-01T10:00', time_zone: 'UTC' }

/** Moves as many occurrences of the series to the tenth of March. */
const moveMany = (id: number, count: number, from = '2026-04-01 09:00') => sql`
  insert into event_occurrences (event_id, occurrence_start, start_at, end_at, changes, created_at, updated_at)
  select ${id}, ${from}::text::timestamp + n * interval '1 day', '2026-03-10T12:00Z', '2026-03-10T13:00Z', '{}', now(), now()
  from generate_series(1, ${count}) n`

describe('a series of which many occurrences are in one day', () => {
  test('lets others in within a window and within the dashboard, after each of them', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({ ...times, recurrence_rule: 'FREQ=DAILY' })
    await moveMany(id, 3000)
    const window = () => ada.list('2026-03-10', '2026-03-11')
    expect(await window()).toHaveLength(3001)
    expect(await pausesOf(h, window)).toBeGreaterThan(3000)
    const dashboard = () => ada.dashboard('2026-03-10')
    expect((await dashboard()).body.events).toHaveLength(50)
    expect(await pausesOf(h, dashboard)).toBeGreaterThan(3000)
  })

  test('is refused at the first beyond the bound', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({ ...times, recurrence_rule: 'FREQ=DAILY' })
    await moveMany(id, 5001)
    const refused = () => ada.window('2026-03-10', '2026-03-11')
    expect(await refused()).toMatchObject({ status: 422, body: { detail: 'Narrow the window' } })
    const paused = await pausesOf(h, refused)
    expect(paused).toBeGreaterThan(4500)
    expect(paused).toBeLessThan(5500)
    await moveMany(id, 15_000, '2046-04-01 09:00')
    expect(await refused()).toMatchObject({ status: 422 })
    expect(await pausesOf(h, refused)).toBeLessThan(50)
  })
})

describe('a day of hundreds of series with an occurrence an hour', () => {
  test('is looked at on the dashboard only as far as the dashboard shows it', async () => {
    const ada = await organiser(h)
    const id = await calendarOf(ada)
    const hours = Array.from({ length: 24 }, (_, hour) => hour).join()
    await sql`
      insert into events (calendar_id, title, all_day, start_at, end_at, start_wall, time_zone, recurrence_rule, created_at, updated_at)
      select ${id}, 'S' || n, false, at, at + interval '30 minutes', at at time zone 'UTC', 'UTC', ${`FREQ=DAILY;BYHOUR=${hours}`}, now(), now()
      from generate_series(1, 400) n, lateral (select timestamptz '2026-01-01T00:00Z' as at) m`
    await ada.create({
      title: 'first',
      start_at: '2026-03-10T00:00',
      end_at: '2026-03-10T00:10',
      time_zone: 'UTC',
    })
    await ada.create({ title: 'days', all_day: true, start_date: '2026-03-10', end_date: '2026-03-10' })
    const dashboard = () => ada.dashboard('2026-03-10')
    const { events } = (await dashboard()).body
    const titles = events.map(({ title }: { title: string }) => title)
    expect(titles.slice(0, 3)).toEqual(['days', 'S1', 'S2'])
    expect([titles.length, titles.at(-1)]).toEqual([50, 'S49'])
    expect(await pausesOf(h, dashboard)).toBeLessThan((400 * 24) / 3)
  })
})

describe('series of which an occurrence was moved to the edge of a window', () => {
  test('are not counted, however many they are, unless they are in the answer', async () => {
    const ada = await organiser(h)
    const id = await calendarOf(ada)
    await ada.create({ title: 'own', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' })
    await sql`
      with made as (
        insert into events (calendar_id, title, all_day, start_at, end_at, start_wall, time_zone, recurrence_rule, created_at, updated_at)
        select ${id}, 'S' || n, false, '2027-01-01T09:00Z', '2027-01-01T10:00Z', '2027-01-01 09:00', 'UTC', 'FREQ=DAILY', now(), now()
        from generate_series(1, 6001) n returning id, title)
      insert into event_occurrences (event_id, occurrence_start, start_at, end_at, changes, created_at, updated_at)
      select id, '2027-01-01 09:00', timestamptz '2026-03-09T22:00Z' + shift, timestamptz '2026-03-09T23:00Z' + shift, '{}', now(), now()
      from made, lateral (select case when title = 'S6001' then interval '2 hours' else interval '0' end as shift) as shifts`
    const titles = (await ada.list('2026-03-10', '2026-03-11')).map(({ title }) => title)
    expect(titles).toEqual(['S6001', 'own'])
    const { body } = await ada.dashboard('2026-03-10')
    expect(body.events.map(({ title }: { title: string }) => title)).toEqual(['S6001', 'own'])
  })
})

describe('a long answer', () => {
  const path = '/api/events?from=2026-03-10&to=2026-03-11'

  test('is written while others are let in, and says the same as short ones', async () => {
    const ada = await organiser(h)
    const series = await ada.create({ ...times, title: 'Ü"\n', recurrence_rule: 'FREQ=DAILY' })
    await moveMany(series.id, 2000)
    const { status, headers, body } = await ada.request('GET', path)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(Object.keys(body)).toEqual(['events', 'invitations_truncated'])
    expect([body.events.length, body.invitations_truncated]).toEqual([2001, false])
    const short = await ada.window('2026-03-10', '2026-03-10T11:00Z')
    expect(short.body.events).toEqual([body.events[0]])
    expect(short.body.events).toHaveLength(1)
    const occurrences = await ada.occurrences(series.id, '2026-03-10', '2026-03-11')
    expect(occurrences.body).toEqual({ occurrences: body.events, invitations_truncated: false })
    // Each is looked at, shown and written.
    expect(await pausesOf(h, () => ada.request('GET', path))).toBeGreaterThan(3 * 2001)
  })

  test('is not written for HEAD', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({ ...times, recurrence_rule: 'FREQ=DAILY' })
    await moveMany(id, 2000)
    const asked = () => ada.request('HEAD', path)
    const { status, headers, body } = await asked()
    expect([status, headers.get('content-type'), body]).toEqual([200, 'application/json', ''])
    expect(await pausesOf(h, asked)).toBeLessThan(2.5 * 2001)
  })
})
