import { connections } from '../../src/db/schema'
import { connect, notificationsOf, set } from './connecting'
import { organiser } from './events'
import { type Actor, type Harness, PASSWORD } from './harness'

export type Answered = Awaited<ReturnType<Actor['request']>>

const OWN = '/api/event-invitations'

/** What the tests of invitations do over and over, through the API. */
function invitationsOf(actor: Actor) {
  const ofEvent = (eventId: number) => `/api/events/${eventId}/invitations`
  return {
    invite: (eventId: number, ...guests: readonly Actor[]): Promise<Answered> =>
      actor.request('POST', ofEvent(eventId), { body: { user_ids: guests.map(({ row }) => row.id) } }),
    inviteIds: (eventId: number, user_ids: unknown): Promise<Answered> =>
      actor.request('POST', ofEvent(eventId), { body: { user_ids } }),
    invitationsTo: (eventId: number, query = ''): Promise<Answered> =>
      actor.request('GET', `${ofEvent(eventId)}${query}`),
    uninvite: (eventId: number, id: number | string): Promise<Answered> =>
      actor.request('DELETE', `${ofEvent(eventId)}/${id}`),
    invitations: (query = ''): Promise<Answered> => actor.request('GET', `${OWN}${query}`),
    respond: (id: number, response: unknown, occurrence_start?: unknown): Promise<Answered> =>
      actor.request('PUT', `${OWN}/${id}`, { body: { response, occurrence_start } }),
    display: (id: number, calendar_id: unknown): Promise<Answered> =>
      actor.request('PUT', `${OWN}/${id}/display-calendar`, { body: { calendar_id } }),
    disconnect: (connectionId: number | undefined): Promise<Answered> =>
      actor.request('DELETE', `/api/connections/${connectionId}`),
    deleteAccount: (): Promise<Answered> =>
      actor.request('DELETE', '/api/auth/account', { body: { password: PASSWORD } }),
    /** Reads every notification, so that what comes next is news of its own. */
    catchUp: (): Promise<Answered> => actor.request('PUT', '/api/notifications/read-all'),
    /** The notifications about invitations, newest first, as `type: message`. */
    heard: async (): Promise<string[]> =>
      (await notificationsOf(actor))
        .filter(({ type }) => String(type).startsWith('event_'))
        .map(({ type, message }) => `${String(type)}: ${String(message)}`),
  }
}

/** Somebody with events and invitations who accepts connections. */
export async function person(h: Harness) {
  const actor = await organiser(h)
  await set(h, actor, { acceptConnections: true })
  return { ...actor, ...invitationsOf(actor) }
}

export type Person = Awaited<ReturnType<typeof person>>

/** Two people who are connected, each with their id of the connection. */
export async function friends(h: Harness) {
  const [ada, bob] = [await person(h), await person(h)]
  return { ada, bob, connection: await connect(ada, bob) }
}

/** The first is connected with all the others, as their requests would leave it. */
export async function befriend(h: Harness, { row }: Actor, others: readonly Actor[]) {
  const now = { createdAt: h.clock.now(), updatedAt: h.clock.now() }
  await h.db
    .insert(connections)
    .values(
      others.flatMap((other) => [
        { userId: row.id, otherUserId: other.row.id, ...now },
        { userId: other.row.id, otherUserId: row.id, ...now },
      ]),
    )
    .onConflictDoNothing()
}

/** Connected with somebody, and invited by them to an event. */
export async function invitedTo(h: Harness, body: Record<string, unknown>) {
  const { ada, bob, connection } = await friends(h)
  const event = await ada.create(body)
  const answered = await ada.invite(event.id, bob)
  if (answered.status !== 201) throw new Error(JSON.stringify(answered.body))
  return { ada, bob, connection, event, invitation: answered.body.invitations[0] }
}
