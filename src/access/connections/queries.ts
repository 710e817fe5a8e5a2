import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../db/client'
import { connections, users } from '../../db/schema'

/** Locks by ascending id, so that two transactions about the same users cannot deadlock. */
export const lock = (tx: Tx, userIds: readonly number[]) =>
  tx
    .select({ id: users.id, networkName: users.networkName })
    .from(users)
    .where(inArray(users.id, [...userIds]))
    .orderBy(users.id)
    .for('no key update')

/** Counts how many of `others` the user is connected with; `others` must not contain duplicates. */
export const countAmong = (tx: Tx, userId: number, others: readonly number[]): Promise<number> =>
  tx.$count(connections, and(eq(connections.userId, userId), inArray(connections.otherUserId, [...others])))

/** Returns those of `others` with whom the user is connected. */
export async function connectedAmong(tx: Tx, userId: number, others: readonly number[]): Promise<number[]> {
  const rows = await tx
    .select({ otherUserId: connections.otherUserId })
    .from(connections)
    .where(and(eq(connections.userId, userId), inArray(connections.otherUserId, [...others])))
  return rows.map(({ otherUserId }) => otherUserId)
}
