import type { Db, Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { ReadDeps, WriteDeps } from '../../../deps'
import { type AppError, notFound, tooManyUntil } from '../../../lib/errors'
import { instantKey, isInstantKey, readPage, type ById, toPage } from '../../../lib/wire/page'
import { addHours, formatInstant } from '../../../lib/time/time'
import { record } from '../../../access/audit/service'
import { connect, viewBetween } from '../connections/service'
import { lockPair, type Pair } from '../../../access/connections/service'
import { linkCandidates } from '../linked-people/service'
import { beginOperation, type SessionKey } from '../../../access/sessions/service'
import { markHandled, notify, withdraw } from '../../../access/notices/service'
import { type Profile, profileFor, profilesFor } from '../sharing/service'
import type {
  AcceptedView,
  NewRequestBody,
  RequestsPage,
  RequestsQuery,
  RequestView,
  SearchView,
} from './model'
import * as q from './queries'
import {
  refusalOfAbsent,
  refusalOfRequest,
  refusalOfSettling,
  type Side,
  shownStatus,
  MAX_SENT,
  WITHIN_HOURS,
} from './rules'

/** Tells whether a user who accepts connections has exactly this name (contract: connections.requests). */
export async function search({ db }: ReadDeps, userId: number, asked: string): Promise<SearchView> {
  const found = await q.findOpen(db, userId, asked.toLowerCase())
  const profile = found === undefined ? undefined : await profileFor(db, userId, found)
  return {
    found: profile !== undefined,
    network_name: asked,
    ...(profile?.preferredName != null && { preferred_name: profile.preferredName }),
  }
}

/**
 * Sends a request to connect. Earlier requests that the receiver rejected are cancelled.
 * @throws {AppError} 404 for a name that a search does not find either, 409, 429 after 20 to the same user within a day.
 */
export const sendRequest = (
  { db, config, clock }: WriteDeps,
  session: SessionKey,
  { network_name, message }: NewRequestBody,
): Promise<RequestView> =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { userId } = session
    const networkName = network_name.toLowerCase()
    const receiverId = await q.findAddressee(tx, userId, networkName)
    const names = receiverId === undefined ? undefined : await lockPair(tx, userId, receiverId)
    await beginOperation(tx, session, now)
    if (receiverId === undefined || names?.other !== networkName) {
      throw await absent(tx, userId, networkName)
    }
    const standing = await q.findStanding(tx, userId, receiverId)
    const refusal = standing ? refusalOfRequest(standing) : 'absent'
    if (refusal) throw refusal === 'absent' ? await absent(tx, userId, networkName) : refusal
    const reached = await q.nthNewest(tx, [userId, receiverId], MAX_SENT, addHours(now, -WITHIN_HOURS))
    if (reached) throw tooManyUntil('Too many connection requests', now, addHours(reached, WITHIN_HOURS))
    await takeBackRejected(tx, [userId, receiverId], now)
    const row = await q.insert(tx, {
      senderId: userId,
      receiverId,
      message: message ?? null,
      createdAt: now,
      updatedAt: now,
    })
    await notify(tx, {
      ...toldReceiver(row),
      title: 'Connection request',
      message: `${names.own} would like to connect with you.`,
      at: now,
    })
    return viewOf(tx, config.timeZone, userId, row)
  })

const absent = async (tx: Tx, userId: number, networkName: string): Promise<AppError> =>
  refusalOfAbsent(await q.hasRejectedOf(tx, userId, networkName))

/** Cancels the rejected requests from one to the other, which their sender still saw as pending. */
async function takeBackRejected(tx: Tx, pair: Pair, now: Date): Promise<void> {
  for (const row of await q.cancelRejected(tx, pair, now)) await withdraw(tx, toldReceiver(row))
}

/** Deletes all requests between two locked users, with their notifications. */
export async function forgetRequestsBetween(tx: Tx, pair: Pair): Promise<void> {
  for (const row of await q.removeBetween(tx, pair)) await withdraw(tx, toldReceiver(row))
}

/** The receiver's notification of the request. */
const toldReceiver = ({ id, receiverId }: q.RequestRow) => ({
  userId: receiverId,
  type: 'connection_request' as const,
  data: { request_id: id },
})

const SIDES = { incoming: 'receiver', outgoing: 'sender' } as const

/** Returns a page of the requests that the caller received and sent, newest first. */
export async function listRequests(
  { db, config }: ReadDeps,
  userId: number,
  { direction, status, ...paging }: RequestsQuery,
): Promise<RequestsPage> {
  const { limit, after } = readPage(paging, isInstantKey)
  const rows = await q.list(db, { userId, side: direction && SIDES[direction], status, after }, limit + 1)
  const { page, next_cursor } = toPage(rows, limit, instantKey)
  return { requests: await toViews(db, config.timeZone, userId, page), next_cursor }
}

/** Returns requests that the user received and sent by id: a page of them, or those that are named. */
export const pageRequestsById = async (
  { db, config }: ReadDeps,
  userId: number,
  byId: ById,
): Promise<RequestView[]> => toViews(db, config.timeZone, userId, await q.pageById(db, userId, byId))

/** Connects the caller with the sender of the request. @throws {AppError} 401, 404, 409. */
export const acceptRequest = (
  { db, config, clock }: WriteDeps,
  session: SessionKey,
  id: number,
): Promise<AcceptedView> =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { userId } = session
    const { row, ownName } = await settle(tx, session, { id, side: 'receiver', status: 'accepted' }, now)
    const connectionId = await connect(tx, [row.senderId, userId], now)
    for (const pair of [
      [row.senderId, userId],
      [userId, row.senderId],
    ] as const) {
      await takeBackRejected(tx, pair, now)
    }
    await markHandled(tx, toldReceiver(row))
    await notify(tx, {
      userId: row.senderId,
      type: 'connection_accepted',
      title: 'Connection accepted',
      message: `${ownName} accepted your request: you are connected now.`,
      data: { connection_id: connectionId },
      at: now,
    })
    return viewAccepted(tx, { config }, userId, row)
  })

/** Reads what `acceptRequest` has answered, as it is now. @throws {AppError} 404 also when the two are connected no longer. */
export async function readAccepted(
  { db, config }: ReadDeps,
  userId: number,
  id: number,
): Promise<AcceptedView> {
  const row = await q.find(db, { id, side: 'receiver', userId })
  if (row?.status !== 'accepted') throw notFound('Connection request')
  return viewAccepted(db, { config }, userId, row)
}

async function viewAccepted(
  db: Db | Tx,
  { config }: Pick<ReadDeps, 'config'>,
  userId: number,
  row: q.RequestRow,
): Promise<AcceptedView> {
  const connection = await viewBetween(db, { config }, userId, row.senderId)
  return {
    request: await viewOf(db, config.timeZone, userId, row),
    connection,
    link_candidates: await linkCandidates(db, userId, connection.shared_profile.email),
  }
}

/** Rejects a request; its sender still sees it as pending. @throws {AppError} 401, 404, 409. */
export const rejectRequest = (
  { db, config, clock }: WriteDeps,
  session: SessionKey,
  id: number,
): Promise<RequestView> =>
  inTransaction(db, async (tx) => {
    const { row } = await settle(tx, session, { id, side: 'receiver', status: 'rejected' }, clock.now())
    await markHandled(tx, toldReceiver(row))
    return viewOf(tx, config.timeZone, session.userId, row)
  })

interface Cancelling {
  readonly session: SessionKey
  readonly ip: string
}

/**
 * Cancels a request, removes its notification silently, and records this in the audit log (contract: connections.life).
 * @throws {AppError} 401, 404, 409.
 */
export const cancelRequest = (
  { db, config, clock }: WriteDeps,
  { session, ip }: Cancelling,
  id: number,
): Promise<RequestView> =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { userId } = session
    const { row } = await settle(tx, session, { id, side: 'sender', status: 'cancelled' }, now)
    await withdraw(tx, toldReceiver(row))
    const detail = { request_id: id, receiver_id: row.receiverId }
    await record(tx, { action: 'connection.request_cancelled', actorId: userId, ip, at: now, detail })
    return viewOf(tx, config.timeZone, userId, row)
  })

interface Settling {
  readonly id: number
  readonly side: Side
  readonly status: Exclude<q.RequestRow['status'], 'pending'>
}

/**
 * Settles a request, only once even if several try at the same time, and stores the names that the two have at that moment. Locks
 * both users. Also returns the caller's network name.
 * @throws {AppError} 401 when the session has ended, 404 when the user is not on that side of it, 409 when it is no longer pending.
 */
async function settle(
  tx: Tx,
  session: SessionKey,
  { id, side, status }: Settling,
  now: Date,
): Promise<{ readonly row: q.RequestRow; readonly ownName: string }> {
  const own = { id, side, userId: session.userId }
  const found = await q.find(tx, own)
  const names = found && (await lockPair(tx, own.userId, otherOf(own.userId, found)))
  await beginOperation(tx, session, now)
  const held = names && (await q.find(tx, own))
  if (!held) throw notFound('Connection request')
  const refusal = refusalOfSettling(own.side, held.status)
  if (refusal) throw refusal
  const kept = held.status === 'pending' ? await namesOf(tx, held) : {}
  const row = await q.update(tx, own.id, { ...kept, status, respondedAt: now, updatedAt: now })
  return { row, ownName: names.own }
}

/** The names of both sides, each as the other sees it. */
async function namesOf(tx: Tx, { senderId, receiverId }: q.RequestRow) {
  const sender = await profileFor(tx, receiverId, senderId)
  const receiver = await profileFor(tx, senderId, receiverId)
  if (!sender || !receiver) throw notFound('Connection request')
  return {
    senderNetworkName: sender.networkName,
    senderPreferredName: sender.preferredName,
    receiverNetworkName: receiver.networkName,
    receiverPreferredName: receiver.preferredName,
  }
}

const otherOf = (userId: number, { senderId, receiverId }: q.RequestRow): number =>
  senderId === userId ? receiverId : senderId

/** @throws {AppError} 404 when the other user no longer exists. */
async function viewOf(db: Db | Tx, zone: string, userId: number, row: q.RequestRow): Promise<RequestView> {
  const [view] = await toViews(db, zone, userId, [row])
  if (!view) throw notFound('Connection request')
  return view
}

async function toViews(
  db: Db | Tx,
  zone: string,
  userId: number,
  rows: readonly q.RequestRow[],
): Promise<RequestView[]> {
  const profiles = await profilesFor(
    db,
    userId,
    rows.map((row) => otherOf(userId, row)),
  )
  return rows.flatMap((row) => {
    const profile = profiles.get(otherOf(userId, row))
    return profile ? [toView(zone, userId, row, profile)] : []
  })
}

function toView(zone: string, userId: number, row: q.RequestRow, profile: Profile): RequestView {
  const side = row.senderId === userId ? 'sender' : 'receiver'
  const status = shownStatus(side, row.status)
  const isSettled = status !== 'pending'
  return {
    id: row.id,
    direction: side === 'sender' ? 'outgoing' : 'incoming',
    status,
    user: {
      id: isSettled && !profile.shared ? null : profile.userId,
      ...shownNames(side, row, profile),
    },
    message: row.message,
    created_at: formatInstant(zone, row.createdAt),
    responded_at: isSettled && row.respondedAt ? formatInstant(zone, row.respondedAt) : null,
  }
}

/**
 * Returns the names of the other side; for a settled request, the names at that time. If the two are connected, a preferred name
 * disappears as soon as it is no longer shared.
 */
function shownNames(side: Side, row: q.RequestRow, { networkName, preferredName, shared }: Profile) {
  const [keptName, keptPreferredName] =
    side === 'sender'
      ? [row.receiverNetworkName, row.receiverPreferredName]
      : [row.senderNetworkName, row.senderPreferredName]
  if (keptName === null) return { network_name: networkName, preferred_name: preferredName }
  const isHidden = shared && preferredName === null
  return { network_name: keptName, preferred_name: isHidden ? null : keptPreferredName }
}
