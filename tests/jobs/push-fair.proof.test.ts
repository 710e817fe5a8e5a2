import { describe, expect, test } from 'bun:test'
import { planDeliveries } from '../../src/features/notifications/push-planning/service'
import { dispatchPushes } from '../../src/jobs/push-dispatch'
import type { PushServer } from '../../src/lib/ports/push'
import { createEvent } from '../support/events'
import type { Actor } from '../support/harness'
import { observed, rowsReadBy } from '../support/statements'
import { remind, usePushing } from '../support/use-pushing'
import { useSql } from '../support/use-sql'

const { h } = usePushing()
const sql = useSql(h, 'test')

/** Plans by a clock by which every step is a slice; answers how often others were let in. */
async function pausesOfPlan(): Promise<number> {
  let [passedMs, pauses] = [0, 0]
  const clock = {
    now: () => h.clock.now(),
    monotonic: () => (passedMs += 10),
    nextTurn: async () => {},
    sleep: async () => {
      pauses++
      await Bun.sleep(0)
    },
  }
  expect(await planDeliveries({ ...h.deps, clock }, 500, () => {})).toBe('done')
  return pauses
}

/** Somebody who wants messages and is looked at next, for whom `fill` puts rows into the database. */
async function listener(fill: (ada: Actor) => Promise<unknown>) {
  const ada = await h.listener()
  await fill(ada)
  return ada
}

/** 500 series of a thousand extra dates each, most of them before now. */
const crowd =
  (apart: string) =>
  ({ row }: Actor) => {
    const now = h.clock.now().toISOString()
    return sql`
    with series as (
      insert into events (calendar_id, title, all_day, start_at, end_at, start_wall, time_zone, recurrence_rule, last_end_at, created_at, updated_at)
      select id, 'crowd', false, ${now}::timestamptz - interval '90 days', ${now}::timestamptz - interval '90 days',
        (${now}::timestamptz - interval '90 days') at time zone 'UTC', 'UTC', 'FREQ=DAILY;COUNT=1',
        ${now}::timestamptz + interval '90 days', ${now}::timestamptz - interval '90 days', ${now}::timestamptz - interval '90 days'
      from calendars, generate_series(1, 500) where user_id = ${row.id} and is_default returning id)
    insert into event_extra_starts (event_id, start)
    select id, (${now}::timestamptz at time zone 'UTC') + (n - 900) * ${apart}::interval
    from series, generate_series(1, 1000) n`
  }

test.each(['1 minute', '40 minutes'])(
  '500 000 extra dates of one user, %s apart, delay no message of others, and few of them are read at once',
  async (apart) => {
    const bob = await h.listener()
    await h.tick()
    const ada = await listener(crowd(apart))
    await remind(bob, 'his', h.clock.now().toISOString())
    const send: PushServer['send'] = async (target, message) =>
      target.topic === ada.row.username
        ? { kind: 'unreachable', reason: 'timeout' }
        : h.deps.pushServer.send(target, message)
    const planned = async () => {
      using statements = observed(h.db)
      await dispatchPushes({ ...h.deps, pushServer: { send } }, () => false)
      const reads = statements.filter(({ text }) => text.startsWith('select "event_extra_starts"."event_id"'))
      expect(reads).not.toEqual([])
      for (const read of reads)
        expect(await rowsReadBy(sql, read, 'event_extra_starts')).toBeLessThanOrEqual(2000)
      const [row] = await sql`
        select planned_to, (select count(*)::integer from push_deliveries where user_id = ${ada.row.id}) as count
        from push_wakes where user_id = ${ada.row.id}`
      expect(row?.count).toBe(45)
      return Number(row?.planned_to)
    }
    const first = await planned()
    expect(h.ntfy.taken().map(({ title }) => title)).toEqual(['his'])
    h.clock.advance({ minutes: 1 })
    expect(await planned()).toBeGreaterThan(first)
  },
)

const dense = (count: number) => Array.from({ length: count }, (_, i) => i).join(',')

describe('the planner', () => {
  test.each([
    [
      'events',
      ({ row }: Actor) => sql`
        insert into events (calendar_id, title, all_day, start_at, end_at, start_wall, time_zone, recurrence_rule, created_at, updated_at)
        select id, 'e', false, '2026-03-01T09:00Z', '2026-03-01T10:00Z', '2026-03-01 09:00', 'UTC', 'FREQ=MONTHLY;BYMONTHDAY=' || 1 + n % 28, now(), now()
        from calendars, generate_series(1, 300) n where user_id = ${row.id} and is_default`,
    ],
    [
      'reminders',
      ({ row }: Actor) => sql`
        insert into reminders (user_id, title, remind_at, series_start, series_wall, time_zone, recurrence_rule, created_at, updated_at)
        select ${row.id}, 'r', '2026-03-01T09:00Z', '2026-03-01T09:00Z', '2026-03-01 09:00', 'UTC', 'FREQ=DAILY', now(), now()
        from generate_series(1, 300) n`,
    ],
    [
      'todos',
      ({ row }: Actor) => sql`
        insert into todos (user_id, title, priority, due_date, rank, created_at, updated_at)
        select ${row.id}, 't', 'none', '2026-03-04', n, now(), now() from generate_series(1, 300) n`,
    ],
  ])('lets others in between any two of the %s of one user', async (_, fill) => {
    await listener(fill)
    expect(await pausesOfPlan()).toBeGreaterThanOrEqual(300)
  })

  test('lets others in between any two occurrences of a stored series that names every second', async () => {
    const ada = await h.listener()
    await createEvent(ada, {
      title: 'e',
      start_at: h.clock.now().toISOString(),
      end_at: h.clock.now().toISOString(),
      recurrence_rule: 'FREQ=DAILY',
    })
    await pausesOfPlan()
    const rule = `FREQ=DAILY;BYHOUR=${dense(24)};BYMINUTE=${dense(60)};BYSECOND=${dense(60)}`
    await sql`update events set recurrence_rule = ${rule} from calendars
      where calendars.id = calendar_id and user_id = ${ada.row.id}`
    const pauses = await pausesOfPlan()
    expect(pauses).toBeGreaterThanOrEqual(6000)
    expect(pauses).toBeLessThan(20_000)
  })
})

test('the planner looks at no more occurrences of a series than the window has, whatever their lead and length', async () => {
  const ada = await h.listener()
  await pausesOfPlan()
  const start = new Date(+h.clock.now() - 300 * 86_400_000)
  await createEvent(ada, {
    title: 'e',
    start_at: start.toISOString(),
    end_at: new Date(+start + 4000 * 86_400_000).toISOString(),
    time_zone: 'UTC',
    recurrence_rule: `FREQ=DAILY;BYHOUR=${dense(24)}`,
    reminder_minutes: 40_320,
  })
  // The day before and the day after, each of 24, are twice a step: the occurrence and its message.
  expect(await pausesOfPlan()).toBeLessThan(120)
  h.clock.advance({ hours: 1 })
  expect((await h.tick(ada)).length).toBeGreaterThanOrEqual(24)
})
