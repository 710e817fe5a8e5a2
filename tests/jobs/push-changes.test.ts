import { expect, test } from 'bun:test'
import { pushWakes, settings } from '../../src/db/schema'
import { eq } from 'drizzle-orm'
import { act } from '../support/ntfy'
import { sharedWith } from '../support/sharing'
import { remind, usePushing } from '../support/use-pushing'
import { useSql } from '../support/use-sql'

const { h, soon } = usePushing()
const other = useSql(h, 'test')

test('a user without push leaves no wakes behind, whatever they do', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'write')
  await h.tick()
  const event = { title: 'e', calendar_id: calendar.id, start_at: soon(10), end_at: soon(20) }
  const { id } = await ada.create({ ...event, recurrence_rule: 'FREQ=DAILY' })
  await act(bob, 'PUT', `/api/events/${id}`, { title: 'other' })
  await remind(ada, 'r', soon(10))
  await act(ada, 'POST', '/api/todos', { title: 't', due_date: '2026-03-05' })
  const project = await act(ada, 'POST', '/api/projects', { name: 'p' })
  await act(ada, 'POST', `/api/projects/${project.id}/tasks`, { title: 't', due_date: '2026-03-05' })
  await act(ada, 'PUT', '/api/settings', { notify_day_at: '10:00' })
  await h.tick()
  expect(await h.db.$count(pushWakes)).toBe(0)
})

test('a user who switches push on is told of items that were there before', async () => {
  const ada = await h.signedIn()
  await remind(ada, 'r', soon(10))
  await h.tick()
  await h.listen(ada)
  h.clock.advance({ minutes: 10 })
  expect(await h.titles(ada)).toEqual(['r'])
})

test('an event that another user is writing while push is switched on is announced, though its transaction ends later', async () => {
  const { bob, calendar } = await sharedWith(h, 'read')
  const now = h.clock.now()
  await other.begin(async (tx) => {
    await tx.unsafe(`insert into events (calendar_id, title, all_day, start_at, end_at, start_wall, time_zone, last_end_at, reminder_minutes, created_at, updated_at)
      values (${calendar.id}, 'slow', false, '${soon(10)}', '${soon(20)}', '${soon(10).slice(0, 19)}', 'UTC', '${soon(20)}', 0, '${now.toISOString()}', '${now.toISOString()}')`)
    await h.listen(bob)
    expect(await h.titles(bob)).toEqual([])
  })
  h.clock.advance({ minutes: 3 })
  expect(await h.titles(bob)).toEqual([])
  h.clock.advance({ minutes: 7 })
  expect(await h.titles(bob)).toEqual(['slow'])
})

test('a user who switches push off is told nothing more and leaves no wake behind', async () => {
  const ada = await h.listener()
  await remind(ada, 'r', soon(10))
  await h.tick()
  const wakes = () => h.db.$count(pushWakes, eq(pushWakes.userId, ada.row.id))
  expect(await wakes()).toBe(1)
  await h.db.update(settings).set({ ntfyEnabled: false }).where(eq(settings.userId, ada.row.id))
  h.clock.advance({ minutes: 10 })
  expect(await h.titles(ada)).toEqual([])
  expect(await wakes()).toBe(0)
})
