import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq, or, sql } from 'drizzle-orm'
import {
  calendarMembers,
  eventInvitations,
  NOTIFICATION_TYPES,
  notifications,
  people,
} from '../../../src/db/schema'
import { purgeNotifications } from '../../../src/features/notifications/notifications/service'
import { databaseFailure } from '../../../src/lib/database-failure'
import { addDays } from '../../../src/lib/time/time'
import {
  connect,
  connectionsOf,
  notificationsOf,
  requestsOf,
  ROUNDS,
  send,
  settle,
  sociable,
  sorted,
} from '../../support/connecting'
import { type Actor, type Harness } from '../../support/harness'
import { sharedWith } from '../../support/sharing'
import { auditOf, startUnlimited } from './acting'

let h: Harness
beforeAll(async () => void (h = await startUnlimited()))
afterAll(() => h[Symbol.asyncDispose]())

const twoUsers = async () => [await sociable(h), await sociable(h)] as const
const peopleOf = ({ row }: Actor) =>
  h.db.select({ linkedUserId: people.linkedUserId }).from(people).where(eq(people.userId, row.id))
const typesOf = async (actor: Actor) => (await notificationsOf(actor)).map(({ type }) => type)

describe('3.4 Connection requests', () => {
  test('operations: send, accept, reject, cancel (cancel is a PUT on a request)', async () => {
    for (const [action, status, sent, received] of [
      ['accept', 'accepted', ['accepted'], ['accepted']],
      ['reject', 'rejected', ['pending'], ['rejected']],
      ['cancel', 'cancelled', ['cancelled'], []],
    ] as const) {
      const [ada, bob] = await twoUsers()
      const asked = await send(ada, bob)
      expect([asked.status, asked.body.status]).toEqual([201, 'pending'])
      const answered = await settle(action === 'cancel' ? ada : bob, action, asked.body.id)
      expect([answered.status, (answered.body.request ?? answered.body).status]).toEqual([200, status])
      const statuses = async (side: Actor) => (await requestsOf(side)).map((request) => request['status'])
      expect([await statuses(ada), await statuses(bob)]).toEqual([[...sent], [...received]])
    }
  })

  test('accept creates a bidirectional connection and person records', async () => {
    const [ada, bob] = await twoUsers()
    await connect(ada, bob)
    for (const [one, other] of [
      [ada, bob],
      [bob, ada],
    ] as const) {
      expect((await connectionsOf(one)).map(({ user_id }) => user_id)).toEqual([other.row.id])
      expect(await peopleOf(one)).toEqual([{ linkedUserId: other.row.id }])
    }
  })

  test('cancel is an atomic update, removes the related notification silently and writes an audit entry', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [ada, bob] = await twoUsers()
      const { id } = (await send(ada, bob)).body
      expect(await typesOf(bob)).toEqual(['connection_request'])
      const answers = await Promise.all([1, 2, 3].map(() => settle(ada, 'cancel', id)))
      expect(sorted(answers)).toEqual([200, 409, 409])
      expect([await typesOf(ada), await typesOf(bob)]).toEqual([[], []])
      expect((await auditOf(h, ada.row.id)).map(({ action }) => action)).toEqual([
        'connection.request_cancelled',
      ])
      expect(await auditOf(h, bob.row.id)).toEqual([])
    }
  })
})

describe('3.4 Connection requests and invitations', () => {
  test('disconnecting cascades to shared-calendar membership and invitations', async () => {
    for (const side of ['owner', 'member'] as const) {
      const { ada, bob, calendar } = await sharedWith(h, 'write')
      const pending = await bob.createCalendar('Pending')
      await bob.share(pending.id, ada)
      const times = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
      const { id } = await ada.create({ ...times, calendar_id: calendar.id })
      await ada.invite(id, bob)
      const actor = side === 'owner' ? ada : bob
      const [connection] = await connectionsOf(actor)
      expect((await actor.request('DELETE', `/api/connections/${connection?.id}`)).status).toBe(204)
      const left = or(eq(calendarMembers.calendarId, calendar.id), eq(calendarMembers.calendarId, pending.id))
      expect(await h.db.$count(calendarMembers, left)).toBe(0)
      expect(await h.db.$count(eventInvitations, eq(eventInvitations.eventId, id))).toBe(0)
      expect((await bob.calendar(calendar.id)).status).toBe(404)
      expect((await ada.invites()).body.invites).toEqual([])
    }
  })
})

describe('2.6 Notification', () => {
  const note = (actor: Actor, type: string, createdAt: Date) =>
    h.db.execute(sql`insert into notifications (user_id, type, title, message, data, created_at)
      values (${actor.row.id}, ${type}, 'T', 'M', '{}', ${createdAt.toISOString()})`)

  test('type is restricted by a database check', async () => {
    const ada = await h.signedIn()
    for (const type of NOTIFICATION_TYPES) await note(ada, type, h.clock.now())
    const refused = await note(ada, 'gossip', h.clock.now()).then(undefined, (error: unknown) => error)
    expect(databaseFailure(refused)?.constraint).toBe('notifications_type_check')
    expect(await notificationsOf(ada)).toHaveLength(NOTIFICATION_TYPES.length)
  })

  test('purged after 90 days', async () => {
    const ada = await h.signedIn()
    await note(ada, 'system', h.clock.now())
    await note(ada, 'security', addDays(h.clock.now(), -1))
    h.clock.advance({ days: 89, ms: 1 })
    await purgeNotifications(h.deps)
    const left = await h.db.select().from(notifications).where(eq(notifications.userId, ada.row.id))
    expect(left.map(({ type }) => type)).toEqual(['system'])
    h.clock.advance({ days: -89, ms: -1 })
  })
})

describe('6.2 Notifications', () => {
  test('in-app notifications are created by invitation operations, those to calendars included', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'read')
    const times = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
    const { id } = await ada.create({ ...times, calendar_id: calendar.id })
    const invited = await ada.invite(id, bob)
    await bob.respond(invited.body.invitations[0].id, 'Going')
    expect(await typesOf(bob)).toEqual(['event_invite', 'calendar_invite'])
    expect(await typesOf(ada)).toEqual(['event_response', 'calendar_invite_accepted', 'security'])
  })

  test('in-app notifications are created by connection operations', async () => {
    const [ada, bob] = await twoUsers()
    await connect(ada, bob)
    expect([await typesOf(ada), await typesOf(bob)]).toEqual([
      ['connection_accepted'],
      ['connection_request'],
    ])
  })
})
