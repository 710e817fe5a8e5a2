import { eq } from 'drizzle-orm'
import { settings } from '../../src/db/schema'
import type { Actor, Harness } from './harness'

export const REQUESTS = '/api/connections/requests'
export const BLOCKS = '/api/connections/blocks'
export const ROUNDS = 20

/** A signed-in user who accepts connections. */
export async function sociable(h: Harness, columns: Parameters<Harness['signedIn']>[0] = {}) {
  const actor = await h.signedIn(columns)
  await set(h, actor, { acceptConnections: true })
  return actor
}

export const set = async (h: Harness, actor: Actor, columns: Partial<typeof settings.$inferInsert>) => {
  await h.db.update(settings).set(columns).where(eq(settings.userId, actor.row.id))
}

export const send = (from: Actor, to: Actor, message?: string) =>
  from.request('POST', REQUESTS, { body: { network_name: to.row.networkName, message } })

export const settle = (actor: Actor, action: 'accept' | 'reject' | 'cancel', id: number) =>
  actor.request('PUT', `${REQUESTS}/${id}/${action}`)

export const block = (actor: Actor, other: Actor) =>
  actor.request('POST', BLOCKS, { body: { network_name: other.row.networkName } })

/** Asks and accepts; answers the request and each one's id of the connection. */
export async function connect(from: Actor, to: Actor) {
  const { id } = (await send(from, to)).body
  const accepted = await settle(to, 'accept', id)
  if (accepted.status !== 200) throw new Error(`not connected: ${accepted.status}`)
  const theirs: number = accepted.body.connection.id
  const own: number = (await connectionsOf(from)).find((c) => c.user_id === to.row.id)?.id ?? 0
  return { request: Number(id), own, theirs }
}

interface Connection {
  readonly id: number
  readonly user_id: number
  readonly network_name: string
  readonly preferred_name: string | null
  readonly person_id: number | null
  readonly shared_profile: Readonly<Record<string, string | null>>
}

export const connectionsOf = async (actor: Actor): Promise<Connection[]> =>
  (await actor.request('GET', '/api/connections')).body.connections

export const requestsOf = async (actor: Actor, query = ''): Promise<Array<Record<string, unknown>>> =>
  (await actor.request('GET', `${REQUESTS}${query}`)).body.requests

export const notificationsOf = async (actor: Actor): Promise<Array<Record<string, unknown>>> =>
  (await actor.request('GET', '/api/notifications')).body.notifications

export { statusesOf as sorted } from './racing'
