import { administer, stopTestServer } from '../support/database'
import { startPushing } from '../support/ntfy'

/**
 * `bun tests/bench/push.ts`: how long a pass takes among many users who want messages, each with 40 items near and far: the first, in which
 * all are planned, one in which 1 000 of them have something due, and one in which nobody has.
 */
const DUE = 1000

async function measure(users: number) {
  await using h = await startPushing()
  const now = h.clock.now().toISOString()
  const admin = administer(h.url)
  await admin`
    insert into users (username, network_name, password_hash, role, created_at, updated_at)
    select 'b' || n, 'b' || n, 'x', 'standard', ${now}::timestamptz, ${now}::timestamptz from generate_series(1, ${users}::integer) n`
  await admin`
    insert into settings (user_id, ntfy_enabled, ntfy_server_url, ntfy_topic, created_at, updated_at)
    select id, true, ${h.ntfy.url}, username, ${now}::timestamptz, ${now}::timestamptz from users`
  await admin`
    insert into calendars (user_id, name, color, is_default, created_at, updated_at)
    select id, 'Personal', '#3b82f6', true, ${now}::timestamptz, ${now}::timestamptz from users`
  await admin`
    insert into reminders (user_id, title, time_zone, remind_at, series_start, series_wall, created_at, updated_at)
    select id, 'due', 'UTC', due, due, due at time zone 'UTC', ${now}::timestamptz, ${now}::timestamptz
    from (select id, ${now}::timestamptz + interval '10 minutes' as due from users order by id limit ${DUE}) as first`
  await admin`
    insert into todos (user_id, title, priority, due_date, rank, created_at, updated_at)
    select id, 'todo ' || n, 'none', date '2026-03-10' + n * 10, n, ${now}::timestamptz, ${now}::timestamptz
    from users, generate_series(1, 20) n`
  await admin`
    insert into events (calendar_id, title, all_day, start_at, end_at, start_wall, time_zone, recurrence_rule, last_end_at, created_at, updated_at)
    select id, 'event ' || n, false, at, at, at at time zone 'UTC', 'UTC',
      case when n = 1 then 'FREQ=WEEKLY' end, case when n > 1 then at end, ${now}::timestamptz, ${now}::timestamptz
    from (select id, n, ${now}::timestamptz + n * interval '5 days' as at from calendars, generate_series(1, 20) n) as moments`
  await admin`analyze`
  await admin.end({ timeout: 5 })
  const pass = async () => {
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
    const messages = await h.tick()
    const { user, system } = process.cpuUsage(cpu)
    const ms = Math.round(performance.now() - startedAt)
    return { ms, cpuMs: Math.round((user + system) / 1000), messages: messages.length }
  }
  const first = await pass()
  h.clock.advance({ minutes: 10 })
  const due = await pass()
  h.clock.advance({ minutes: 1 })
  const idle = await pass()
  console.log({ users, first, due, idle })
}

try {
  for (const users of process.argv[2] ? [Number(process.argv[2])] : [1000, 10_000]) await measure(users)
} finally {
  await stopTestServer()
}
