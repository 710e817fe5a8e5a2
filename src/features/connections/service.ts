import type { Db, Tx } from '../../db/client'
import { inTransaction } from '../../db/transaction'
import type { Deps } from '../../deps'
import { conflict, notFound, unauthenticated } from '../../lib/errors'
import { isId } from '../../lib/id'
import { readPage, type Stretch, toPage } from '../../lib/page'
import { formatInstant } from '../../lib/time'
import { addLinkedPerson, unlinkFromAll } from '../linked-people/service'
import { withdraw } from '../notifications/service'
import { lockUserOf, refuseEnded, type SessionKey } from '../sessions/service'
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
import { isNetworkNameKey } from './rules'

/** Two users, by id. */
export type Pair = readonly [number, number]

const connectionNotFound = () => notFound('Connection')

/**
 * Holds the user and the other, whatever is to become of what is between them; answers the network names of both,
 * undefined where the other is gone.
 * @throws {AppError} 401 where the user is gone.
 */
export async function holdPair(
  tx: Tx,
  userId: number,
  otherUserId: number,
): Promise<{ readonly own: string; readonly other: string } | undefined> {
  const held = await holdUsers(tx, [userId, otherUserId])
  const [own, other] = [held.get(userId), held.get(otherUserId)]
  if (own === undefined) throw unauthenticated('User not found or inactive')
  return other === undefined ? undefined : { own, other }
}

/** Holds all of these users; answers the network names of those that there are, by user id. */
export async function holdUsers(tx: Tx, userIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  return new Map((await q.hold(tx, userIds)).map((row) => [row.id, row.networkName]))
}

/** @throws {AppError} 404 where the user is not connected with every one of the others. */
export async function refuseStrangers(tx: Tx, userId: number, others: readonly number[]): Promise<void> {
  const known = others.every(isId) ? await q.countAmong(tx, userId, others) : 0
  if (known < others.length) throw connectionNotFound()
}

/** Whom the user's connection is with. @throws {AppError} 404. */
export async function otherSideOf(tx: Tx, userId: number, id: number): Promise<number> {
  const found = isId(id) ? await q.find(tx, userId, id) : undefined
  if (!found) throw connectionNotFound()
  return found.otherUserId
}

/** Whom of the others the user is connected with. */
export const connectedAmong = async (
  tx: Tx,
  userId: number,
  others: readonly number[],
): Promise<ReadonlySet<number>> => new Set(await q.connectedAmong(tx, userId, others))

/** The caller's connections, by network name (contract, section 15). */
export async function listConnections(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  userId: number,
  query: ConnectionsQuery,
): Promise<ConnectionsPage> {
  const { limit, after } = readPage(query, isNetworkNameKey)
  const rows = await q.list(db, userId, after?.[0], limit + 1)
  const { page, next_cursor } = toPage(rows, limit, ({ networkName }) => [networkName])
  return { connections: await toViews(db, config.timeZone, userId, page), next_cursor }
}

/** A piece of all connections of the user, by id, each with what they show the other. */
export async function stretchOfConnections(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  userId: number,
  stretch: Stretch,
): Promise<SharingConnectionView[]> {
  const rows = await q.stretch(db, userId, stretch)
  const sharing = new Map(rows.map(({ connection }) => [connection.id, toToggleFields(connection)]))
  return (await toViews(db, config.timeZone, userId, rows)).flatMap((view) => {
    const toggles = sharing.get(view.id)
    return toggles ? [{ ...view, sharing: toggles }] : []
  })
}

/** What the caller shows the other. @throws {AppError} 404. */
export async function readSharing(
  { db }: Pick<Deps, 'db'>,
  userId: number,
  id: number,
): Promise<ConnectionSharingView> {
  const row = await q.find(db, userId, id)
  if (!row) throw connectionNotFound()
  return toToggleFields(row)
}

/** Changes the toggles that are given; null leaves a field to the settings. @throws {AppError} 401, 404. */
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
 * Connects two users whose rows the transaction holds, with a person record on each side; answers the id of the connection
 * as the first sees it.
 * @throws {AppError} 409 where they are connected.
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

/** The user's side of the connection between the two. @throws {AppError} 404. */
export async function viewBetween(
  tx: Tx,
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
 * Takes away both directions of the caller's connection, and what told of it; answers whom it was between, both of whom
 * the transaction then holds.
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
  await holdPair(tx, ...pair)
  await refuseEnded(tx, session, now)
  const removed = await removeBetween(tx, pair)
  if (!removed.includes(id)) throw connectionNotFound()
  return pair
}

/** The same of two users whom the transaction holds, connected or not; answers the ids of both directions. */
export async function removeBetween(tx: Tx, pair: Pair): Promise<number[]> {
  const removed = await q.removeBoth(tx, pair)
  for (const row of removed) {
    const data = { connection_id: row.id }
    await withdraw(tx, { userId: row.userId, type: 'connection_accepted', data })
  }
  return removed.map(({ id }) => id)
}

/** What others still have of a user whose account is about to be deleted: links to them and news of them. */
export async function forgetUser(tx: Tx, userId: number, now: Date): Promise<void> {
  await q.removeNotificationsAbout(tx, userId)
  await unlinkFromAll(tx, userId, now)
}

async function toViews(
  db: Db | Tx,
  zone: string,
  userId: number,
  rows: readonly q.ListedRow[],
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

const toView = (zone: string, { connection, personId }: q.ListedRow, profile: Profile): ConnectionView => ({
  id: connection.id,
  user_id: profile.userId,
  network_name: profile.networkName,
  preferred_name: profile.preferredName,
  person_id: personId,
  shared_profile: profile.shared ?? {},
  created_at: formatInstant(zone, connection.createdAt),
})
