import { readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { administer, freshDatabaseUrl } from '../support/database'
import { ROOT } from '../support/service'
import { seedUsers } from './accounts'
import { type StartService, wrk } from './wrk'

/** What following changes costs, and what the journal costs those who write: ratios within one run. */

const SECONDS = 3
const ROUNDS = 5
const MANY = 100_000
const FEW = 100

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

type Call = (
  method: string,
  path: string,
  body?: unknown,
  type?: string,
) => Promise<{ readonly id?: number; readonly next?: string }>

const calling =
  (base: string, cookie: string): Call =>
  async (method, path, body, type = 'application/json') => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { cookie: `session=${cookie}`, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { id?: number; next?: string }
  }

/** A user's todos by SQL, as many as wanted. */
async function fill(url: string, userId: number, items: number): Promise<void> {
  const admin = administer(url)
  await admin`
    insert into todos (user_id, title, priority, rank, created_at, updated_at)
    select ${userId}, 'Todo ' || n, 'none', n, now(), now() from generate_series(1, ${items}::integer) n`
  await admin`analyze`
  await admin.end({ timeout: 5 })
}

/** Takes away what retries and undo need, which is the history and the rows of operations: the journal alone is left. */
async function asWithJournalAlone(url: string): Promise<void> {
  const admin = administer(url)
  await disableTriggers(admin, 'history')
  await admin.unsafe(`create or replace function begin_operation("credential" text, "credential_user_id" integer, "at" timestamptz,
    "operation" uuid, "operation_name" text, "operation_key" text, "operation_fingerprint" text, "is_open" boolean) returns boolean
    language plpgsql as $$ begin return credential_is_live("credential", "credential_user_id", "at"); end $$`)
  await admin.end({ timeout: 5 })
}

/** Takes the journal away too, and puts the triggers of push in its place, which it replaced. */
async function asBeforeJournal(url: string): Promise<void> {
  await asWithJournalAlone(url)
  const admin = administer(url)
  await disableTriggers(admin, 'sync')
  await admin`create table push_changes (id bigint primary key generated always as identity, user_id integer not null)`
  for (const file of ['0013_push_changes', '0014_push_listeners']) {
    await admin.unsafe(await readFile(`${ROOT}drizzle/${file}.sql`, 'utf8'))
  }
  await admin.end({ timeout: 5 })
}

async function disableTriggers(
  admin: ReturnType<typeof administer>,
  kind: 'history' | 'sync',
): Promise<void> {
  const triggers = await admin`
    select tgname as name, tgrelid::regclass::text as table from pg_trigger
    where tgname like ${`%\\_${kind}\\_%`} and not tgisinternal`
  for (const { name, table } of triggers) await admin.unsafe(`alter table ${table} disable trigger ${name}`)
}

const EVENTS = 2000
/** A file of events, none of which was imported before. */
const fileOf = (round: number) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//bench//EN',
    ...Array.from({ length: EVENTS }, (_, i) =>
      [
        'BEGIN:VEVENT',
        `UID:${round}-${i}@bench`,
        'DTSTAMP:20260101T000000Z',
        `DTSTART:2027${String(1 + (i % 12)).padStart(2, '0')}05T090000Z`,
        `DTEND:2027${String(1 + (i % 12)).padStart(2, '0')}05T100000Z`,
        `SUMMARY:Event ${i}`,
        'END:VEVENT',
      ].join('\r\n'),
    ),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

/** Milliseconds until the file is imported. */
async function imported(call: Call, calendarId: number, round: number): Promise<number> {
  const startedAt = performance.now()
  await call('POST', `/api/calendars/${calendarId}/import`, fileOf(round), 'text/calendar')
  return performance.now() - startedAt
}

async function pollsOf(base: string, cookie: string): Promise<number> {
  const { next = '' } = await calling(base, cookie)('GET', '/api/changes?since=now')
  const rate = async (path: string) =>
    (await wrk({ url: `${base}${path}`, connections: 8, seconds: SECONDS, cookie })).requestsPerSecond
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    ratios.push(
      (await rate(`/api/changes?since=${encodeURIComponent(next)}`)) / (await rate('/api/settings')),
    )
  }
  return median(ratios)
}

/** The rate at which the same ten changes are read. */
async function deltaOf(base: string, cookie: string, url: string, userId: number) {
  const { next = '' } = await calling(base, cookie)('GET', '/api/changes?since=now')
  const admin = administer(url)
  await admin`update todos set version = version + 1 where id in (
    select id from todos where user_id = ${userId} order by id limit 10)`
  await admin.end({ timeout: 5 })
  return async () =>
    (
      await wrk({
        url: `${base}/api/changes?since=${encodeURIComponent(next)}`,
        connections: 1,
        seconds: SECONDS,
        cookie,
      })
    ).requestsPerSecond
}

export async function measureSync(startService: StartService): Promise<void> {
  await using journal = await freshDatabaseUrl()
  const users = await seedUsers(journal.url)
  const [many, few, writer] = users
  await fill(journal.url, many.userId, MANY)
  await fill(journal.url, few.userId, FEW)
  const one = await startService(journal.url)

  console.log(
    'a poll without changes, times GET /api/settings',
    (await pollsOf(one.base, writer.cookie)).toFixed(2),
  )

  const [ofMany, ofFew] = [
    await deltaOf(one.base, many.cookie, journal.url, many.userId),
    await deltaOf(one.base, few.cookie, journal.url, few.userId),
  ]
  const deltas: number[] = []
  for (let round = 0; round < ROUNDS; round++) deltas.push((await ofFew()) / (await ofMany()))
  console.log(`ten changes among ${MANY} items, times those among ${FEW}`, median(deltas).toFixed(2))

  const startedAt = performance.now()
  let [since, pages] = ['', 0]
  for (let more = true; more; pages++) {
    const page = (await calling(one.base, many.cookie)('GET', `/api/changes?limit=500${since}`)) as {
      next: string
      has_more: boolean
    }
    since = `&since=${encodeURIComponent(page.next)}`
    more = page.has_more
  }
  console.log(
    `all of ${MANY} items in ${pages} pages, s`,
    ((performance.now() - startedAt) / 1000).toFixed(1),
  )

  await one.program[Symbol.asyncDispose]()
  await measureWrites(startService)
}

/** What writes cost with all of it, and with the journal alone, as times the rate before. */
async function measureWrites(startService: StartService): Promise<void> {
  await using whole = await writerOf(startService)
  await using alone = await writerOf(startService, asWithJournalAlone)
  await using before = await writerOf(startService, asBeforeJournal)
  const kinds = [
    ['with the journal alone', alone],
    ['with operations and history too', whole],
  ] as const
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round)

  const creations: number[][] = []
  for (const _ of rounds) creations.push([await before.create(), await alone.create(), await whole.create()])
  const imports: number[][] = []
  for (const round of rounds)
    imports.push([await before.import(round), await alone.import(round), await whole.import(round)])
  for (const [at, [kind]] of kinds.entries()) {
    const creationRate = median(creations.map((rates) => (rates[at + 1] ?? 0) / (rates[0] ?? 0)))
    const importRate = median(imports.map((times) => (times[0] ?? 0) / (times[at + 1] ?? 0)))
    console.log(`POST /api/todos ${kind}, times the rate before`, creationRate.toFixed(2))
    console.log(`an import of ${EVENTS} events ${kind}, times the rate before`, importRate.toFixed(2))
  }
}

/** A service on a database of its own, which `prepare` changes first, and a user who writes to it. */
async function writerOf(startService: StartService, prepare?: (url: string) => Promise<void>) {
  const database = await freshDatabaseUrl()
  const [, , { cookie }] = await seedUsers(database.url)
  await prepare?.(database.url)
  const { base, program } = await startService(database.url)
  const call = calling(base, cookie)
  const calendar = await call('POST', '/api/calendars', { name: 'Import' })
  const body = { title: 'Bins', due_date: '2026-11-21' }
  return {
    /** Requests per second. */
    create: async () =>
      (await wrk({ url: `${base}/api/todos`, connections: 8, seconds: SECONDS, cookie, body }))
        .requestsPerSecond,
    import: (round: number) => imported(call, calendar.id ?? 0, round),
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
