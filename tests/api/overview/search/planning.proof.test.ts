import { expect, test } from 'bun:test'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import * as schema from '../../../../src/db/schema'
import { find } from '../../../../src/features/overview/search/queries'
import { KINDS } from '../../../../src/features/overview/search/rules'
import { startHarness } from '../../../support/harness'

test('PostgreSQL plans a search among long texts once, and not each time', async () => {
  await using h = await startHarness()
  const { row: ada } = await h.signedIn()
  const client = postgres(h.url, { max: 1, connection: { TimeZone: 'UTC' } })
  const [calendar] = await client<Array<{ id: number }>>`
    select id from calendars where user_id = ${ada.id} and is_default`
  if (!calendar) throw new Error('there is no default calendar')
  await client`
    insert into events (calendar_id, title, all_day, start_date, end_date, last_end_date, created_at, updated_at)
    select ${calendar.id}, 'Event ' || n, true, '2026-03-05', '2026-03-05', '2026-03-05', now(), now()
    from generate_series(1, 3000) as n`
  await client`
    insert into todos (user_id, title, description, priority, rank, created_at, updated_at)
    select ${ada.id}, 'event ' || n, case when n <= 200 then repeat('a b c d e f g h i j ', 500) else repeat('𝒳', 10000) end, 'none', n, now(), now() from generate_series(1, 2000) as n`
  await client.unsafe('vacuum analyze')
  const db = drizzle(client, { schema, casing: 'snake_case' })
  const own = [calendar.id]
  const search = { text: 'event', kinds: KINDS, userId: ada.id, calendarIds: own, ownIds: own }
  for (let time = 0; time < 8; time++) expect(await find(db, search, 50)).toHaveLength(50)
  const [planned] = await client`
    select generic_plans::integer as once from pg_prepared_statements where statement like '%search_words%'`
  await client.end()
  expect(planned?.['once']).toBeGreaterThan(0)
}, 30_000)
