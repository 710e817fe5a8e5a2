import { describe, expect, test } from 'bun:test'
import { eq, or } from 'drizzle-orm'
import { calendarMembers } from '../../../../src/db/schema'
import { connectionsOf } from '../../../support/connecting'
import { type Sharer, sharedWith } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const SINGLE = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
const WINDOW = ['2026-03-09', '2026-03-16'] as const

const membershipsOf = ({ row }: Sharer, calendarId: number) =>
  h.db.$count(
    calendarMembers,
    or(eq(calendarMembers.userId, row.id), eq(calendarMembers.calendarId, calendarId)),
  )

/** Two who share a calendar each with the other, one accepted and one not, with an event and invitation in the first. */
async function entangled() {
  const { ada, bob, calendar } = await sharedWith(h, 'write')
  const other = await bob.createCalendar('Other')
  await bob.share(other.id, ada)
  const event = await ada.create({ ...SINGLE, calendar_id: calendar.id })
  await ada.invite(event.id, bob)
  return { ada, bob, calendar, other, event }
}

describe('the end of a connection', () => {
  test.each(['owner', 'member'] as const)(
    'ends the memberships of both in the calendars of both, when the %s ends it',
    async (who) => {
      const { ada, bob, calendar, other, event } = await entangled()
      const actor = who === 'owner' ? ada : bob
      const [connection] = await connectionsOf(actor)
      expect((await actor.disconnect(connection?.id)).status).toBe(204)
      expect([await membershipsOf(ada, calendar.id), await membershipsOf(bob, other.id)]).toEqual([0, 0])
      expect([await ada.told(), await bob.told()]).toEqual([[], []])
      expect((await ada.invites()).body.invites).toEqual([])
      expect((await bob.calendar(calendar.id)).body).toEqual({ detail: 'Calendar not found' })
      expect((await bob.read(event.id)).body).toEqual({ detail: 'Event not found' })
      expect((await bob.occurrences(event.id, ...WINDOW)).status).toBe(404)
      expect(await bob.list(...WINDOW, { include_declined: 'true' })).toEqual([])
      expect((await bob.change(event.id, { title: 'Band' })).status).toBe(404)
      expect((await ada.read(event.id)).status).toBe(200)
    },
  )
})

describe('the end of an account', () => {
  test('ends the calendars that it shared, for everybody, and their notifications', async () => {
    const { ada, bob, calendar, event } = await entangled()
    expect((await ada.deleteAccount()).status).toBe(204)
    expect((await bob.calendar(calendar.id)).status).toBe(404)
    expect((await bob.read(event.id)).status).toBe(404)
    expect([await membershipsOf(bob, calendar.id), await bob.told()]).toEqual([0, []])
  })

  test('ends its memberships, while what it wrote into calendars of others stays', async () => {
    const { ada, bob, calendar } = await entangled()
    const written = await bob.create({ ...SINGLE, title: 'By Bob', calendar_id: calendar.id })
    expect((await bob.deleteAccount()).status).toBe(204)
    expect((await ada.members(calendar.id)).body.members).toEqual([])
    expect([await ada.told(), (await ada.invites()).body.invites]).toEqual([[], []])
    expect((await ada.read(written.id)).body).toMatchObject({ title: 'By Bob', access: 'owner' })
  })
})

test('a calendar that is deleted is gone for its members at once, with its events', async () => {
  const { ada, bob, calendar, event } = await entangled()
  expect((await ada.deleteCalendar(calendar.id)).status).toBe(204)
  expect((await bob.calendars()).body.calendars).not.toContainEqual(
    expect.objectContaining({ id: calendar.id }),
  )
  expect([(await bob.read(event.id)).status, await bob.list(...WINDOW)]).toEqual([404, []])
  expect(await bob.told()).toEqual([])
})

test('a deactivation loses nothing: members go on with the calendar, and reactivated users have all of theirs', async () => {
  const { ada, bob, calendar, event } = await entangled()
  const admin = await h.signedIn({ role: 'admin' })
  const activate = (actor: Sharer, is_active: boolean) =>
    admin.request('PUT', `/api/admin/users/${actor.row.id}/active`, { body: { is_active } })
  await activate(ada, false)
  expect((await bob.change(event.id, { title: 'Band' })).status).toBe(200)
  await activate(bob, false)
  await activate(ada, true)
  await activate(bob, true)
  for (const actor of [ada, bob]) {
    const { token } = await h.session(actor.row.id)
    const answered = await h.request('GET', `/api/calendars/${calendar.id}`, { cookie: token })
    expect(answered).toMatchObject({ status: 200, body: { access: actor === ada ? 'owner' : 'write' } })
  }
})

test('a calendar of a member counts for its owner alone', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'write')
  await bob.create({ ...SINGLE, calendar_id: calendar.id })
  const admin = await h.signedIn({ role: 'admin' })
  const countsOf = async ({ row }: Sharer) =>
    (await admin.request('GET', `/api/admin/users/${row.id}`)).body.counts
  expect(await countsOf(ada)).toMatchObject({ calendars: 3, events: 1 })
  expect(await countsOf(bob)).toMatchObject({ calendars: 2, events: 0 })
})
