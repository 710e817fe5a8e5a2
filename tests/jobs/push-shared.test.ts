import { expect, test } from 'bun:test'
import { connectionsOf } from '../support/connecting'
import { act } from '../support/ntfy'
import { sharedWith } from '../support/sharing'
import { remind, usePushing } from '../support/use-pushing'

const { h, soon } = usePushing()

type Shared = Awaited<ReturnType<typeof sharedWith>> & { readonly eventId: number }

/** Both hear of events, and one in the calendar that they share is told of in ten minutes. */
async function rehearsal(): Promise<Shared> {
  const shared = await sharedWith(h, 'read')
  for (const person of [shared.ada, shared.bob]) await h.listen(person)
  const { id } = await shared.ada.create({
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

test('a member of a shared calendar is told of its events once each, as its owner is', async () => {
  const shared = await rehearsal()
  await h.tick()
  h.clock.advance({ minutes: 10 })
  expect(await told(shared)).toEqual({ ada: 1, bob: 1 })
  expect(await told(shared)).toEqual({ ada: 0, bob: 0 })
})

test('a user who has not accepted a shared calendar is told nothing of it', async () => {
  const shared = await rehearsal()
  const other = await shared.ada.createCalendar('Band')
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
      expect((await ada.disconnect(connection?.id)).status).toBe(204)
    },
  ],
  [
    'hides the calendar',
    ({ bob, calendar }) => act(bob, 'PUT', `/api/calendars/${calendar.id}`, { is_visible: false }),
  ],
  [
    'loses the event to another calendar',
    async ({ ada, eventId }) => {
      const { id } = await ada.createCalendar('Own')
      await act(ada, 'PUT', `/api/events/${eventId}`, { calendar_id: id })
    },
  ],
])('a member who %s is told nothing more of a shared calendar, and its owner still is', async (_, part) => {
  const before = await rehearsal()
  await h.tick()
  await part(before)
  h.clock.advance({ minutes: 10 })
  expect(await told(before)).toEqual({ ada: 1, bob: 0 })
  // What was claimed already when it happens.
  const meanwhile = await rehearsal()
  h.clock.advance({ minutes: 9 })
  await remind(meanwhile.bob, 'first', soon(0))
  h.clock.advance({ minutes: 1 })
  h.ntfy.react = async ({ title }) => {
    if (title === 'first') await part(meanwhile)
    return undefined
  }
  expect((await told(meanwhile)).bob).toBe(1)
  h.ntfy.react = undefined
})

test('the events of a deleted account are no longer announced to others', async () => {
  const shared = await rehearsal()
  await h.tick()
  expect((await shared.ada.deleteAccount()).status).toBe(204)
  h.clock.advance({ minutes: 10 })
  expect((await told(shared)).bob).toBe(0)
})
