import type { Tx } from '../../db/client'
import { notFound } from '../../lib/errors'
import { isId } from '../../lib/wire/id'
import * as q from './queries'

/** The ids of two users. */
export type Pair = readonly [number, number]

/** The 404 for a connection that the caller does not have. */
export const connectionNotFound = () => notFound('Connection')

/**
 * Locks both users. Returns their network names, or undefined when one of them no longer exists: where it is the user, the operation
 * that begins next is refused.
 */
export async function lockPair(
  tx: Tx,
  userId: number,
  otherUserId: number,
): Promise<{ readonly own: string; readonly other: string } | undefined> {
  const held = await lockUsers(tx, [userId, otherUserId])
  const [own, other] = [held.get(userId), held.get(otherUserId)]
  return own === undefined || other === undefined ? undefined : { own, other }
}

/** Locks the users. Returns the network names of those that exist, by user id. */
export async function lockUsers(tx: Tx, userIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  return new Map((await q.lock(tx, userIds)).map((row) => [row.id, row.networkName]))
}

/** @throws {AppError} 404 unless the user is connected with every one of the others. */
export async function refuseStrangers(tx: Tx, userId: number, others: readonly number[]): Promise<void> {
  const known = others.every(isId) ? await q.countAmong(tx, userId, others) : 0
  if (known < others.length) throw connectionNotFound()
}

/** Returns those of the others with whom the user is connected. */
export const connectedAmong = async (
  tx: Tx,
  userId: number,
  others: readonly number[],
): Promise<ReadonlySet<number>> => new Set(await q.connectedAmong(tx, userId, others))
