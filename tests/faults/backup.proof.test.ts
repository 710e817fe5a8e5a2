import {
  afterAll,
  beforeAll,
  beforeEach,
  afterEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { firstMigrations, knownMigrations, MIGRATIONS } from '../../src/adapters/migrations-folder'
import { applyMigrations } from '../../src/db/migrations'
import { administer, freshDatabaseUrl } from '../support/database'
import { everyRow, fillEveryTable } from '../support/every-table'
import { type Harness, startHarness } from '../support/harness'
import { lockWaiters } from '../support/locks'
import { commandPath, spawnProgram } from '../support/service'

setDefaultTimeout(60_000)

const KEYS = 'k1:faults-faults-faults-faults-faults'

const run = (command: 'backup' | 'restore', env: Record<string, string>, ...args: string[]) =>
  spawnProgram({ env, args: [commandPath(command), ...args] }).finished()
const on = (url: string) => ({ DATABASE_URL: url, SECRET_KEYS: KEYS })

/** What becomes of a program that gets the signal while it waits for whoever migrates the database. */
async function interrupted(url: string, args: readonly string[], signal: 'SIGINT' | 'SIGTERM') {
  const sql = administer(url)
  await sql`select pg_advisory_lock(6742001)`
  await using child = spawnProgram({ args: [...args], env: on(url) })
  await lockWaiters(sql)
  child.kill(signal)
  await sql`select pg_advisory_unlock(6742001)`
  const finished = await child.finished()
  await sql.end({ timeout: 5 })
  return finished
}

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'organiser-backup-test-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a backup', () => {
  let h: Harness
  beforeAll(async () => {
    h = await startHarness()
    await fillEveryTable(h)
  })
  afterAll(() => h[Symbol.asyncDispose]())

  const saved = async (name = 'backup.gz') => {
    const path = join(folder, name)
    const { exitCode, stderr } = await run('backup', on(h.url), path)
    expect([exitCode, stderr]).toEqual([0, ''])
    return path
  }
  const refused = async (path: string, url: string, reason: string | RegExp) => {
    const before = await everyRow(url)
    const { exitCode, stdout, stderr } = await run('restore', on(url), path)
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(typeof reason === 'string' ? new RegExp(`^${reason}\n$`) : reason)
    expect([...(await everyRow(url))].filter(([name]) => name.startsWith('public'))).toEqual(
      [...before].filter(([name]) => name.startsWith('public')),
    )
  }

  test('restores every row of every table, whatever is in it, and every table has some', async () => {
    await using target = await freshDatabaseUrl({ migrated: false })
    const path = await saved()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['backup.gz'])
    const { exitCode, stdout, stderr } = await run('restore', on(target.url), path)
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Restored \d+ rows, as they were at \S+Z\.\n$/)
    const [source, restored] = [await everyRow(h.url), await everyRow(target.url)]
    for (const [name, rows] of source) expect([name, rows.length > 0]).toEqual([name, true])
    // The ids and times of its own migrations are not the service's data.
    const data = (rows: typeof source) => [...rows].filter(([name]) => name.startsWith('public.'))
    expect(data(restored)).toEqual(data(source))
    expect(restored.get('drizzle.__drizzle_migrations')).toHaveLength(knownMigrations(MIGRATIONS).length)
  })

  test('restores also into a database that has been migrated and has no rows, where ids go on', async () => {
    await using target = await freshDatabaseUrl()
    expect((await run('restore', on(target.url), await saved())).exitCode).toBe(0)
    const next = async (url: string) => {
      const sql = administer(url)
      const rows = await sql`
        insert into todos (user_id, title, priority, rank, created_at, updated_at)
        select min(id), 'Next', 'none', 1000, now(), now() from users returning id`
      await sql`delete from todos where title = 'Next'`
      await sql.end({ timeout: 5 })
      return rows[0]?.['id']
    }
    const own = await next(h.url)
    expect(own).toBeGreaterThan(0)
    expect(await next(target.url)).toBe(own)
  })

  test('restores the journal as it was, under another epoch, and what is written from then on steps it', async () => {
    await using target = await freshDatabaseUrl({ migrated: false })
    expect((await run('restore', on(target.url), await saved())).exitCode).toBe(0)
    const [source, sql] = [administer(h.url), administer(target.url)]
    const epochOf = async (one: typeof sql) => (await one`select epoch from sync_state`)[0]?.['epoch']
    expect(await epochOf(sql)).not.toBe(await epochOf(source))
    const scope = async () => {
      const [row] = await sql`select seq, xid from sync_scopes where kind = 'u' order by id limit 1`
      return { seq: Number(row?.['seq']), isOfThisDatabase: row?.['xid'] !== null }
    }
    const { seq } = await scope()
    expect(await scope()).toEqual({ seq, isOfThisDatabase: false })
    await sql`update todos set title = 'Other' where id = (select min(id) from todos)`
    expect(await scope()).toEqual({ seq: seq + 1, isOfThisDatabase: true })
    await expect(Promise.resolve(sql`delete from audit_log`)).rejects.toThrow()
    await Promise.all([source, sql].map((one) => one.end({ timeout: 5 })))
  })

  test('is of one moment, while others write', async () => {
    await using source = await freshDatabaseUrl()
    const sql = administer(source.url)
    await sql`
      insert into users (username, network_name, password_hash, role, created_at, updated_at) values ('a', 'a', 'x', 'admin', now(), now())`
    const text = 'word '.repeat(200)
    const write = (from: number, to: number) =>
      sql.begin(async (tx) => {
        await tx`insert into todos (user_id, title, description, priority, rank, created_at, updated_at)
        select u.id, 'T', ${text}, 'none', i, now(), now() from users u, generate_series(${from}::int, ${to}::int) i`
        await tx`insert into reminders (user_id, title, time_zone, created_at, updated_at)
        select u.id, 'T', 'UTC', now(), now() from users u, generate_series(${from}::int, ${to}::int) i`
      })
    await write(1, 4000)
    const path = join(folder, 'backup.gz')
    await using backup = spawnProgram({ args: [commandPath('backup'), path], env: on(source.url) })
    let written = 4000
    while (backup.exitCode === null) await write(++written, written)
    expect([backup.exitCode, backup.stderr]).toEqual([0, ''])
    await sql.end({ timeout: 5 })
    expect(written).toBeGreaterThan(4001)
    await using target = await freshDatabaseUrl({ migrated: false })
    expect((await run('restore', on(target.url), path)).exitCode).toBe(0)
    const rows = await everyRow(target.url)
    const count = rows.get('public.todos')?.length ?? 0
    expect(rows.get('public.reminders')).toHaveLength(count)
    expect(count).toBeWithin(4000, written + 1)
  })

  test('of an older level is restored at that level and brought up to date', async () => {
    const known = knownMigrations(MIGRATIONS)
    await using source = await freshDatabaseUrl({ migrated: false })
    await using old = await firstMigrations(MIGRATIONS, 3)
    await applyMigrations(source.url, old.path)
    const sql = administer(source.url)
    await sql`
      insert into users (username, network_name, password_hash, role, created_at, updated_at) values ('a', 'a', 'x', 'admin', now(), now())`
    await sql.end({ timeout: 5 })
    const path = join(folder, 'old.gz')
    expect((await run('backup', on(source.url), path)).exitCode).toBe(0)
    await using current = await freshDatabaseUrl()
    await refused(
      path,
      current.url,
      'The database has been migrated beyond the backup: name one that is empty\\.',
    )
    await using target = await freshDatabaseUrl({ migrated: false })
    expect(await run('restore', on(target.url), path)).toMatchObject({ exitCode: 0, stderr: '' })
    const rows = await everyRow(target.url)
    expect(rows.get('public.users')).toHaveLength(1)
    expect(rows.get('drizzle.__drizzle_migrations')).toHaveLength(known.length)
  })

  test('restores how long lists are, counts those of a level that did not, and both are counted on', async () => {
    await using source = await freshDatabaseUrl({ migrated: false })
    await using old = await firstMigrations(MIGRATIONS, 15)
    await applyMigrations(source.url, old.path)
    const write = async (url: string, statement: string) => {
      const sql = administer(url)
      await sql.unsafe(statement)
      await sql.end({ timeout: 5 })
    }
    const append = `insert into todos (user_id, title, priority, rank, created_at, updated_at)
      select min(id), 'T', 'none', 1000 + (select count(*) from todos), now(), now() from users`
    const user = `insert into users (username, network_name, password_hash, role, created_at, updated_at)
      values ('a', 'a', 'x', 'admin', now(), now())`
    await write(source.url, `${user}; ${append}`)
    const path = join(folder, 'old.gz')
    expect((await run('backup', on(source.url), path)).exitCode).toBe(0)
    for (const [file, count] of [[path, 1] as const, [await saved(), 7] as const]) {
      await using target = await freshDatabaseUrl({ migrated: false })
      expect(await run('restore', on(target.url), file)).toMatchObject({ exitCode: 0, stderr: '' })
      const tally = async () =>
        (await everyRow(target.url)).get('public.tallies')?.find((row) => row.startsWith('(todos'))
      expect(await tally()).toEndWith(`,${count})`)
      await write(target.url, append)
      expect(await tally()).toEndWith(`,${count + 1})`)
    }
  })

  test('is refused, and nothing is written, where it was cut, changed or is none', async () => {
    await using target = await freshDatabaseUrl({ migrated: false })
    const path = await saved()
    const bytes = new Uint8Array(await Bun.file(path).arrayBuffer())
    const text = gunzipSync(bytes).toString()
    const lines = text.split('\n')
    const changed = (change: (text: string) => string) => gzipSync(change(text))
    const header = JSON.parse(lines[0] ?? '')
    const without = (part: string) => changed(() => text.replace(part, ''))
    const damaged: Record<string, Uint8Array> = {
      'half of it': bytes.subarray(0, bytes.length / 2),
      'all but its last byte': bytes.subarray(0, -1),
      'all but its last line': changed(() => `${lines.slice(0, -2).join('\n')}\n`),
      'another letter': changed((whole) => whole.replace('Grace', 'Grave')),
      'a row less': without(`${lines.find((line) => line.includes('Child'))}\n`),
      'more behind it': changed((whole) => `${whole}more\n`),
      'another trailer': changed((whole) => whole.replace(/"sha256":"../, '"sha256":"zz')),
    }
    for (const [name, content] of Object.entries(damaged)) {
      await Bun.write(join(folder, name), content)
      await refused(
        join(folder, name),
        target.url,
        '.+ is (damaged: it was cut, or changed after it was written|no backup that this service has written)\\.',
      )
    }
    const foreign = {
      empty: '',
      text: 'select 1;',
      json: gzipSync('{"format": "organiser-export"}\n'),
      newer: changed(() => text.replace('"version":1', '"version":2')),
    }
    for (const [name, content] of Object.entries(foreign)) {
      await Bun.write(join(folder, name), content)
      await refused(join(folder, name), target.url, '.+ is no backup that this service has written\\.')
    }
    await refused(join(folder, 'nowhere'), target.url, 'There is no file .+nowhere\\.')
    expect(header.format).toBe('organiser-backup')
    expect(await everyRow(target.url)).toBeEmpty()
  })

  test('is refused where the database is not empty, or the service is another', async () => {
    const path = await saved()
    await refused(path, h.url, 'The database is not empty: .+')
    await using foreign = await freshDatabaseUrl({ migrated: false })
    const sql = administer(foreign.url)
    await sql`create table somebody_elses (id int)`
    await sql.end({ timeout: 5 })
    await refused(path, foreign.url, 'The database is not empty: .+')
    await using target = await freshDatabaseUrl({ migrated: false })
    const text = gunzipSync(new Uint8Array(await Bun.file(path).arrayBuffer())).toString()
    const [last = ''] = knownMigrations(MIGRATIONS).slice(-1)
    const other = text.replace(last, 'f'.repeat(64))
    const body = other.slice(0, other.lastIndexOf('\n', other.length - 2) + 1)
    const sha256 = new Bun.CryptoHasher('sha256').update(body).digest('hex')
    const trailer = other.slice(body.length).replace(/"sha256":"\w+"/, `"sha256":"${sha256}"`)
    await Bun.write(join(folder, 'other'), gzipSync(body + trailer))
    await refused(
      join(folder, 'other'),
      target.url,
      'The backup was made by another version of the service: .+',
    )
    expect(await everyRow(target.url)).toBeEmpty()
  })

  test('leaves nothing behind where a row does not fit, so that it can be tried again', async () => {
    await using target = await freshDatabaseUrl({ migrated: false })
    const path = await saved()
    const text = gunzipSync(new Uint8Array(await Bun.file(path).arrayBuffer())).toString()
    const other = text.replaceAll(/\t#aabbcc\t/g, '\tred\t')
    const body = other.slice(0, other.lastIndexOf('\n', other.length - 2) + 1)
    const sha256 = new Bun.CryptoHasher('sha256').update(body).digest('hex')
    const trailer = other.slice(body.length).replace(/"sha256":"\w+"/, `"sha256":"${sha256}"`)
    await Bun.write(join(folder, 'other'), gzipSync(body + trailer))
    const { exitCode, stderr } = await run('restore', on(target.url), join(folder, 'other'))
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^.*calendars.*\n$/)
    expect((await run('restore', on(target.url), path)).exitCode).toBe(0)
  })

  test('replaces no file, and says in one sentence where it cannot be written', async () => {
    const path = await saved()
    const before = await Bun.file(path).text()
    const again = await run('backup', on(h.url), path)
    expect(again).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `${path} exists already: name a file that does not.\n`,
    })
    expect(await Bun.file(path).text()).toBe(before)
    const nowhere = await run('backup', on(h.url), join(folder, 'missing/backup.gz'))
    expect([nowhere.exitCode, nowhere.stdout]).toEqual([1, ''])
    expect(nowhere.stderr).toMatch(/^.+ cannot be written: ENOENT\.\n$/)
  })

  test('whose restore is interrupted leaves the database as it was', async () => {
    await using target = await freshDatabaseUrl()
    const path = await saved()
    expect(await interrupted(target.url, [commandPath('restore'), path], 'SIGTERM')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'The restore was interrupted: nothing was restored.\n',
    })
    expect((await everyRow(target.url)).get('public.users') ?? []).toEqual([])
    expect((await run('restore', on(target.url), path)).exitCode).toBe(0)
  })

  test('that is interrupted leaves no file', async () => {
    await using source = await freshDatabaseUrl()
    const args = [commandPath('backup'), join(folder, 'backup.gz')]
    expect(await interrupted(source.url, args, 'SIGINT')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'The backup was interrupted.\n',
    })
    expect(await readdir(folder)).toEqual([])
  })
})
