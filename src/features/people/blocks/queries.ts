import { and, asc, eq, exists, gt, ne, not, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { inByteOrder } from '../../../db/alphabetical'
import { isBlockedBetween } from '../../../db/blocked'
import type { Db, Tx } from '../../../db/client'
import {
  blocks,
  calendarMembers,
  calendars,
  connectionRequests,
  connections,
  eventInvitations,
  events,
  settings,
  users,
} from '../../../db/schema'
import type { PageById, TextKey } from '../../../lib/wire/page'

export type BlockRow = typeof blocks.$inferSelect

const byName = inByteOrder(blocks.networkName)

/** Up to `limit` rows after the key, by the name at the time of the block. */
export const list = (
  db: Db,
  userId: number,
  after: TextKey | undefined,
  limit: number,
): Promise<BlockRow[]> =>
  db
    .select()
    .from(blocks)
    .where(
      and(
        eq(blocks.userId, userId),
        after && sql`(${byName}, ${blocks.id}) > (${after[0]}, ${after[1]}::integer)`,
      ),
    )
    .orderBy(asc(byName), blocks.id)
    .limit(limit)

export const pageById = (db: Db, userId: number, { afterId, limit }: PageById): Promise<BlockRow[]> =>
  db
    .select()
    .from(blocks)
    .where(and(eq(blocks.userId, userId), gt(blocks.id, afterId)))
    .orderBy(blocks.id)
    .limit(limit)

/** The user's newest block of somebody who had this name at the time. */
export const findByName = async (
  tx: Tx,
  userId: number,
  networkName: string,
): Promise<BlockRow | undefined> =>
  (
    await tx
      .select()
      .from(blocks)
      .where(and(eq(blocks.userId, userId), eq(blocks.networkName, networkName)))
      .orderBy(sql`${blocks.id} desc`)
      .limit(1)
  )[0]

/**
 * The user with this name whom the caller already knows: connected, with a pending request either way, invited, or sharing a
 * calendar.
 */
export const findKnown = (tx: Tx, userId: number, networkName: string) =>
  findBearer(
    tx,
    { userId, networkName },
    or(isConnected(tx, userId), hasPending(tx, userId), isInvited(tx, userId), sharesCalendar(tx, userId)),
  )

/** The user with this name whom a search would find. */
export const findVisible = (tx: Tx, userId: number, networkName: string) =>
  findBearer(tx, { userId, networkName }, and(eq(users.isActive, true), eq(settings.acceptConnections, true)))

const findBearer = async (
  tx: Tx,
  { userId, networkName }: { readonly userId: number; readonly networkName: string },
  where: SQL | undefined,
): Promise<number | undefined> =>
  (
    await tx
      .select({ id: users.id })
      .from(users)
      .innerJoin(settings, eq(settings.userId, users.id))
      .where(
        and(
          eq(users.networkName, networkName),
          ne(users.id, userId),
          not(isBlockedBetween(userId, users.id)),
          where,
        ),
      )
  )[0]?.id

const { senderId, receiverId } = connectionRequests
const one = { one: sql`1` }

const isConnected = (tx: Tx, userId: number) =>
  exists(
    tx
      .select(one)
      .from(connections)
      .where(and(eq(connections.userId, userId), eq(connections.otherUserId, users.id))),
  )

const hasPending = (tx: Tx, userId: number) =>
  exists(
    tx
      .select(one)
      .from(connectionRequests)
      .where(
        and(
          eq(connectionRequests.status, 'pending'),
          or(
            and(eq(senderId, userId), eq(receiverId, users.id)),
            and(eq(senderId, users.id), eq(receiverId, userId)),
          ),
        ),
      ),
  )

const isInvited = (tx: Tx, userId: number) =>
  exists(
    tx
      .select(one)
      .from(eventInvitations)
      .innerJoin(events, eq(events.id, eventInvitations.eventId))
      .innerJoin(calendars, eq(calendars.id, events.calendarId))
      .where(
        or(
          and(eq(calendars.userId, userId), eq(eventInvitations.userId, users.id)),
          and(eq(calendars.userId, users.id), eq(eventInvitations.userId, userId)),
        ),
      ),
  )

/** True when one owns a calendar and the other is a member or invited to be one, or when both are members of one calendar. */
function sharesCalendar(tx: Tx, userId: number) {
  const mine = alias(calendarMembers, 'mine')
  const theirs = alias(calendarMembers, 'theirs')
  return or(
    exists(
      tx
        .select(one)
        .from(calendarMembers)
        .innerJoin(calendars, eq(calendars.id, calendarMembers.calendarId))
        .where(
          or(
            and(eq(calendars.userId, userId), eq(calendarMembers.userId, users.id)),
            and(eq(calendars.userId, users.id), eq(calendarMembers.userId, userId)),
          ),
        ),
    ),
    exists(
      tx
        .select(one)
        .from(mine)
        .innerJoin(theirs, eq(theirs.calendarId, mine.calendarId))
        .where(
          and(
            eq(mine.userId, userId),
            eq(mine.status, 'accepted'),
            eq(theirs.userId, users.id),
            eq(theirs.status, 'accepted'),
          ),
        ),
    ),
  )
}

/** The other side of the newest settled request that shows the user this name, even if that user has another name now. */
export const findRemembered = async (
  tx: Tx,
  userId: number,
  networkName: string,
): Promise<number | undefined> => {
  const other = sql<number>`case when ${senderId} = ${userId} then ${receiverId} else ${senderId} end`
  const [row] = await tx
    .select({ id: other })
    .from(connectionRequests)
    .where(
      and(
        or(
          and(eq(senderId, userId), eq(connectionRequests.receiverNetworkName, networkName)),
          and(eq(receiverId, userId), eq(connectionRequests.senderNetworkName, networkName)),
        ),
        not(isBlockedBetween(senderId, receiverId)),
      ),
    )
    .orderBy(sql`${connectionRequests.id} desc`)
    .limit(1)
  return row?.id
}

export async function insert(tx: Tx, row: typeof blocks.$inferInsert): Promise<BlockRow> {
  const [created] = await tx.insert(blocks).values(row).returning()
  if (!created) throw new Error('insert returned no row')
  return created
}

/** Returns the deleted block, or undefined when it did not exist. */
export const remove = async (tx: Tx, userId: number, id: number): Promise<BlockRow | undefined> =>
  (
    await tx
      .delete(blocks)
      .where(and(eq(blocks.id, id), eq(blocks.userId, userId)))
      .returning()
  )[0]
