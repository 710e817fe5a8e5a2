import type { Db, Tx } from '../../../db/client'
import { connectionNotFound, lockPair, type Pair } from '../../../access/connections/service'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps } from '../../../deps'
import { conflict } from '../../../lib/errors'
import { isId } from '../../../lib/wire/id'
import { readPage, type ById, toPage } from '../../../lib/wire/page'
import { formatInstant } from '../../../lib/time/time'
import { addLinkedPerson, unlinkFromAll } from '../linked-people/service'
import { withdraw } from '../../../access/notices/service'
import { lockUserOf, beginOperation, type SessionKey } from '../../../access/sessions/service'
import { toToggleColumns, toToggleFields } from '../sharing/rules'
import { type Profile, profileFor, profilesFor } from '../sharing/service'
import type {
  ConnectionSharingChanges,
  ConnectionSharingView,
  ConnectionsPage,
  ConnectionsQuery,
  ConnectionView,
  SharingConnectionView,
} from './model'
import * as q from './queries'
import { isNetworkNameKey } from '../../../lib/wire/page'

/** Returns the id of the user on the other side of a connection. @throws {AppError} 404. */
export async function otherSideOf(tx: Tx, userId: number, id: number): Promise<number> {
  const found = isId(id) ? await q.find(tx, userId, id) : undefined
  if (!found) throw connectionNotFound()
  return found.otherUserId
}

/** Returns a page of the caller's connections, by network name. */
export async function listConnections(
  { db, config }: ReadDeps,
  userId: number,
  query: ConnectionsQuery,
): Promise<ConnectionsPage> {
  const { limit, after } = readPage(query, isNetworkNameKey)
  const rows = await q.list(db, userId, after?.[0], limit + 1)
  const { page, next_cursor } = toPage(rows, limit, ({ networkName }) => [networkName])
  return { connections: await toViews(db, config.timeZone, userId, page), next_cursor }
}

/** Names the users with whom the user is connected. */
export const listConnectedUsers = ({ db }: Pick<Deps, 'db'>, userId: number): Promise<q.ConnectedUser[]> =>
  q.listNames(db, userId)

/** Returns the user's connections by id: a page of them, or those that are named, each with what the user shares with the other. */
export async function pageConnectionsById(
  { db, config }: ReadDeps,
  userId: number,
  byId: ById,
): Promise<SharingConnectionView[]> {
  const rows = await q.pageById(db, userId, byId)
  const sharing = new Map(rows.map(({ connection }) => [connection.id, toToggleFields(connection)]))
  return (await toViews(db, config.timeZone, userId, rows)).flatMap((view) => {
    const toggles = sharing.get(view.id)
    return toggles ? [{ ...view, sharing: toggles }] : []
  })
}

/** Returns the toggles for what the caller shares on this connection. @throws {AppError} 404. */
export async function readSharing(
  { db }: Pick<Deps, 'db'>,
  userId: number,
  id: number,
): Promise<ConnectionSharingView> {
  const row = await q.find(db, userId, id)
  if (!row) throw connectionNotFound()
  return toToggleFields(row)
}

/** Changes the given toggles; null makes a field follow the settings. @throws {AppError} 401, 404. */
export const changeSharing = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  session: SessionKey,
  id: number,
  changes: ConnectionSharingChanges,
): Promise<ConnectionSharingView> =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    await lockUserOf(tx, session, now)
    const row = await q.update(tx, session.userId, id, { ...toToggleColumns(changes), updatedAt: now })
    if (!row) throw connectionNotFound()
    return toToggleFields(row)
  })

/**
 * Connects two users and adds a person record on each side. The transaction must hold the locks of both users. Returns the id of
 * the connection as the first user sees it.
 * @throws {AppError} 409 when they are connected already.
 */
export async function connect(tx: Tx, pair: Pair, now: Date): Promise<number> {
  const [a, b] = pair
  const created = await q.insertBoth(tx, pair, now)
  const first = created.find((row) => row.userId === a)
  if (!first) throw conflict('You are already connected')
  const sides: readonly Pair[] = [pair, [b, a]]
  for (const [userId, otherUserId] of sides) {
    const profile = await profileFor(tx, userId, otherUserId)
    if (profile) await addLinkedPerson(tx, userId, profile, now)
  }
  return first.id
}

/** Returns the user's direction of the connection between the two. @throws {AppError} 404. */
export async function viewBetween(
  tx: Db | Tx,
  { config }: Pick<Deps, 'config'>,
  userId: number,
  otherUserId: number,
): Promise<ConnectionView> {
  const row = await q.findBetween(tx, userId, otherUserId)
  const [view] = row ? await toViews(tx, config.timeZone, userId, [row]) : []
  if (!view) throw connectionNotFound()
  return view
}

/**
 * Deletes both directions of the caller's connection and its notifications. Locks and returns both users.
 * @throws {AppError} 401, 404.
 */
export async function removeConnection(
  tx: Tx,
  { session, now }: { readonly session: SessionKey; readonly now: Date },
  id: number,
): Promise<Pair> {
  const { userId } = session
  const found = await q.find(tx, userId, id)
  if (!found) throw connectionNotFound()
  const pair = [userId, found.otherUserId] as const
  await lockPair(tx, ...pair)
  await beginOperation(tx, session, now)
  const removed = await removeBetween(tx, pair)
  if (!removed.includes(id)) throw connectionNotFound()
  return pair
}

/** Deletes the connection of two locked users, if any, and its notifications. Returns the ids of both directions. */
export async function removeBetween(tx: Tx, pair: Pair): Promise<number[]> {
  const removed = await q.removeBoth(tx, pair)
  for (const row of removed) {
    const data = { connection_id: row.id }
    await withdraw(tx, { userId: row.userId, type: 'connection_accepted', data })
  }
  return removed.map(({ id }) => id)
}

/** Deletes what other users still have of an account that is about to be deleted: links to it and notifications about it. */
export async function forgetUser(tx: Tx, userId: number, now: Date): Promise<void> {
  await q.removeNotificationsAbout(tx, userId)
  await unlinkFromAll(tx, userId, now)
}

async function toViews(
  db: Db | Tx,
  zone: string,
  userId: number,
  rows: readonly q.ListedConnection[],
): Promise<ConnectionView[]> {
  const profiles = await profilesFor(
    db,
    userId,
    rows.map(({ connection }) => connection.otherUserId),
  )
  return rows.flatMap((row) => {
    const profile = profiles.get(row.connection.otherUserId)
    return profile ? [toView(zone, row, profile)] : []
  })
}

const toView = (
  zone: string,
  { connection, personId }: q.ListedConnection,
  profile: Profile,
): ConnectionView => ({
  id: connection.id,
  user_id: profile.userId,
  network_name: profile.networkName,
  preferred_name: profile.preferredName,
  person_id: personId,
  shared_profile: profile.shared ?? {},
  created_at: formatInstant(zone, connection.createdAt),
})
