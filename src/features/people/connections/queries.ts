import { and, asc, eq, exists, or, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { inByteOrder } from '../../../db/alphabetical'
import { idOf, isSelected, mostOf } from '../../../db/by-id'
import type { Db, Tx } from '../../../db/client'
import { connectionRequests, connections, notifications, people, users } from '../../../db/schema'
import type { ById } from '../../../lib/wire/page'

const byName = inByteOrder(users.networkName)

const selected = (db: Db | Tx) =>
  db
    .select({ connection: connections, networkName: users.networkName, personId: people.id })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.otherUserId))
    .leftJoin(
      people,
      and(eq(people.userId, connections.userId), eq(people.linkedUserId, connections.otherUserId)),
    )

/** Up to `limit` rows after the name, by network name. */
export const list = (db: Db, userId: number, after: string | undefined, limit: number) =>
  selected(db)
    .where(and(eq(connections.userId, userId), after === undefined ? undefined : sql`${byName} > ${after}`))
    .orderBy(asc(byName))
    .limit(limit)

/** The users with whom the user is connected. */
export const listNames = (db: Db, userId: number): Promise<ConnectedUser[]> =>
  db
    .select({ userId: connections.otherUserId, networkName: users.networkName })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.otherUserId))
    .where(eq(connections.userId, userId))
    .orderBy(asc(byName))

export interface ConnectedUser {
  readonly userId: number
  readonly networkName: string
}

export const pageById = (db: Db, userId: number, by: ById) =>
  selected(db)
    .where(and(eq(connections.userId, userId), isSelected(connections.id, by)))
    .orderBy(idOf(connections.id))
    .limit(mostOf(by))

export type ListedConnection = Awaited<ReturnType<typeof list>>[number]

/** The user's direction of the connection between the two. */
export const findBetween = async (
  tx: Db | Tx,
  userId: number,
  otherUserId: number,
): Promise<ListedConnection | undefined> =>
  (await selected(tx).where(and(eq(connections.userId, userId), eq(connections.otherUserId, otherUserId))))[0]

const isOwn = (userId: number, id: number) => and(eq(connections.id, id), eq(connections.userId, userId))

export type ConnectionRow = typeof connections.$inferSelect

export const find = async (db: Db | Tx, userId: number, id: number): Promise<ConnectionRow | undefined> =>
  (await db.select().from(connections).where(isOwn(userId, id)))[0]

export const update = async (
  tx: Tx,
  userId: number,
  id: number,
  set: PgUpdateSetSource<typeof connections>,
): Promise<ConnectionRow | undefined> =>
  (await tx.update(connections).set(set).where(isOwn(userId, id)).returning())[0]

/** Inserts both directions and returns those that are new. */
export const insertBoth = (tx: Tx, [a, b]: readonly [number, number], now: Date) =>
  tx
    .insert(connections)
    .values([
      { userId: a, otherUserId: b, createdAt: now, updatedAt: now },
      { userId: b, otherUserId: a, createdAt: now, updatedAt: now },
    ])
    .onConflictDoNothing()
    .returning({ id: connections.id, userId: connections.userId })

/** Deletes and returns both directions. */
export const removeBoth = (tx: Tx, [a, b]: readonly [number, number]) =>
  tx
    .delete(connections)
    .where(
      or(
        and(eq(connections.userId, a), eq(connections.otherUserId, b)),
        and(eq(connections.userId, b), eq(connections.otherUserId, a)),
      ),
    )
    .returning({ id: connections.id, userId: connections.userId })

const dataIs = (key: string, id: typeof connections.id | typeof connectionRequests.id) =>
  sql`${notifications.data} = jsonb_build_object(${key}::text, ${id})`

/** Deletes other users' notifications about requests from this user and about requests that this user accepted. */
export async function removeNotificationsAbout(tx: Tx, userId: number): Promise<void> {
  const requests = tx
    .select({ id: connectionRequests.id })
    .from(connectionRequests)
    .where(
      and(
        eq(connectionRequests.senderId, userId),
        eq(connectionRequests.receiverId, notifications.userId),
        dataIs('request_id', connectionRequests.id),
      ),
    )
  await tx.delete(notifications).where(and(eq(notifications.type, 'connection_request'), exists(requests)))
  const acceptances = tx
    .select({ id: connections.id })
    .from(connections)
    .where(
      and(
        eq(connections.otherUserId, userId),
        eq(connections.userId, notifications.userId),
        dataIs('connection_id', connections.id),
      ),
    )
  await tx
    .delete(notifications)
    .where(and(eq(notifications.type, 'connection_accepted'), exists(acceptances)))
}
