import { administer } from '../support/database'
import type { Session } from './accounts'
import { MONTH } from './events'
import { wrk } from './wrk'

const FEW = 100
const MANY = 100_000
const CONNECTIONS = 8
const SECONDS = 2
const ROUNDS = 3

const PATHS = {
  todos: '/api/todos',
  month: `/api/events?from=${MONTH.from}&to=${MONTH.to}`,
}

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

/** The rates of lists and windows once there is a thousand times as much, times those of before. */
export async function measureGrowth(url: string, base: string, [few, many]: readonly [Session, Session]) {
  const admin = administer(url)
  await fill(admin, few.userId, FEW)
  await fill(admin, many.userId, MANY)
  await admin`vacuum analyze`
  const rate = async (path: string, { cookie }: Session) =>
    (await wrk({ url: `${base}${path}`, connections: CONNECTIONS, seconds: SECONDS, cookie }))
      .requestsPerSecond
  const best = async (path: string, session: Session) => {
    const rates: number[] = []
    for (let round = 0; round < ROUNDS; round++) rates.push(await rate(path, session))
    return Math.max(...rates)
  }
  const before = { todos: await best(PATHS.todos, few), month: await best(PATHS.month, few) }
  const rows = { todos: await best(PATHS.todos, many), month: await best(PATHS.month, many) }
  await addUsers(admin, MANY)
  await admin`vacuum analyze`
  await admin.end({ timeout: 5 })
  const users = { todos: await best(PATHS.todos, few), month: await best(PATHS.month, few) }
  return {
    'a page of todos, of 100 000 instead of 100': rows.todos / before.todos,
    'a month of events, of 100 000 instead of 100': rows.month / before.month,
    'a page of todos, among 100 000 users instead of few': users.todos / before.todos,
    'a month of events, among 100 000 users instead of few': users.month / before.month,
  }
}
