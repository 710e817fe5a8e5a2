import { and, eq, exists, gt, ne, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/client'
import { connectionRequests, connections, type RequestStatus, settings, users } from '../../db/schema'
import { isOlder, newestFirst } from '../../db/newest-first'
import type { InstantKey, Stretch } from '../../lib/page'
import type { Standing } from './rules'

const isOpen = and(eq(users.isActive, true), eq(settings.acceptConnections, true))

const isAnother = (userId: number, networkName: string) =>
  and(eq(users.networkName, networkName), ne(users.id, userId))

/** Whom a stranger may find under the name. */
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
const isPendingWith = (userId: number, other: number | typeof users.id) =>
  and(
    isPending,
    or(and(eq(senderId, userId), eq(receiverId, other)), and(eq(senderId, other), eq(receiverId, userId))),
  )
const isConnectionWith = (userId: number, other: number | typeof users.id) =>
  and(eq(connections.userId, userId), eq(connections.otherUserId, other))

/** Like `findOpen`, and whom the user has to do with already; one statement for all, so that time tells nothing. */
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

/** Undefined where there is no such user. */
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
        pendingOfSender: tx.$count(connectionRequests, and(isPending, eq(senderId, userId))),
      })
      .from(users)
      .innerJoin(settings, eq(settings.userId, users.id))
      .where(eq(users.id, otherUserId))
  )[0]

export type RequestRow = typeof connectionRequests.$inferSelect

export async function insert(tx: Tx, values: typeof connectionRequests.$inferInsert): Promise<RequestRow> {
  const [row] = await tx.insert(connectionRequests).values(values).returning()
  if (!row) throw new Error('insert returned no row')
  return row
}

/** Whose request it is: who sent it, or who received it. */
export type Side = 'sender' | 'receiver'

const isOf = (side: Side, userId: number) => eq(side === 'sender' ? senderId : receiverId, userId)

export interface RequestFilter {
  readonly userId: number
  /** On which side the user stands; either where it is left out. */
  readonly side: Side | undefined
  readonly status: RequestStatus | undefined
  readonly after: InstantKey | undefined
}

/** Newest first, `limit` rows after the key. */
export const list = (db: Db, { userId, side, status, after }: RequestFilter, limit: number) =>
  db
    .select()
    .from(connectionRequests)
    .where(
      and(
        side ? isOf(side, userId) : or(isOf('sender', userId), isOf('receiver', userId)),
        status && eq(connectionRequests.status, status),
        isOlder(connectionRequests, after),
      ),
    )
    .orderBy(...newestFirst(connectionRequests))
    .limit(limit)

/** What the user was asked and has asked, by id. */
export const stretch = (db: Db, userId: number, { afterId, limit }: Stretch): Promise<RequestRow[]> =>
  db
    .select()
    .from(connectionRequests)
    .where(and(or(isOf('sender', userId), isOf('receiver', userId)), gt(connectionRequests.id, afterId)))
    .orderBy(connectionRequests.id)
    .limit(limit)

/** A request that the user stands on the named side of. */
export interface OwnRequest {
  readonly id: number
  readonly side: Side
  readonly userId: number
}

const isOwn = ({ id, side, userId }: OwnRequest) => and(eq(connectionRequests.id, id), isOf(side, userId))

export const find = async (tx: Tx, own: OwnRequest): Promise<RequestRow | undefined> =>
  (await tx.select().from(connectionRequests).where(isOwn(own)))[0]

/** Ends a request that is pending; undefined where it is not any more. */
export const settle = async (
  tx: Tx,
  own: OwnRequest,
  status: RequestStatus,
  now: Date,
): Promise<RequestRow | undefined> =>
  (
    await tx
      .update(connectionRequests)
      .set({ status, respondedAt: now, updatedAt: now })
      .where(and(isOwn(own), isPending))
      .returning()
  )[0]
