import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../db/client'
import { connections, users } from '../../db/schema'

/** Takes the row locks in the order of the ids, so that two who deal with each other cannot deadlock. */
export const lock = (tx: Tx, userIds: readonly number[]) =>
  tx
    .select({ id: users.id, networkName: users.networkName })
    .from(users)
    .where(inArray(users.id, [...userIds]))
    .orderBy(users.id)
    .for('no key update')

/** How many of `others`, none of whom stands there twice, the user is connected with. */
export const countAmong = (tx: Tx, userId: number, others: readonly number[]): Promise<number> =>
  tx.$count(connections, and(eq(connections.userId, userId), inArray(connections.otherUserId, [...others])))

/** Those of `others` with whom the user is connected. */
export async function connectedAmong(tx: Tx, userId: number, others: readonly number[]): Promise<number[]> {
  const rows = await tx
    .select({ otherUserId: connections.otherUserId })
    .from(connections)
    .where(and(eq(connections.userId, userId), inArray(connections.otherUserId, [...others])))
  return rows.map(({ otherUserId }) => otherUserId)
}
