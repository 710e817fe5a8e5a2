import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { pushWakes } from '../../src/db/schema'
import { planDeliveries, putOff } from '../../src/features/notifications/push-planning/service'
import { act } from '../support/ntfy'
import { sharedWith } from '../support/sharing'
import { usePushing } from '../support/use-pushing'
import { useSql } from '../support/use-sql'

const { h, soon } = usePushing()
const sql = useSql(h, 'test')

/** Ada shares a calendar with Bob, and both want messages; an event in it begins in ten minutes, each day. */
async function rehearsal() {
  const { ada, bob, calendar } = await sharedWith(h, 'read')
  for (const one of [ada, bob]) await h.listen(one)
  const event = await act(ada, 'POST', '/api/events', {
    title: 'Rehearsal',
    calendar_id: calendar.id,
    start_at: soon(10),
    end_at: soon(20),
    reminder_minutes: 0,
    recurrence_rule: 'FREQ=DAILY',
  })
  return { ada, bob, calendar, event }
}

test('a guest hears of an event where it shows: in the calendar that they chose, while they do not hide that one', async () => {
  const { ada, bob, calendar, event } = await rehearsal()
  await bob.changeCalendar(calendar.id, { is_visible: false })
  await h.tick()
  h.clock.advance({ minutes: 10 })
  expect(await h.titles(bob)).toEqual([])
  const { id } = (await ada.invite(event.id, bob)).body.invitations[0]
  await bob.respond(id, 'Going')
  h.clock.advance({ days: 1 })
  expect(await h.titles(bob)).toEqual(['Rehearsal'])
  const own = await bob.createCalendar('Hidden', { is_visible: false })
  expect((await bob.display(id, own.id)).status).toBe(200)
  await bob.changeCalendar(calendar.id, { is_visible: true })
  h.clock.advance({ days: 1 })
  expect(await h.titles(bob)).toEqual([])
  await bob.changeCalendar(own.id, { is_visible: true })
  h.clock.advance({ days: 1 })
  expect(await h.titles(bob)).toEqual(['Rehearsal'])
})

test('more series than a pass examines, in a calendar that somebody shares, take no message of one’s own events', async () => {
  const { bob, calendar } = await rehearsal()
  await sql`
    insert into events (calendar_id, title, all_day, start_date, end_date, recurrence_rule, created_at, updated_at)
    select ${calendar.id}, 'R' || n, true, '1904-02-29', '1904-02-29', 'FREQ=YEARLY;INTERVAL=40;BYMONTH=2;BYMONTHDAY=29', now(), now()
    from generate_series(1, 10000) n`
  const body = { title: 'Dentist', start_at: soon(10), end_at: soon(20), reminder_minutes: 0 }
  await act(bob, 'POST', '/api/events', body)
  await h.tick()
  h.clock.advance({ minutes: 10 })
  expect(await h.titles(bob)).toContain('Dentist')
})

test('the user whose planning failed is put off, although somebody else is next by then', async () => {
  const [ada, bob] = [await h.listener(), await h.listener()]
  await h.tick()
  await act(bob, 'POST', '/api/reminders', { title: 'r', remind_at: soon(1) })
  await h.db.update(pushWakes).set({ wakeAt: h.clock.now() }).where(eq(pushWakes.userId, bob.row.id))
  await h.db.execute(`alter table push_deliveries rename to away`)
  let failed: readonly number[] = []
  await expect(planDeliveries(h.deps, 1, (userIds) => (failed = userIds))).rejects.toThrow()
  await h.db.execute(`alter table away rename to push_deliveries`)
  expect(failed).toEqual([bob.row.id])
  const earlier = new Date(+h.clock.now() - 60_000)
  await h.db.update(pushWakes).set({ wakeAt: earlier }).where(eq(pushWakes.userId, ada.row.id))
  await putOff(h.deps, bob.row.id)
  const wakes = await h.db.select().from(pushWakes)
  const wakeOf = (id: number) => wakes.find(({ userId }) => userId === id)?.wakeAt
  expect([wakeOf(ada.row.id), wakeOf(bob.row.id)]).toEqual([earlier, new Date(+h.clock.now() + 5 * 60_000)])
})
