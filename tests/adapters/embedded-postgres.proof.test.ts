import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import postgres from 'postgres'
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres'
import type { EmbeddedPostgres } from '../../src/adapters/embedded-postgres'
import { until } from '../support/service'

setDefaultTimeout(60_000)

const REPOSITORY = resolve(import.meta.dir, '../..')
const isRoot = process.getuid?.() === 0

const root = await realpath(await mkdtemp(join(tmpdir(), 'organiser postgres ')))
await chmod(root, 0o755)
const children: { kill(signal: NodeJS.Signals): unknown }[] = []

const dirNamed = (name: string): string => join(root, name, '.data')
/** Below our own directory, so that the tests leave nothing in /var/lib. */
const sharedDir = join(root, 'shared')
const start = (dataDir: string, durable = false): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDir, sharedDir, durable })

const isAlive = async (pid: number): Promise<boolean> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== ''

async function postmasterPid(dataDir: string): Promise<number | null> {
  const text = await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').catch(() => null)
  return text === null ? null : Number(text.split('\n')[0])
}

async function kill(pid: number | null): Promise<void> {
  if (pid === null) throw new Error('There is no server to kill.')
  process.kill(pid, 'SIGKILL')
  await until(async () => !(await isAlive(pid)))
}

async function query<T>(url: string, work: (sql: postgres.Sql) => Promise<T>, name = 'test'): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, connection: { application_name: name } })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

const answer = (url: string): Promise<unknown> =>
  query(url, async (sql) => (await sql`select 1 + 1 as sum`)[0]?.['sum'])

const rows = (url: string) => query(url, async (sql) => (await sql`select id from kept order by id`).flat())

/** Another process that starts the server, runs `statement`, says its URL and stops the server when told to. */
function service(dataDir: string, durable: boolean, statement = 'select 1') {
  const code = `
    import postgres from 'postgres'
    import { startEmbeddedPostgres } from './src/adapters/embedded-postgres'
    const [dataDir, sharedDir, durable, statement] = JSON.parse(process.env.SERVICE)
    const server = await startEmbeddedPostgres({ dataDir, sharedDir, durable })
    const sql = postgres(server.url, { max: 1, connection: { application_name: 'organiser' } })
    await sql.unsafe(statement)
    console.log(server.url)
    for await (const _ of console) break
    await sql.end({ timeout: 5 })
    await server.stop()
    process.exit(0)`
  const child = Bun.spawn([process.execPath, '-e', code], {
    cwd: REPOSITORY,
    env: { ...process.env, HOME: '', SERVICE: JSON.stringify([dataDir, sharedDir, durable, statement]) },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  children.push(child)
  const firstLine = async (): Promise<string> => {
    let text = ''
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes('\n')) return text.trim()
    }
    throw new Error('The service ended before it said its URL.')
  }
  return {
    url: firstLine(),
    stop: async () => {
      await child.stdin.write('stop\n')
      await child.stdin.flush()
      return child.exited
    },
    kill: async () => {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  for await (const file of new Bun.Glob('**/postmaster.pid').scan({ cwd: root, dot: true, absolute: true })) {
    const pid = Number((await readFile(file, 'utf8')).split('\n')[0])
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes(root)) await kill(pid)
  }
  await rm(root, { recursive: true, force: true, maxRetries: 5 })
})

describe('the embedded PostgreSQL', () => {
  const dataDir = dirNamed('first checkout')

  test('starts on a new directory and answers in its own UTF-8 database, in UTC', async () => {
    const server = await start(dataDir)
    const row = await query(
      server.url,
      async (sql) => (await sql`select current_database() as db, upper('ä') as upper, ${'ß'} as sent`)[0],
    )
    expect(row).toEqual({ db: 'organiser', upper: 'Ä', sent: 'ß' })
    expect(await query(server.url, async (sql) => (await sql`show timezone`)[0])).toEqual({ TimeZone: 'UTC' })
    await server.stop()
  })

  test('is reused by a second start in the same directory, also under another name of it', async () => {
    const first = await start(dataDir)
    const pid = await postmasterPid(dataDir)
    const second = await start(join(dataDir, '..', '.data'))
    expect(second.url).toBe(first.url)
    expect(await postmasterPid(dataDir)).toBe(pid)
    await first.stop()
    expect(await answer(second.url)).toBe(2)
    await second.stop()
    await second.stop()
    expect(await postmasterPid(dataDir)).toBeNull()
  })

  test('keeps its password in a file of mode 0600 only, and no socket or password in the temporary directory', async () => {
    const server = await start(dataDir)
    const { password, port, hostname } = new URL(server.url)
    const file = join(dataDir, 'postgres/password')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readFile(file, 'utf8')).trim()).toBe(password)
    expect(hostname).toBe('127.0.0.1')
    const command = await readFile(`/proc/${await postmasterPid(dataDir)}/cmdline`, 'utf8')
    const environment = await readFile(`/proc/${await postmasterPid(dataDir)}/environ`, 'utf8')
    expect(command + environment).not.toContain(password)
    for (const directory of ['/tmp', tmpdir()]) {
      expect((await readdir(directory)).filter((name) => name.endsWith(`.s.PGSQL.${port}`))).toEqual([])
    }
    const wrong = server.url.replace(password, 'wrong')
    const refused = await answer(wrong).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: '28P01' })
    await server.stop()
  })

  test('of two directories are two servers with their own ports and data', async () => {
    const other = dirNamed('second checkout')
    const [first, second] = await Promise.all([start(dataDir), start(other)])
    expect(new URL(first.url).port).not.toBe(new URL(second.url).port)
    await query(first.url, (sql) => sql`create table only_here (id int)`)
    const found = await query(second.url, async (sql) => (await sql`select to_regclass('only_here') as t`)[0])
    expect(found).toEqual({ t: null })
    await Promise.all([first.stop(), second.stop()])
  })

  test('keeps running at stop while another client called organiser… is connected, and stops with the last', async () => {
    const first = await start(dataDir)
    const pid = await postmasterPid(dataDir)
    await query(
      first.url,
      async (sql) => {
        await sql`select 1`
        await first.stop()
        expect(await sql`select 2 as two`).toMatchObject([{ two: 2 }])
      },
      'organiser migrations',
    )
    const second = await start(dataDir)
    expect(await postmasterPid(dataDir)).toBe(pid)
    await second.stop()
    expect(await postmasterPid(dataDir)).toBeNull()
  })

  test('left behind without durability is replaced by a durable one when nobody uses it', async () => {
    const killed = service(dataDir, false)
    await killed.url
    await killed.kill()
    const pid = await postmasterPid(dataDir)
    const server = await start(dataDir, true)
    expect(await postmasterPid(dataDir)).not.toBe(pid)
    expect(await query(server.url, async (sql) => (await sql`show fsync`)[0])).toEqual({ fsync: 'on' })
    await server.stop()
  })

  test('refuses data of another major version in a sentence', async () => {
    const file = join(dataDir, 'postgres/data/PG_VERSION')
    await writeFile(file, '15\n')
    const error = await start(dataDir).catch((problem: unknown) => problem)
    expect(String(error)).toContain('was made by PostgreSQL 15, and this is 18')
    await writeFile(file, '18\n')
  })

  test('says with the last lines of its log why it does not start', async () => {
    const file = join(dataDir, 'postgres/data/postgresql.conf')
    const settings = await readFile(file, 'utf8')
    await writeFile(file, `${settings}\nno_such_setting = 1\n`)
    const error = await start(dataDir).catch((problem: unknown) => problem)
    expect(String(error)).toContain('unrecognized configuration parameter "no_such_setting"')
    await writeFile(file, settings)
  })
})

describe('several services', () => {
  test('that start at once on a new directory share one server, which the last one stops', async () => {
    const dataDir = dirNamed('at once')
    const services = [service(dataDir, false), service(dataDir, false), service(dataDir, false)]
    const urls = await Promise.all(services.map(({ url }) => url))
    expect(new Set(urls).size).toBe(1)
    const pid = await postmasterPid(dataDir)
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'))).toEqual([])
    expect(await services[0]?.stop()).toBe(0)
    expect(await answer(urls[1] ?? '')).toBe(2)
    expect(await postmasterPid(dataDir)).toBe(pid)
    expect(await Promise.all([services[1]?.stop(), services[2]?.stop()])).toEqual([0, 0])
    expect(await postmasterPid(dataDir)).toBeNull()
  })
})

describe('after a kill', () => {
  const dataDir = dirNamed('killed')

  test('of the service the next start finds its server running, with its rows', async () => {
    const killed = service(dataDir, true, 'create table kept (id int); insert into kept values (1)')
    const url = await killed.url
    const pid = await postmasterPid(dataDir)
    await killed.kill()
    const server = await start(dataDir, true)
    expect(server.url).toBe(url)
    expect(await postmasterPid(dataDir)).toBe(pid)
    expect(await rows(server.url)).toEqual([{ id: 1 }])
    await server.stop()
    expect(await postmasterPid(dataDir)).toBeNull()
  })

  test('of the service and of PostgreSQL the next start recovers the rows', async () => {
    const killed = service(dataDir, true, 'insert into kept values (2)')
    await killed.url
    const pid = await postmasterPid(dataDir)
    await killed.kill()
    await kill(pid)
    const server = await start(dataDir, true)
    expect(await postmasterPid(dataDir)).not.toBe(pid)
    expect(await rows(server.url)).toEqual([{ id: 1 }, { id: 2 }])
    await server.stop()
  })

  test('the pid file of a killed server does not matter when another process has its pid by now', async () => {
    const killed = service(dataDir, true, 'insert into kept values (3)')
    await killed.url
    await killed.kill()
    await kill(await postmasterPid(dataDir))
    const { uid, gid } = await stat(join(dataDir, 'postgres/data'))
    const stranger = spawn('sleep', ['600'], { ...(isRoot ? { uid, gid } : {}), stdio: 'ignore' })
    children.push(stranger)
    const file = join(dataDir, 'postgres/data/postmaster.pid')
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^\d+/, String(stranger.pid)))
    const server = await start(dataDir, true)
    expect(await rows(server.url)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    expect(await isAlive(stranger.pid ?? 0)).toBe(true)
    await server.stop()
    stranger.kill('SIGKILL')
  })

  test('in the middle of the initialisation the next start cleans up and begins anew', async () => {
    const interrupted = dirNamed('interrupted')
    const killed = service(interrupted, false)
    let ended = false
    killed.url.catch(() => (ended = true))
    const drafts = async () =>
      (await readdir(interrupted).catch(() => [])).filter((name) => name.startsWith('postgres.new-'))
    await until(async () => ended || (await drafts()).length > 0)
    await killed.kill()
    // What an initialisation that was not ours may have left, which must neither wedge the start nor be deleted.
    await mkdir(join(interrupted, 'postgres/data/base'), { recursive: true })
    const before = await drafts()
    const server = await start(interrupted)
    expect(await answer(server.url)).toBe(2)
    await server.stop()
    const left = await readdir(interrupted)
    expect(left.filter((name) => name.startsWith('postgres.incomplete-'))).toHaveLength(1)
    // The killed service's initdb may still write while the first start cleans up; the second finds it ended.
    const again = await start(interrupted)
    await again.stop()
    expect(before).toHaveLength(1)
    expect(await drafts()).toEqual([])
  })
})

describe('below a directory that other users cannot enter', () => {
  test('it starts, and as root keeps its programs and data where its user can reach them', async () => {
    const closed = join(root, 'closed')
    await mkdir(closed, { mode: 0o700 })
    await mkdir(sharedDir, { recursive: true })
    const dataDir = join(closed, '.data')
    const lines: string[] = []
    const server = await startEmbeddedPostgres({ dataDir, sharedDir, log: (line) => lines.push(line) })
    expect(await answer(server.url)).toBe(2)
    const relocated = (await readdir(sharedDir)).filter((name) => /^[0-9a-f]{16}$/.test(name))
    expect(relocated).toHaveLength(isRoot ? 1 : 0)
    const data = join(isRoot ? join(sharedDir, relocated[0] ?? '') : dataDir, 'postgres/data')
    const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    expect(command).toContain(data)
    expect(command.startsWith(sharedDir)).toBe(isRoot)
    for await (const file of new Bun.Glob('postgresql-*/**').scan({ cwd: sharedDir, absolute: true })) {
      expect(await realpath(file)).toStartWith(sharedDir)
    }
    expect(lines.some((line) => line.includes('cannot enter'))).toBe(isRoot)
    expect((await stat(join(dataDir, 'postgres.log'))).size).toBeGreaterThan(0)
    await query(server.url, (sql) => sql`create table kept as select 1 as id`)
    await server.stop()
    const again = await start(dataDir)
    expect(await rows(again.url)).toEqual([{ id: 1 }])
    await again.stop()
  })
})
