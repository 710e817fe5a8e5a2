import { expect, test } from 'bun:test'
import { firstMigrations, MIGRATIONS } from '../../src/adapters/migrations-folder'
import { applyMigrations } from '../../src/db/migrations'
import { administer, freshDatabaseUrl } from '../support/database'

/** Migrations before that which brings the table. */
const BEFORE = 18

test('every extra start that an event had before stands in the table, however many they are', async () => {
  await using database = await freshDatabaseUrl({ migrated: false })
  await using old = await firstMigrations(MIGRATIONS, BEFORE)
  await applyMigrations(database.url, old.path)
  const admin = administer(database.url)
  await admin`insert into users (username, network_name, password_hash, role, created_at, updated_at) values ('a', 'a', 'x', 'standard', now(), now())`
  await admin`insert into calendars (user_id, name, color, created_at, updated_at) select id, 'C', '#aabbcc', now(), now() from users`
  const event = (extras: string[]) => admin`
    insert into events (calendar_id, title, all_day, start_at, end_at, start_wall, time_zone, recurrence_rule, extra_starts, last_end_at, created_at, updated_at)
    select id, 'E', false, '2026-01-01', '2026-01-01', '2026-01-01', 'UTC', 'FREQ=DAILY;COUNT=1', ${admin.json(extras)}, '2026-01-01', now(), now() from calendars
    returning id`
  const minutes = Array.from({ length: 1500 }, (_, i) =>
    new Date(Date.UTC(2026, 1, 1) + i * 60_000 + 123).toISOString().slice(0, -1),
  )
  const [[many], [few], [none]] = [
    await event(minutes),
    await event(['2026-03-04T10:00:00.000']),
    await event([]),
  ]
  await applyMigrations(database.url, MIGRATIONS)
  const startsOf = async (row: Record<string, number> | undefined) => {
    const rows = await admin`
      select to_char(start, 'YYYY-MM-DD"T"HH24:MI:SS.MS') as start from event_extra_starts where event_id = ${row?.['id'] ?? 0} order by 1`
    return rows.map(({ start }) => String(start))
  }
  expect(await startsOf(many)).toEqual(minutes)
  expect(await startsOf(few)).toEqual(['2026-03-04T10:00:00.000'])
  expect(await startsOf(none)).toEqual([])
  await admin.end()
})
