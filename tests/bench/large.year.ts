import { purge } from '../../src/jobs/purge'
import { addDays } from '../../src/lib/time/time'
import { administer } from '../support/database'
import { type Actor, type Harness, startHarness } from '../support/harness'
import { befriend } from '../support/inviting'
import { type Sharer, sharer } from '../support/sharing'
import { fixed, table } from './endpoints'

/**
 * How a database grows in a year: a household writes through the service, the nightly purge runs, and the clocks of the service and
 * of the database move on from day to day.
 */

const PEOPLE = 4
const DAYS_OF_MONTH = 30
/** A session lasts 365 days at most. */
const DAYS = Number(process.env['BENCH_DAYS'] ?? 12 * DAYS_OF_MONTH)
const DAYS_BETWEEN_VACUUMS = 5
const MIB = 1_048_576
const ASSUMED =
  'Each day everybody adds three todos, completes three, rewords one and deletes one, and every second day adds an event to the calendar of the household, moves one, and every fourth day deletes one: 9.25 changes of each person.'

const GROWING = [
  'todos',
  'events',
  'sync_changes',
  'history',
  'operations',
  'dav_gone',
  'sync_scopes',
] as const

type Admin = ReturnType<typeof administer>

/** Puts a clock that the measure moves in the place of the server's own, wherever tables and triggers ask for the time. */
async function moveClockOf(admin: Admin): Promise<void> {
  await admin.unsafe(`
    create table bench_clock (ahead interval not null);
    insert into bench_clock values ('0');
    create function bench_now() returns timestamptz language sql stable
      as 'select pg_catalog.now() + ahead from public.bench_clock';`)
  const functions = await admin`
    select pg_get_functiondef(oid) as definition from pg_proc
    where pronamespace = 'public'::regnamespace and prokind = 'f' and pg_get_functiondef(oid) ~ '\\mnow\\(\\)' and proname <> 'bench_now'`
  for (const { definition } of functions)
    await admin.unsafe(String(definition).replaceAll(/\bnow\(\)/g, 'public.bench_now()'))
  const columns = await admin`
    select format('alter table %s alter column %I set default public.bench_now()', attrelid::regclass, attname) as change
    from pg_attrdef join pg_attribute on (attrelid, attnum) = (adrelid, adnum)
    where pg_get_expr(adbin, adrelid) = 'now()'`
  for (const { change } of columns) await admin.unsafe(String(change))
}

interface Somebody {
  readonly actor: Sharer
  readonly calendarId: number
  readonly open: number[]
  readonly done: number[]
  readonly events: number[]
}

async function household(h: Harness, size: number): Promise<Somebody[]> {
  const all = await Promise.all(Array.from({ length: size }, () => sharer(h)))
  const [owner, ...others] = all
  if (!owner) return []
  await befriend(h, owner, others)
  const { id } = await owner.createCalendar('Family')
  for (const other of others) {
    await owner.share(id, other, 'write')
    await other.acceptAll()
  }
  return all.map((actor) => ({ actor, calendarId: id, open: [], done: [], events: [] }))
}

/** @throws {Error} where the service refuses. */
async function send({ request }: Actor, method: string, path: string, body?: object): Promise<number> {
  const answer = await request(method, path, body && { body })
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body?.id
}

async function dayOf({ actor, calendarId, open, done, events }: Somebody, day: number, today: string) {
  for (let n = 0; n < 3; n++)
    open.push(
      await send(actor, 'POST', '/api/todos', { title: `Call about number ${day} ${n}`, due_date: today }),
    )
  for (let n = 0; n < 3; n++) {
    const id = open.shift()
    if (id === undefined) break
    await send(actor, 'PUT', `/api/todos/${id}`, { completed: true })
    done.push(id)
  }
  await send(actor, 'PUT', `/api/todos/${done.at(-1)}`, { title: `Called about number ${day}` })
  await send(actor, 'DELETE', `/api/todos/${done.shift()}`)
  if (day % 2 === 1) return
  const times = (hour: number) => ({ start_at: `${today}T${hour}:00`, end_at: `${today}T${hour + 1}:00` })
  const event = { calendar_id: calendarId, title: `Visit number ${day}`, ...times(10) }
  events.push(await send(actor, 'POST', '/api/events', event))
  await send(actor, 'PUT', `/api/events/${events.at(-1)}`, times(14))
  if (day % 4 === 0) await send(actor, 'DELETE', `/api/events/${events.shift()}`)
}

async function sizes(admin: Admin) {
  const rows = await admin`
    select relname, pg_table_size(oid)::float8 as own, pg_indexes_size(oid)::float8 as indexes, greatest(reltuples, 0)::float8 as rows
    from pg_class where relname = any(${[...GROWING]}) and relnamespace = 'public'::regnamespace`
  return new Map(rows.map((row) => [String(row['relname']), row]))
}

const SETTINGS = { SESSION_MAX_AGE_DAYS: '365' }

export async function measureYear(): Promise<string> {
  await using h = await startHarness({ env: SETTINGS })
  const admin = administer(h.url)
  await moveClockOf(admin)
  const everybody = await household(h, PEOPLE)
  const start = h.clock.now()
  const rows: string[][] = []
  let nightMs = 0
  for (let day = 1; day <= DAYS; day++) {
    h.clock.advance({ days: 1 })
    await admin`update bench_clock set ahead = make_interval(days => ${day})`
    const today = addDays(start, day).toISOString().slice(0, 10)
    await Promise.all(everybody.map((one) => dayOf(one, day, today)))
    const startedAt = performance.now()
    await purge(h.deps, () => false)
    nightMs = Math.max(nightMs, performance.now() - startedAt)
    if (day % DAYS_BETWEEN_VACUUMS === 0) await admin`vacuum analyze`
    if (day % DAYS_OF_MONTH !== 0) continue
    const found = await sizes(admin)
    const of = (name: (typeof GROWING)[number]) => {
      const one = found.get(name)
      const [own, indexes] = [Number(one?.['own']) / MIB, Number(one?.['indexes']) / MIB]
      return `${fixed(Number(one?.['rows']))}: ${fixed(own, 1)} + ${fixed(indexes, 1)}`
    }
    rows.push([String(day / DAYS_OF_MONTH), ...GROWING.map(of), fixed(nightMs)])
    console.log(rows.at(-1)?.join('  '))
    nightMs = 0
  }
  await admin.end({ timeout: 5 })
  return [
    `A year of a household of ${everybody.length}: at the end of each month of ${DAYS_OF_MONTH} days the rows of a table, MiB of it and of its indexes, and the longest nightly purge of the month.`,
    ASSUMED,
    table(['Month', ...GROWING.map((name) => `\`${name}\``), 'Purge, ms'], rows),
  ].join('\n\n')
}
