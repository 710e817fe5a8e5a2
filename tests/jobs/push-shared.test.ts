import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connectionsOf } from '../support/connecting'
import { PASSWORD } from '../support/harness'
import { act, configure, type Pushing, startPushing } from '../support/ntfy'
import { sharedWith } from '../support/sharing'

let h: Pushing
beforeAll(async () => {
  h = await startPushing()
})
afterAll(() => h[Symbol.asyncDispose]())

const soon = (minutes: number) => new Date(+h.clock.now() + minutes * 60_000).toISOString()

type Shared = Awaited<ReturnType<typeof sharedWith>> & { readonly eventId: number }

/** Both hear of events, and one in the calendar that they share is told of in ten minutes. */
async function rehearsal(): Promise<Shared> {
  const shared = await sharedWith(h, 'read')
  for (const person of [shared.ada, shared.bob]) {
    await configure(person, {
      ntfy_enabled: true,
      ntfy_server_url: h.ntfy.url,
      ntfy_topic: person.row.username,
    })
  }
  const { id } = await act(shared.ada, 'POST', '/api/events', {
    title: 'Rehearsal',
    calendar_id: shared.calendar.id,
    start_at: soon(10),
    end_at: soon(20),
    reminder_minutes: 0,
  })
  return { ...shared, eventId: id }
}

const told = async ({ ada, bob }: Shared) => {
  const topics = (await h.tick()).map(({ topic }) => topic)
  return {
    ada: topics.filter((topic) => topic === ada.row.username).length,
    bob: topics.filter((topic) => topic === bob.row.username).length,
  }
}

test('whoever a calendar is shared with is told of its events as its owner is, once each', async () => {
  const shared = await rehearsal()
  await h.tick()
  h.clock.advance({ minutes: 10 })
  expect(await told(shared)).toEqual({ ada: 1, bob: 1 })
  expect(await told(shared)).toEqual({ ada: 0, bob: 0 })
})

test('whoever has not accepted a shared calendar hears nothing of it', async () => {
  const shared = await rehearsal()
  const other = await act(shared.ada, 'POST', '/api/calendars', { name: 'Band' })
  await shared.ada.share(other.id, shared.bob, 'read')
  await act(shared.ada, 'PUT', `/api/events/${shared.eventId}`, { calendar_id: other.id })
  h.clock.advance({ minutes: 10 })
  expect(await told(shared)).toEqual({ ada: 1, bob: 0 })
  await shared.bob.acceptAll()
  expect(await told(shared)).toEqual({ ada: 0, bob: 1 })
})

test.each<[string, (shared: Shared) => Promise<unknown>]>([
  ['is removed', ({ ada, calendar, member }) => ada.dismiss(calendar.id, member.id)],
  ['leaves', ({ bob, calendar, member }) => bob.dismiss(calendar.id, member.id)],
  [
    'is disconnected',
    async ({ ada, bob }) => {
      const connection = (await connectionsOf(ada)).find(({ user_id }) => user_id === bob.row.id)
      await act(ada, 'DELETE', `/api/connections/${connection?.id}`)
    },
  ],
  [
    'hides the calendar',
    ({ bob, calendar }) => act(bob, 'PUT', `/api/calendars/${calendar.id}`, { is_visible: false }),
  ],
  [
    'loses the event to another calendar',
    async ({ ada, eventId }) => {
      const { id } = await act(ada, 'POST', '/api/calendars', { name: 'Own' })
      await act(ada, 'PUT', `/api/events/${eventId}`, { calendar_id: id })
    },
  ],
])('whoever %s hears nothing of a shared calendar any more, and its owner does', async (_, part) => {
  const before = await rehearsal()
  await h.tick()
  await part(before)
  h.clock.advance({ minutes: 10 })
  expect(await told(before)).toEqual({ ada: 1, bob: 0 })
  // What was claimed already when it happens.
  const meanwhile = await rehearsal()
  h.clock.advance({ minutes: 9 })
  await act(meanwhile.bob, 'POST', '/api/reminders', { title: 'first', remind_at: soon(0) })
  h.clock.advance({ minutes: 1 })
  h.ntfy.react = async ({ title }) => {
    if (title === 'first') await part(meanwhile)
    return undefined
  }
  expect((await told(meanwhile)).bob).toBe(1)
  h.ntfy.react = undefined
})

test('whoever deletes their account takes their events out of what others hear', async () => {
  const shared = await rehearsal()
  await h.tick()
  await shared.ada.request('DELETE', '/api/auth/account', { body: { password: PASSWORD } })
  h.clock.advance({ minutes: 10 })
  expect((await told(shared)).bob).toBe(0)
})
