import { describe, expect, test } from 'bun:test'
import { befriend, person, type Person } from '../support/inviting'
import { sharedWith } from '../support/sharing'
import { usePushing } from '../support/use-pushing'

const { h, soon } = usePushing()

/** Who invites and who is invited; both want messages. */
async function two(): Promise<{ readonly ada: Person; readonly bob: Person }> {
  const [ada, bob] = [await person(h), await person(h)]
  await befriend(h, ada, [bob])
  for (const one of [ada, bob]) await h.listen(one)
  return { ada, bob }
}

/** An event between these minutes from now, to which bob is invited; answers it and the invitation. */
async function invited({ ada, bob }: { ada: Person; bob: Person }, start: number, end: number, body = {}) {
  const event = await ada.create({
    start_at: soon(start),
    end_at: soon(end),
    reminder_minutes: 0,
    ...body,
  })
  const answered = await ada.invite(event.id, bob)
  return { event, invitationId: answered.body.invitations[0].id as number }
}

/** How many messages each of them hears in this pass. */
async function heard({ ada, bob }: { ada: Person; bob: Person }) {
  const topics = (await h.tick()).map(({ topic }) => topic)
  const of = (one: Person) => topics.filter((topic) => topic === one.row.username).length
  return { ada: of(ada), bob: of(bob) }
}

const DAILY = { recurrence_rule: 'FREQ=DAILY' }

describe('push messages to invitees', () => {
  test.each([
    [null, 0],
    ['Going', 1],
    ['Tentative', 1],
    ['Declined', 0],
  ])(
    'an invitee whose answer is %p is told of an event %i times, and its owner once',
    async (response, times) => {
      const both = await two()
      const { invitationId } = await invited(both, 10, 20)
      if (response !== null) await both.bob.respond(invitationId, response)
      await h.tick()
      h.clock.advance({ minutes: 10 })
      expect(await heard(both)).toEqual({ ada: 1, bob: times })
    },
  )

  test('an invitee is told of an event from their answer on', async () => {
    const both = await two()
    const { invitationId } = await invited(both, 10, 60)
    h.clock.advance({ minutes: 15 })
    expect(await heard(both)).toEqual({ ada: 1, bob: 0 })
    await both.bob.respond(invitationId, 'Going')
    expect(await heard(both)).toEqual({ ada: 0, bob: 1 })
    expect(await heard(both)).toEqual({ ada: 0, bob: 0 })
  })

  test('an invitee who accepted one occurrence is told of that one alone', async () => {
    const both = await two()
    const { event, invitationId } = await invited(both, 10, 20, DAILY)
    const second = new Date(Date.parse(String(event.start_at)) + 86_400_000).toISOString()
    await both.bob.respond(invitationId, 'Tentative', second)
    h.clock.advance({ minutes: 10 })
    expect(await heard(both)).toEqual({ ada: 1, bob: 0 })
    h.clock.advance({ days: 1 })
    expect(await heard(both)).toEqual({ ada: 1, bob: 1 })
    h.clock.advance({ days: 1 })
    expect(await heard(both)).toEqual({ ada: 1, bob: 0 })
  })

  test('an invitee who declined one occurrence is told of the others', async () => {
    const both = await two()
    const { event, invitationId } = await invited(both, 10, 20, DAILY)
    await both.bob.respond(invitationId, 'Going')
    await both.bob.respond(invitationId, 'Declined', event.start_at)
    h.clock.advance({ minutes: 10 })
    expect(await heard(both)).toEqual({ ada: 1, bob: 0 })
    h.clock.advance({ days: 1 })
    expect(await heard(both)).toEqual({ ada: 1, bob: 1 })
  })

  test('an invitee is not told of an occurrence that had begun when they were invited', async () => {
    const both = await two()
    const { invitationId } = await invited(both, -10, 60, DAILY)
    await both.bob.respond(invitationId, 'Going')
    expect(await heard(both)).toEqual({ ada: 1, bob: 0 })
    h.clock.advance({ days: 1 })
    expect(await heard(both)).toEqual({ ada: 1, bob: 1 })
  })

  test('an invitee is not told of a day that had begun when they were invited', async () => {
    const both = await two()
    const today = soon(0).slice(0, 10)
    const times = { all_day: true, start_date: today, end_date: today, start_at: null, end_at: null }
    const { invitationId } = await invited(both, 0, 0, { ...times, recurrence_rule: 'FREQ=DAILY' })
    await both.bob.respond(invitationId, 'Going')
    expect((await heard(both)).bob).toBe(0)
    h.clock.advance({ days: 1 })
    expect((await heard(both)).bob).toBe(1)
  })

  test('an invitee is not told of an event that has ended, though its owner is', async () => {
    const both = await two()
    const { invitationId } = await invited(both, 10, 20)
    await both.bob.respond(invitationId, 'Going')
    h.clock.advance({ minutes: 40 })
    expect(await heard(both)).toEqual({ ada: 1, bob: 0 })
  })

  test('an invitee is told of an event without a length at its start', async () => {
    const both = await two()
    const { invitationId } = await invited(both, 10, 10)
    await both.bob.respond(invitationId, 'Going')
    await h.tick()
    h.clock.advance({ minutes: 10, seconds: 50 })
    expect(await heard(both)).toEqual({ ada: 1, bob: 1 })
  })

  test('an invitee who also sees the event in a shared calendar is told once, as its owner is', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'read')
    for (const one of [ada, bob]) await h.listen(one)
    await invited({ ada, bob }, 10, 20, { calendar_id: calendar.id })
    h.clock.advance({ minutes: 10 })
    expect(await heard({ ada, bob })).toEqual({ ada: 1, bob: 1 })
  })
})

test('an unanswered invitation to a series of 24 occurrences a day brings no message', async () => {
  const both = await two()
  const hours = Array.from({ length: 24 }, (_, hour) => hour).join(',')
  const body = { time_zone: 'UTC', recurrence_rule: `FREQ=DAILY;BYHOUR=${hours}` }
  const { invitationId } = await invited(both, -1440, -1440, body)
  expect((await heard(both)).bob).toBe(0)
  h.clock.advance({ hours: 5, minutes: 3 })
  expect((await heard(both)).bob).toBe(0)
  await both.bob.respond(invitationId, 'Going')
  // What has ended meanwhile stays untold.
  expect((await heard(both)).bob).toBe(0)
  for (const minutes of [57, 60, 60]) {
    h.clock.advance({ minutes })
    expect((await heard(both)).bob).toBe(1)
  }
})
