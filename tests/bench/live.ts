import { readFile } from 'node:fs/promises'
import { createTokenSigner } from '../../src/adapters/token-signer'
import { administer, freshDatabaseUrl } from '../support/database'
import { SECRET, seedUsers } from './accounts'
import { type StartService, wrk } from './wrk'

/** What open live updates cost an instance, and how soon they tell what another instance wrote. */

const IDLE = 10_000
const OF_USER = 10
const IDLE_SECONDS = 30
const NEVER_READING = 200
const COMING_AND_GOING = 100_000

export const quantile = (values: readonly number[], at: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * at))] ?? Number.NaN

/** Users with a session each, and the cookies. */
async function seedReaders(url: string, count: number): Promise<string[]> {
  const admin = administer(url)
  const rows = await admin`
    with made as (
      insert into users (username, network_name, password_hash, role, created_at, updated_at)
      select 'r' || n, 'r' || n, 'x', 'standard', now(), now() from generate_series(1, ${count}::integer) n returning id
    ), configured as (
      insert into settings (user_id, created_at, updated_at) select id, now(), now() from made
    )
    insert into sessions (id, user_id, auth_method, created_at, last_seen_at, authenticated_at, expires_at)
    select md5(random()::text), id, 'password', now(), now(), now(), now() + interval '7 days' from made returning id, user_id`
  await admin.end({ timeout: 5 })
  const [id = '', secret = ''] = SECRET.split(':')
  const signer = createTokenSigner([{ id, secret }])
  const exp = Math.floor(Date.now() / 1000) + 7 * 86_400
  return rows.map((row) => signer.sign({ uid: row['user_id'], sid: row['id'], iat: exp - 1, exp }))
}

const times = <T extends object>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

interface Reader {
  readonly opened: Promise<void>
  readonly close: () => void
}

interface Reading {
  readonly port: number
  readonly cookie: string
  readonly since?: string
  /** Called with what arrives; a reader without it reads nothing after the headers. */
  readonly heard?: (text: string) => void
}

/** A stream over a bare socket, which costs this process little. */
function listen({ port, cookie, since, heard }: Reading): Reader {
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>()
  const query = since === undefined ? '' : `?since=${encodeURIComponent(since)}`
  const socket = Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: (one) =>
        void one.write(
          `GET /api/changes/stream${query} HTTP/1.1\r\nHost: localhost\r\nCookie: session=${cookie}\r\n\r\n`,
        ),
      data: (one, bytes) => {
        resolve()
        if (heard) heard(bytes.toString())
        else one.pause()
      },
      error: (_, error) => reject(error),
      close: () => resolve(),
    },
  })
  return { opened, close: () => void socket.then((one) => one.end()) }
}

export const cpuSeconds = async (pid: number): Promise<number> => {
  const stat = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return (Number(stat[11]) + Number(stat[12])) / 100
}

export const portOf = (base: string) => Number(new URL(base).port)

/** Opens the streams a few at a time. */
export async function openAll(readings: readonly Reading[]): Promise<Reader[]> {
  const readers: Reader[] = []
  for (let at = 0; at < readings.length; at += 50) {
    const some = readings.slice(at, at + 50).map(listen)
    await Promise.all(some.map(({ opened }) => opened))
    readers.push(...some)
  }
  return readers
}

async function measureIdle(startService: StartService, url: string, cookies: readonly string[], own: string) {
  const { base, program } = await startService(url)
  const reads = async () =>
    (await wrk({ url: `${base}/api/settings`, connections: 8, seconds: 5, cookie: own })).p99Ms
  await reads()
  const [calm, before] = [await reads(), await program.rssMiB()]
  const heard = () => {}
  const readings = cookies.flatMap((cookie) => times(OF_USER, { port: portOf(base), cookie, heard }))
  const readers = await openAll(readings.slice(0, IDLE))
  const opened = await program.rssMiB()
  const [cpu, startedAt] = [await cpuSeconds(program.pid), performance.now()]
  await Bun.sleep(IDLE_SECONDS * 1000)
  const share = ((await cpuSeconds(program.pid)) - cpu) / ((performance.now() - startedAt) / 1000)
  console.log(`${IDLE} idle streams: KiB each`, (((opened - before) * 1024) / IDLE).toFixed(1))
  console.log(`${IDLE} idle streams: share of a core`, share.toFixed(3))
  console.log(
    `reads' p99 beside ${IDLE} idle streams, times that without`,
    ((await reads()) / calm).toFixed(2),
  )
  for (const { close } of readers) close()
  await program[Symbol.asyncDispose]()
}

/** From the answer of a write on one instance until a stream of another one hears of it. */
async function measureDelay(startService: StartService, url: string, cookies: readonly string[]) {
  const [one, other] = [await startService(url), await startService(url)]
  const arrivals = new Map<string, number>()
  const heard = (text: string) => {
    for (const [, title = ''] of text.matchAll(/"title":"(write \d+)"/g))
      arrivals.set(title, performance.now())
  }
  const readers = await openAll(
    cookies.slice(0, 200).map((cookie) => ({ port: portOf(other.base), cookie, heard })),
  )
  const delays: number[] = []
  for (let i = 0; i < 400; i++) {
    const title = `write ${i}`
    await fetch(`${one.base}/api/todos`, {
      method: 'POST',
      headers: { cookie: `session=${cookies[i % 200]}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title }),
    })
    const answeredAt = performance.now()
    await Bun.sleep(20)
    void Bun.sleep(3000).then(() =>
      delays.push((arrivals.get(title) ?? Number.POSITIVE_INFINITY) - answeredAt),
    )
  }
  await Bun.sleep(3500)
  console.log(
    'from a write to a stream of another instance, ms: p50, p99',
    quantile(delays, 0.5).toFixed(0),
    quantile(delays, 0.99).toFixed(0),
  )
  for (const { close } of readers) close()
  await Promise.all([one, other].map(({ program }) => program[Symbol.asyncDispose]()))
}

const openStreams = async (base: string): Promise<number> => {
  const response = await fetch(`${base}/metrics`, { headers: { authorization: 'Bearer bench' } })
  return Number(/^live_streams_open (\d+)/m.exec(await response.text())?.[1])
}

async function measureSlow(startService: StartService, url: string, cookies: readonly string[]) {
  const { base, program } = await startService(url)
  const port = portOf(base)
  const twenty = cookies.slice(0, NEVER_READING / OF_USER)
  // Each has much to be told.
  const cursors: string[] = []
  for (const cookie of twenty) {
    const headers = { cookie: `session=${cookie}` }
    const response = await fetch(`${base}/api/changes?since=now`, { headers })
    cursors.push(((await response.json()) as { next: string }).next)
  }
  const admin = administer(url)
  await admin`
    insert into reminders (user_id, title, description, time_zone, created_at, updated_at)
    select users.id, 'Long', repeat('x', 9000), 'UTC', now(), now()
    from (select id from users where username ~ '^r' order by id limit ${twenty.length}) as users, generate_series(1, 600)`
  await admin.end({ timeout: 5 })
  const readings = twenty.flatMap((cookie, i) => times(OF_USER, { port, cookie, since: cursors[i] ?? '' }))
  // What reading and writing so much takes is no matter of who reads it.
  const swift = await openAll(readings.map((reading) => ({ ...reading, heard: () => {} })))
  await Bun.sleep(30_000)
  for (const { close } of swift) close()
  await Bun.sleep(1000)
  const before = await program.rssMiB()
  const readers = await openAll(readings)
  const startedAt = performance.now()
  let highest = before
  while ((await openStreams(base)) > 0 && performance.now() - startedAt < 120_000) {
    highest = Math.max(highest, await program.rssMiB())
    await Bun.sleep(500)
  }
  console.log(`${NEVER_READING} readers that never read: MiB`, (highest - before).toFixed(0))
  console.log(
    `${NEVER_READING} readers that never read: gone after s`,
    ((performance.now() - startedAt) / 1000).toFixed(0),
  )
  for (const { close } of readers) close()
  await program[Symbol.asyncDispose]()
}

async function measureComingAndGoing(startService: StartService, url: string, cookies: readonly string[]) {
  const { base, program } = await startService(url)
  const port = portOf(base)
  const some = async (count: number) => {
    for (let at = 0; at < count; at += 100) {
      const readers = Array.from({ length: 100 }, (_, i) =>
        listen({ port, cookie: cookies[(at + i) % cookies.length] ?? '', heard: () => {} }),
      )
      await Promise.all(readers.map(({ opened }) => opened))
      for (const { close } of readers) close()
    }
    await Bun.sleep(2000)
    return await program.rssMiB()
  }
  const [first, last] = [await some(COMING_AND_GOING / 5), await some((COMING_AND_GOING * 4) / 5)]
  console.log(
    `${COMING_AND_GOING} connects and disconnects: MiB after a fifth, at the end`,
    first.toFixed(0),
    last.toFixed(0),
  )
  console.log('streams that are left', await openStreams(base))
  await program[Symbol.asyncDispose]()
}

export async function measureLive(startService: StartService): Promise<void> {
  await using database = await freshDatabaseUrl()
  const { url } = database
  const [{ cookie }] = await seedUsers(url)
  const cookies = await seedReaders(url, IDLE / OF_USER)
  await measureIdle(startService, url, cookies, cookie)
  await measureDelay(startService, url, cookies)
  await measureSlow(startService, url, cookies)
  await measureComingAndGoing(startService, url, cookies)
}
