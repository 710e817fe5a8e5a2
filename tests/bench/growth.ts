import { administer } from '../support/database'
import type { Session } from './accounts'
import { MONTH } from './events'
import { wrk } from './wrk'

const FEW = 100
const MANY = 100_000
const CONNECTIONS = 8
const SECONDS = 2
const ROUNDS = 3

const REQUESTS = {
  todos: { path: '/api/todos' },
  month: { path: `/api/events?from=${MONTH.from}&to=${MONTH.to}` },
  append: { path: '/api/todos', body: { title: 'Todo' } },
}
type Asked = { readonly path: string; readonly body?: object }

type Admin = ReturnType<typeof administer>

/** Todos, and events of which a hundred are in the month that is read. */
async function fill(admin: Admin, userId: number, count: number) {
  await admin`
    insert into todos (user_id, title, priority, rank, created_at, updated_at)
    select ${userId}, 'Todo ' || n, 'none', n, now(), now() from generate_series(1, ${count}::integer) n`
  await admin`
    insert into calendars (user_id, name, color, is_default, created_at, updated_at)
    values (${userId}, 'Personal', '#3b82f6', true, now(), now())`
  await admin`
    insert into events (calendar_id, title, all_day, start_at, end_at, start_wall, time_zone, last_end_at, created_at, updated_at)
    select id, 'Event ' || n, false, at, at, at at time zone 'UTC', 'UTC', at, now(), now()
    from calendars, generate_series(0, ${count - 1}::integer) n,
      lateral (select ${MONTH.from}::timestamptz + ((n % 100) * 7 || ' hours')::interval - (n / 100 || ' months')::interval as at) m
    where user_id = ${userId}`
}

async function addUsers(admin: Admin, count: number) {
  await admin`
    insert into users (username, network_name, password_hash, role, created_at, updated_at)
    select 'many' || n, 'many' || n, 'x', 'standard', now(), now() from generate_series(1, ${count}::integer) n`
  await admin`
    insert into settings (user_id, created_at, updated_at)
    select id, now(), now() from users where username like 'many%'`
  await admin`
    insert into todos (user_id, title, priority, rank, created_at, updated_at)
    select id, 'Todo', 'none', n, now(), now() from users, generate_series(1, 3) n where username like 'many%'`
}

/** The rates of lists, windows and appends once there is a thousand times as much, times those of before. */
export async function measureGrowth(url: string, base: string, [few, many]: readonly [Session, Session]) {
  const admin = administer(url)
  await fill(admin, few.userId, FEW)
  await fill(admin, many.userId, MANY)
  await admin`vacuum analyze`
  const rate = async ({ path, body }: Asked, { cookie }: Session) =>
    (await wrk({ url: `${base}${path}`, connections: CONNECTIONS, seconds: SECONDS, cookie, body }))
      .requestsPerSecond
  // In turn, as a service becomes faster while it runs.
  const best = async (asked: Asked, sessions: Readonly<Record<string, Session>>) => {
    const rates = new Map<string, number>()
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, session] of Object.entries(sessions))
        rates.set(name, Math.max(rates.get(name) ?? 0, await rate(asked, session)))
    }
    return (name: string) => rates.get(name) ?? Number.NaN
  }
  const [todos, month, append] = [
    await best(REQUESTS.todos, { few, many }),
    await best(REQUESTS.month, { few, many }),
    await best(REQUESTS.append, { few, many }),
  ]
  await addUsers(admin, MANY)
  await admin`vacuum analyze`
  await admin.end({ timeout: 5 })
  const among = async (asked: Asked) => (await best(asked, { few }))('few')
  return {
    'a page of todos, of 100 000 instead of 100': todos('many') / todos('few'),
    'a month of events, of 100 000 instead of 100': month('many') / month('few'),
    'appending to 100 000 todos instead of 100': append('many') / append('few'),
    'a page of todos, among 100 000 users instead of few': (await among(REQUESTS.todos)) / todos('few'),
    'a month of events, among 100 000 users instead of few': (await among(REQUESTS.month)) / month('few'),
    'appending a todo, among 100 000 users instead of few': (await among(REQUESTS.append)) / append('few'),
  }
}
