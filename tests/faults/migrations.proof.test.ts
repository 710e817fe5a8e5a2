import { expect, setDefaultTimeout, test } from 'bun:test'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type postgres from 'postgres'
import journal from '../../drizzle/meta/_journal.json'
import { firstMigrations, MIGRATIONS } from '../../src/adapters/migrations-folder'
import { applyMigrations } from '../../src/db/migrations'
import { zoneNamed } from '../../src/lib/time/zone-names'
import { administer, freshDatabaseUrl } from '../support/database'
import { commandPath, ROOT, spawnProgram, startService } from '../support/service'

setDefaultTimeout(60_000)

const known = readMigrationFiles({ migrationsFolder: MIGRATIONS }).map(({ hash }) => hash)

/** The migrations that a database says it has had, and the advisory locks that are held in it. */
async function stateOf(url: string) {
  const sql = administer(url)
  try {
    const applied = await sql`select hash from drizzle.__drizzle_migrations order by created_at`
    const locks = await sql`
      select objid from pg_locks join pg_database on pg_database.oid = database
      where locktype = 'advisory' and datname = current_database()`
    return { applied: applied.map((row) => String(row['hash'])), locks: [...locks] }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** For how many days the database keeps audit entries. */
async function retentionOf(url: string): Promise<unknown> {
  const sql = administer(url)
  const [row] = await sql`select public.audit_retention_days() as days`
  await sql.end({ timeout: 5 })
  return row?.['days']
}

const SERVICE = { SECRET_KEYS: 'k1:faults-faults-faults-faults-faults' }

test('five services that start at once on an empty database get ready, and apply each migration once', async () => {
  await using database = await freshDatabaseUrl({ migrated: false })
  const env = { ...SERVICE, DATABASE_URL: database.url }
  const starts = await Promise.allSettled(Array.from({ length: 5 }, () => startService({ env })))
  await using services = new AsyncDisposableStack()
  for (const start of starts) if (start.status === 'fulfilled') services.use(start.value)
  expect(starts.map(({ status }) => status)).toEqual(Array(5).fill('fulfilled'))
  expect(await stateOf(database.url)).toEqual({ applied: known, locks: [] })
  expect(await retentionOf(database.url)).toBe(365)
})

test('each start tells the database for how many days it keeps audit entries', async () => {
  await using database = await freshDatabaseUrl()
  expect(await retentionOf(database.url)).toBe(36_500)
  for (const days of [30, 400]) {
    const env = { ...SERVICE, DATABASE_URL: database.url, AUDIT_RETENTION_DAYS: String(days) }
    const service = await startService({ env })
    expect(await service.stop()).toBe(0)
    expect(await retentionOf(database.url)).toBe(days)
  }
})

test('migrating ends with 0, and so it does a second time, when there is nothing to do', async () => {
  await using database = await freshDatabaseUrl({ migrated: false })
  for (const _ of ['first', 'second']) {
    const migrate = spawnProgram({ args: [commandPath('migrate')], env: { DATABASE_URL: database.url } })
    expect(await migrate.finished()).toEqual({
      exitCode: 0,
      stdout: 'The database is up to date.\n',
      stderr: '',
    })
    expect(await stateOf(database.url)).toEqual({ applied: known, locks: [] })
  }
})

test('migrating a database that is out of reach ends with 1 and one line', async () => {
  const env = { DATABASE_URL: 'postgres://organiser:not-to-be-seen@127.0.0.1:1/organiser' }
  const { exitCode, stdout, stderr } = await spawnProgram({
    args: [commandPath('migrate')],
    env,
  }).finished()
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/^Cannot migrate: .+\n$/)
  expect(stdout + stderr).not.toContain('not-to-be-seen')
})

test('a migration that fails is reported in one line, and leaves nothing behind', async () => {
  await using database = await freshDatabaseUrl({ migrated: false })
  const sql = administer(database.url)
  await sql`create table sessions (id int)`
  const env = { DATABASE_URL: database.url }
  const { exitCode, stderr } = await spawnProgram({ args: [commandPath('migrate')], env }).finished()
  const tables = await sql`select table_name from information_schema.tables where table_schema = 'public'`
  await sql.end({ timeout: 5 })
  expect(exitCode).toBe(1)
  expect(stderr).toBe('Cannot migrate: relation "sessions" already exists\n')
  expect([...tables]).toEqual([{ table_name: 'sessions' }])
  expect(await stateOf(database.url)).toEqual({ applied: [], locks: [] })
})

test('the migrations make the schema that the code has: there is nothing to generate', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'organiser-drift-'))
  try {
    const out = join(folder, 'drizzle')
    await cp(MIGRATIONS, out, { recursive: true })
    const files = async () => (await readdir(out, { recursive: true })).toSorted()
    const before = await files()
    const config = join(folder, 'drizzle.config.json')
    await Bun.write(
      config,
      JSON.stringify({
        dialect: 'postgresql',
        schema: './src/db/schema/index.ts',
        casing: 'snake_case',
        out: relative(ROOT, out),
      }),
    )
    const args = ['node_modules/drizzle-kit/bin.cjs', 'generate', '--config', relative(ROOT, config)]
    const { exitCode, stdout } = await spawnProgram({
      args,
      env: { PATH: process.env['PATH'] ?? '' },
    }).finished()
    expect(exitCode).toBe(0)
    expect(stdout).toContain('No schema changes')
    expect(await files()).toEqual(before)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('zones that were kept in another spelling get that of the time zone database, and nothing else changes', async () => {
  await using database = await freshDatabaseUrl({ migrated: false })
  const before = journal.entries.findIndex(({ tag }) => tag.endsWith('_zone_names'))
  await using level = await firstMigrations(MIGRATIONS, before)
  await using next = await firstMigrations(MIGRATIONS, before + 1)
  await applyMigrations(database.url, level.path)
  const sql = administer(database.url)
  const rows = (table: string) => sql`select * from ${sql(table)} order by 1`
  try {
    await sql.unsafe(`
      insert into users (username, network_name, password_hash, role, created_at, updated_at)
        values ('ada', 'ada', '', 'standard', now(), now());
      insert into settings (user_id, time_zone, created_at, updated_at)
        select id, 'eUROPE/bERLIN', now(), now() from users;
      insert into calendars (user_id, name, color, created_at, updated_at)
        select id, 'Work', '#3b82f6', now(), now() from users;
      insert into events (calendar_id, title, all_day, start_at, end_at, start_wall, time_zone, last_end_at, created_at, updated_at)
        select id, zone, false, now(), now(), now(), zone, now(), now(), now()
        from calendars, unnest(array['us/eastern', 'Asia/Calcutta', 'mars/base']) as zone;
      insert into events (calendar_id, title, all_day, start_date, end_date, last_end_date, created_at, updated_at)
        select id, 'all day', true, '2026-03-05', '2026-03-05', '2026-03-05', now(), now() from calendars;
      insert into reminders (user_id, title, time_zone, version, created_at, updated_at)
        select id, name, lower(name), 7, now(), now() from users, pg_timezone_names;`)
    const stored = await Promise.all(['settings', 'events', 'reminders'].map(rows))
    await applyMigrations(database.url, next.path)
    const [settings, events, reminders] = await Promise.all(['settings', 'events', 'reminders'].map(rows))
    const corrected = (row: postgres.Row) => ({
      ...row,
      time_zone: row['time_zone'] && (zoneNamed(row['time_zone']) ?? row['time_zone']),
    })
    expect([settings, events, reminders].map((found) => [...(found ?? [])])).toEqual(
      stored.map((found) => [...found].map(corrected)),
    )
    expect(settings?.map((row) => row['time_zone'])).toEqual(['Europe/Berlin'])
    expect(events?.map((row) => row['time_zone'])).toEqual(['US/Eastern', 'Asia/Calcutta', 'mars/base', null])
    expect(reminders?.length).toBeGreaterThan(400)
  } finally {
    await sql.end({ timeout: 5 })
  }
})

test('settled requests, unread notifications and lines of before are settled as those of now are', async () => {
  await using database = await freshDatabaseUrl({ migrated: false })
  const before = journal.entries.findIndex(({ tag }) => tag.endsWith('_hiding'))
  await using level = await firstMigrations(MIGRATIONS, before)
  await applyMigrations(database.url, level.path)
  const sql = administer(database.url)
  try {
    await sql.unsafe(`
      insert into users (username, network_name, password_hash, role, created_at, updated_at)
        select name, name, '', 'standard', now(), now() from unnest(array['ada', 'bob']) as name;
      insert into settings (user_id, preferred_name, share_preferred_name, created_at, updated_at)
        select id, upper(username), username = 'ada', now(), now() from users;
      insert into connection_requests (sender_id, receiver_id, status, message, created_at, updated_at)
        select 1, 2, status, n, now(), now()
        from unnest(array['rejected', 'cancelled', 'rejected', 'pending']) with ordinality as old (status, n);
      insert into connection_requests (sender_id, receiver_id, status, message, created_at, updated_at)
        values (2, 1, 'rejected', 5, now(), now());
      insert into notifications (user_id, type, title, message, data, created_at)
        select 2, 'connection_request', 'T', 'of ' || id, jsonb_build_object('request_id', id), now() from connection_requests;
      insert into notifications (user_id, type, title, message, data, created_at)
        select 1, type, 'T', type || n, '{"event_id": 7, "invitation_id": 8}', now() + n * interval '1 minute'
        from unnest(array['event_changed', 'security']) as type, generate_series(1, 3) as n;
      insert into people (user_id, nickname, address, version, created_at, updated_at)
        values (1, E'a\\u0007\\tb\\u0085', E'1\\u0001 Road\\nTown', 3, now(), now()),
          (1, E'\\u0007\\u202e', null, 3, now(), now()), (1, 'Bob', E'1 Road\\nTown', 3, now(), now());
      update settings set company = E'\\u202bAcme\\u202c', job_title = E'\\u0001' where user_id = 1;
      insert into calendars (user_id, name, color, created_at, updated_at)
        select 1, name, '#000000', now(), now() from unnest(array[E'Work\\u202e', E'\\u0001Work', 'Work', 'a b', E'Choir\\n']) as name;
      insert into event_templates (user_id, name, title, created_at, updated_at)
        values (1, E'N\\u0001', E'\\u202eT', now(), now());
      insert into events (calendar_id, title, location, all_day, start_date, end_date, last_end_date, created_at, updated_at)
        values (1, E'\\u0001', E'\\u202aHall\\u202c', true, '2026-05-01', '2026-05-01', '2026-05-01', now(), now());
      insert into todos (user_id, title, category, priority, rank, created_at, updated_at)
        values (1, E'\\u202eexe', E'\\n', 'none', 1, now(), now()), (1, 'Plain', 'C', 'none', 2, now(), now());
      insert into reminders (user_id, title, time_zone, created_at, updated_at) values (1, E'\\u0085', 'UTC', now(), now());
      insert into projects (user_id, name, rank, created_at, updated_at) values (1, E'P\\u0001Q', 1, now(), now());
      insert into project_tasks (project_id, title, rank, created_at, updated_at) values (1, E'\\u202dT', 1, now(), now());`)
    await applyMigrations(database.url, MIGRATIONS)
    const requests = await sql`
      select message, status, sender_network_name, sender_preferred_name, receiver_network_name, receiver_preferred_name
      from connection_requests order by id`
    const [adas, bobs] = [
      ['ada', 'ADA', 'bob', null],
      ['bob', null, 'ada', 'ADA'],
    ]
    expect(requests.map((row) => Object.values(row))).toEqual([
      ['1', 'cancelled', ...adas],
      ['2', 'cancelled', ...adas],
      ['3', 'cancelled', ...adas],
      ['4', 'pending', null, null, null, null],
      ['5', 'rejected', ...bobs],
    ])
    const told = await sql`select message from notifications where not is_read order by id`
    expect(told.map(({ message }) => message)).toEqual([
      'of 4',
      'of 5',
      'event_changed3',
      'security1',
      'security2',
      'security3',
    ])
    expect((await sql`select count(*)::integer from notifications`)[0]).toEqual({ count: 8 })
    const lines = async (query: string) => (await sql.unsafe(query)).map((row) => Object.values(row))
    expect(await lines('select nickname, address, version from people order by id')).toEqual([
      ['a \tb', '1  Road\nTown', 4],
      ['Untitled', null, 4],
      ['Bob', '1 Road\nTown', 3],
    ])
    expect(await lines('select company, job_title from settings order by user_id')).toEqual([
      ['Acme', null],
      [null, null],
    ])
    expect((await lines('select name from calendars order by id')).flat()).toEqual([
      'Work (1)',
      'Work (2)',
      'Work',
      'a b',
      'Choir',
    ])
    expect(await lines('select name, title from event_templates')).toEqual([['N', 'T']])
    expect(await lines('select title, location, version from events')).toEqual([['(no title)', 'Hall', 2]])
    expect(await lines('select title, category, version from todos order by id')).toEqual([
      ['exe', null, 2],
      ['Plain', 'C', 1],
    ])
    expect(await lines('select title, version from reminders')).toEqual([['Untitled', 2]])
    expect(await lines('select name, version from projects')).toEqual([['P Q', 2]])
    expect(await lines('select title, version from project_tasks')).toEqual([['T', 2]])
  } finally {
    await sql.end({ timeout: 5 })
  }
})
