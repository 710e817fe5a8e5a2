import { describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { calendarMembers, calendars } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { friends, invitedTo, type Person, person } from '../../../support/inviting'
import { find, titles } from '../../../support/searching'
import { createPerson, createReminder, createTodo, make } from '../../../support/records'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const TIMES = { start_at: '2026-03-05T09:00:00Z', end_at: '2026-03-05T10:00:00Z', time_zone: 'UTC' }

/** A calendar of the owner's with an event, shared with the member as their acceptance leaves it. */
async function share(
  owner: Person,
  member: Actor,
  columns: Partial<typeof calendarMembers.$inferInsert> = {},
) {
  const calendar = await make(owner, '/api/calendars', { name: `Shared ${member.row.id}` })
  const event = await owner.create({ ...TIMES, title: 'Zither recital', calendar_id: calendar.id })
  const now = { createdAt: h.clock.now(), updatedAt: h.clock.now() }
  const row = {
    calendarId: calendar.id,
    userId: member.row.id,
    permission: 'read',
    status: 'accepted',
  } as const
  await h.db.insert(calendarMembers).values({ ...row, ...now, ...columns })
  const membership = and(
    eq(calendarMembers.calendarId, calendar.id),
    eq(calendarMembers.userId, member.row.id),
  )
  return { calendar, event, membership }
}

describe('a search never shows', () => {
  test('what belongs to a connected user, nor to a stranger', async () => {
    const { ada, bob } = await friends(h)
    const stranger = await person(h)
    await ada.create({ ...TIMES, title: 'Zither' })
    await createTodo(ada, { title: 'Zither' })
    await createReminder(ada, { title: 'Zither' })
    const { id } = await make(ada, '/api/projects', { name: 'Zither' })
    await make(ada, `/api/projects/${id}/tasks`, { title: 'Zither' })
    await createPerson(ada, { nickname: 'Zither' })
    expect(await find(ada, 'zither')).toHaveLength(6)
    for (const other of [bob, stranger]) {
      for (const q of ['zither', 'z', `u${ada.row.id}/zither`, `u${ada.row.id}`, '#']) {
        expect(await find(other, q)).toEqual([])
      }
    }
  })

  test('a shared calendar before its invitation is accepted, nor after the membership has ended', async () => {
    const { ada, bob } = await friends(h)
    const { membership } = await share(ada, bob, { status: 'pending' })
    expect(await find(bob, 'zither')).toEqual([])
    await h.db.update(calendarMembers).set({ status: 'accepted' }).where(membership)
    expect(await titles(bob, 'zither')).toEqual(['Zither recital'])
    await h.db.delete(calendarMembers).where(membership)
    expect(await find(bob, 'zither')).toEqual([])
    expect(await titles(ada, 'zither')).toEqual(['Zither recital'])
  })

  test('an event that was declined, by invitation or in a shared calendar', async () => {
    const { ada, bob, event, invitation } = await invitedTo(h, { ...TIMES, title: 'Zither evening' })
    const { event: shared } = await share(ada, bob)
    const { body } = await ada.invite(shared.id, bob)
    expect(await titles(bob, 'zither')).toEqual(['Zither evening', 'Zither recital'])
    await bob.respond(invitation.id, 'Declined')
    await bob.respond(body.invitations[0].id, 'Declined')
    expect(await find(bob, 'zither')).toEqual([])
    expect((await find(ada, 'zither')).map(({ id }) => id)).toEqual([event.id, shared.id])
    await bob.respond(invitation.id, 'Tentative')
    expect(await titles(bob, 'zither')).toEqual(['Zither evening'])
  })

  test('an event whose invitation was taken back', async () => {
    const { ada, bob, event, invitation } = await invitedTo(h, { ...TIMES, title: 'Zither' })
    expect(await titles(bob, 'zither')).toEqual(['Zither'])
    await ada.uninvite(event.id, invitation.id)
    expect(await find(bob, 'zither')).toEqual([])
  })

  test('what a connection showed, once it has ended', async () => {
    const { ada, bob, connection } = await invitedTo(h, { ...TIMES, title: 'Zither' })
    expect(await titles(bob, 'zither')).toEqual(['Zither'])
    await ada.request('DELETE', `/api/connections/${connection.own}`)
    expect(await find(bob, 'zither')).toEqual([])
  })
})

describe('a search shows', () => {
  test('shared calendars to who may read them and to who may write, each event once, hidden or not', async () => {
    const { ada, bob } = await friends(h)
    const { event, membership } = await share(ada, bob, { permission: 'read' })
    for (const columns of [{}, { permission: 'write' as const }, { isVisible: false }]) {
      if (Object.keys(columns).length > 0) await h.db.update(calendarMembers).set(columns).where(membership)
      expect((await find(bob, 'zither')).map(({ type, id }) => [type, id])).toEqual([['event', event.id]])
    }
    await ada.invite(event.id, bob)
    expect((await find(bob, 'zither')).map(({ id }) => id)).toEqual([event.id])
  })

  test('hidden calendars of one’s own', async () => {
    const ada = await person(h)
    await ada.create({ ...TIMES, title: 'Zither' })
    await h.db.update(calendars).set({ isVisible: false }).where(eq(calendars.userId, ada.row.id))
    expect(await titles(ada, 'zither')).toEqual(['Zither'])
  })

  test('a declined series of which an occurrence was accepted', async () => {
    const series = { ...TIMES, title: 'Zither', recurrence_rule: 'FREQ=DAILY;COUNT=3' }
    const { bob, invitation } = await invitedTo(h, series)
    await bob.respond(invitation.id, 'Declined')
    expect(await find(bob, 'zither')).toEqual([])
    await bob.respond(invitation.id, 'Going', '2026-03-06T09:00:00Z')
    expect(await titles(bob, 'zither')).toEqual(['Zither'])
  })
})
