import { and, desc, eq, exists, gt, inArray, ne, not, or, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { isBlockedBetween } from '../../../db/blocked'
import { idOf, isSelected, mostOf } from '../../../db/by-id'
import type { Db, Tx } from '../../../db/client'
import { connectionRequests, connections, type RequestStatus, settings, users } from '../../../db/schema'
import { isOlder, newestFirst } from '../../../db/newest-first'
import type { InstantKey, ById } from '../../../lib/wire/page'
import { type Side, type Standing, statusesShownAs } from './rules'

const isOpen = and(eq(users.isActive, true), eq(settings.acceptConnections, true))

const isAnother = (userId: number, networkName: string) =>
  and(eq(users.networkName, networkName), ne(users.id, userId), not(isBlockedBetween(userId, users.id)))

/** The user with this name whom a stranger may find. */
export const findOpen = async (db: Db, userId: number, networkName: string): Promise<number | undefined> =>
  (
    await db
      .select({ id: users.id })
      .from(users)
      .innerJoin(settings, eq(settings.userId, users.id))
      .where(and(isAnother(userId, networkName), isOpen))
  )[0]?.id

const { senderId, receiverId } = connectionRequests
const isPending = eq(connectionRequests.status, 'pending')
const isRejected = eq(connectionRequests.status, 'rejected')
const isPendingWith = (userId: number, other: number | typeof users.id) =>
  and(
    isPending,
    or(and(eq(senderId, userId), eq(receiverId, other)), and(eq(senderId, other), eq(receiverId, userId))),
  )
const isConnectionWith = (userId: number, other: number | typeof users.id) =>
  and(eq(connections.userId, userId), eq(connections.otherUserId, other))

/**
 * Like `findOpen`, and also finds users to whom the user is connected or with whom a request is pending. One statement checks all
 * of this, so that response times reveal nothing.
 */
export const findAddressee = async (
  tx: Tx,
  userId: number,
  networkName: string,
): Promise<number | undefined> =>
  (
    await tx
      .select({ id: users.id })
      .from(users)
      .innerJoin(settings, eq(settings.userId, users.id))
      .where(
        and(
          isAnother(userId, networkName),
          or(
            isOpen,
            exists(
              tx.select({ id: connections.id }).from(connections).where(isConnectionWith(userId, users.id)),
            ),
            exists(
              tx.select({ id: senderId }).from(connectionRequests).where(isPendingWith(userId, users.id)),
            ),
          ),
        ),
      )
  )[0]?.id

/** Undefined when the user does not exist, or when one has blocked the other. */
export const findStanding = async (
  tx: Tx,
  userId: number,
  otherUserId: number,
): Promise<Standing | undefined> =>
  (
    await tx
      .select({
        isOpen: sql<boolean>`${isOpen}`,
        connections: tx.$count(connections, isConnectionWith(userId, otherUserId)),
        pendingBetween: tx.$count(connectionRequests, isPendingWith(userId, otherUserId)),
        pendingOfReceiver: tx.$count(connectionRequests, and(isPending, eq(receiverId, otherUserId))),
        pendingOfSender: tx.$count(
          connectionRequests,
          and(eq(senderId, userId), or(isPending, and(isRejected, ne(receiverId, otherUserId)))),
        ),
      })
      .from(users)
      .innerJoin(settings, eq(settings.userId, users.id))
      .where(and(eq(users.id, otherUserId), not(isBlockedBetween(userId, otherUserId))))
  )[0]

export type RequestRow = typeof connectionRequests.$inferSelect

export async function insert(tx: Tx, values: typeof connectionRequests.$inferInsert): Promise<RequestRow> {
  const [row] = await tx.insert(connectionRequests).values(values).returning()
  if (!row) throw new Error('insert returned no row')
  return row
}

const isOf = (side: Side, userId: number) => eq(side === 'sender' ? senderId : receiverId, userId)

/** Requests that the user is shown, on one side or on both. */
const isShownTo = (userId: number, side: Side | undefined, status: RequestStatus | undefined) => {
  const onSide = (one: Side) =>
    side === undefined || side === one
      ? and(isOf(one, userId), inArray(connectionRequests.status, statusesShownAs(one, status)))
      : undefined
  return or(onSide('sender'), onSide('receiver'))
}

export interface RequestFilter {
  readonly userId: number
  /** The user's side of the request; undefined for both. */
  readonly side: Side | undefined
  readonly status: RequestStatus | undefined
  readonly after: InstantKey | undefined
}

/** Up to `limit` rows after the key, newest first. */
export const list = (db: Db, { userId, side, status, after }: RequestFilter, limit: number) =>
  db
    .select()
    .from(connectionRequests)
    .where(and(isShownTo(userId, side, status), isOlder(connectionRequests, after)))
    .orderBy(...newestFirst(connectionRequests))
    .limit(limit)

/** Requests that the user received and sent, by id. */
export const pageById = (db: Db, userId: number, by: ById): Promise<RequestRow[]> =>
  db
    .select()
    .from(connectionRequests)
    .where(and(isShownTo(userId, undefined, undefined), isSelected(connectionRequests.id, by)))
    .orderBy(idOf(connectionRequests.id))
    .limit(mostOf(by))

/** A request in which the user is on the given side. */
export interface OwnRequest {
  readonly id: number
  readonly side: Side
  readonly userId: number
}

const isOwn = ({ id, side, userId }: OwnRequest) => and(eq(connectionRequests.id, id), isOf(side, userId))

export const find = async (tx: Db | Tx, own: OwnRequest): Promise<RequestRow | undefined> =>
  (await tx.select().from(connectionRequests).where(isOwn(own)))[0]

/** The request must exist: the transaction holds the locks of both users. */
export async function update(
  tx: Tx,
  id: number,
  set: PgUpdateSetSource<typeof connectionRequests>,
): Promise<RequestRow> {
  const [row] = await tx.update(connectionRequests).set(set).where(eq(connectionRequests.id, id)).returning()
  if (!row) throw new Error('update returned no row')
  return row
}

/** Whether the user has sent a request that was rejected by somebody who had this name then. */
export const hasRejectedOf = async (tx: Tx, userId: number, networkName: string): Promise<boolean> =>
  (await tx.$count(
    connectionRequests,
    and(isRejected, eq(senderId, userId), eq(connectionRequests.receiverNetworkName, networkName)),
  )) > 0

/** Cancels the rejected requests from one user to the other, and returns them. */
export const cancelRejected = (
  tx: Tx,
  [from, to]: readonly [number, number],
  now: Date,
): Promise<RequestRow[]> =>
  tx
    .update(connectionRequests)
    .set({ status: 'cancelled', respondedAt: now, updatedAt: now })
    .where(and(isRejected, eq(senderId, from), eq(receiverId, to)))
    .returning()

/** Deletes all requests between the two, whatever their status, and returns them. */
export const removeBetween = (tx: Tx, [a, b]: readonly [number, number]): Promise<RequestRow[]> =>
  tx
    .delete(connectionRequests)
    .where(or(and(eq(senderId, a), eq(receiverId, b)), and(eq(senderId, b), eq(receiverId, a))))
    .returning()

/** When the `nth` newest request since then was sent from one to the other; undefined when there are fewer. */
export const nthNewest = async (
  tx: Tx,
  [from, to]: readonly [number, number],
  nth: number,
  since: Date,
): Promise<Date | undefined> =>
  (
    await tx
      .select({ at: connectionRequests.createdAt })
      .from(connectionRequests)
      .where(and(eq(senderId, from), eq(receiverId, to), gt(connectionRequests.createdAt, since)))
      .orderBy(desc(connectionRequests.createdAt))
      .offset(nth - 1)
      .limit(1)
  )[0]?.at
