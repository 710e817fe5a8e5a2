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
) => Promise<{ readonly next?: string }>

const calling =
  (base: string, cookie: string): Call =>
  async (method, path, body, type = 'application/json') => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { cookie: `session=${cookie}`, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { next?: string }
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

/** Takes the triggers of the journal and the history away, and operations, and puts those of push in their place, which the journal replaced. */
async function asBeforeJournal(url: string): Promise<void> {
  const admin = administer(url)
  const triggers = await admin`
    select tgname as name, tgrelid::regclass::text as table from pg_trigger where tgname ~ '_(sync|history)_' and not tgisinternal`
  for (const { name, table } of triggers) await admin.unsafe(`alter table ${table} disable trigger ${name}`)
  await admin.unsafe(`create or replace function begin_operation("credential" text, "credential_user_id" integer, "at" timestamptz,
    "operation" uuid, "operation_name" text, "operation_key" text, "operation_fingerprint" text, "is_open" boolean) returns boolean
    language plpgsql as $$ begin return credential_is_live("credential", "credential_user_id", "at"); end $$`)
  await admin`create table push_changes (id bigint primary key generated always as identity, user_id integer not null)`
  for (const file of ['0013_push_changes', '0014_push_listeners']) {
    await admin.unsafe(await readFile(`${ROOT}drizzle/${file}.sql`, 'utf8'))
  }
  await admin.end({ timeout: 5 })
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
  await using plain = await freshDatabaseUrl()
  const [users, plainUsers] = [await seedUsers(journal.url), await seedUsers(plain.url)]
  const [many, few, writer] = users
  await fill(journal.url, many.userId, MANY)
  await fill(journal.url, few.userId, FEW)
  await asBeforeJournal(plain.url)
  const [one, other] = [await startService(journal.url), await startService(plain.url)]

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

  const body = { title: 'Bins', due_date: '2026-11-21' }
  const created = async (base: string, cookie: string) =>
    (await wrk({ url: `${base}/api/todos`, connections: 8, seconds: SECONDS, cookie, body }))
      .requestsPerSecond
  const creations: number[] = []
  const plainWriter = plainUsers[2]
  for (let round = 0; round < ROUNDS; round++) {
    creations.push((await created(one.base, writer.cookie)) / (await created(other.base, plainWriter.cookie)))
  }
  console.log('POST /api/todos, times the rate before the journal', median(creations).toFixed(2))

  const calls = [calling(one.base, writer.cookie), calling(other.base, plainWriter.cookie)] as const
  const calendarOf = async (call: Call) =>
    Number(((await call('POST', '/api/calendars', { name: 'Import' })) as { id?: number }).id)
  const [own, theirs] = [await calendarOf(calls[0]), await calendarOf(calls[1])]
  const imports: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    imports.push((await imported(calls[1], theirs, round)) / (await imported(calls[0], own, round)))
  }
  console.log(`an import of ${EVENTS} events times the rate before the journal`, median(imports).toFixed(2))
  await Promise.all([one, other].map(({ program }) => program[Symbol.asyncDispose]()))
}
