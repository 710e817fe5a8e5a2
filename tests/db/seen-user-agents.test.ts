import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { firstMigrations, MIGRATIONS } from '../../src/adapters/migrations-folder'
import { applyMigrations } from '../../src/db/migrations'
import { administer, freshDatabaseUrl } from '../support/database'

test('browsers that had signed in before there was a record of them are known from their sessions', async () => {
  const journal = await Bun.file(join(MIGRATIONS, 'meta/_journal.json')).json()
  const before = journal.entries.findIndex(({ tag }: { tag: string }) => tag === '0019_recovery')
  await using database = await freshDatabaseUrl({ migrated: false })
  await using old = await firstMigrations(MIGRATIONS, before)
  await applyMigrations(database.url, old.path)
  const admin = administer(database.url)
  await admin`
    insert into users (username, network_name, password_hash, role, created_at, updated_at)
    values ('ada', 'ada', 'x', 'standard', now(), now())`
  await admin`
    insert into sessions (id, user_id, created_at, expires_at, last_seen_at, user_agent, auth_method, authenticated_at)
    select md5(n::text), (select id from users), now(), now(), timestamptz '2026-03-01T00:00:00Z' + n * interval '1 day',
      case n % 3 when 0 then 'Browser' when 1 then null else '' end, 'password', now() from generate_series(1, 6) n`
  await applyMigrations(database.url, MIGRATIONS)
  const seen = await admin`select user_agent, last_seen_at from seen_user_agents order by user_agent`
  expect([...seen]).toEqual([
    { user_agent: '', last_seen_at: new Date('2026-03-06') },
    { user_agent: 'Browser', last_seen_at: new Date('2026-03-07') },
  ])
  await admin.end()
})
