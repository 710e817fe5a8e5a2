import type { Tx } from '../../db/client'
import { notFound, unauthenticated } from '../../lib/errors'
import { isId } from '../../lib/wire/id'
import * as q from './queries'

/** Two users, by id. */
export type Pair = readonly [number, number]

/** 404 for a connection that is not the caller's. */
export const connectionNotFound = () => notFound('Connection')

/**
 * Holds the user and the other, whatever is to become of what is between them; answers the network names of both,
 * undefined where the other is gone.
 * @throws {AppError} 401 where the user is gone.
 */
export async function lockPair(
  tx: Tx,
  userId: number,
  otherUserId: number,
): Promise<{ readonly own: string; readonly other: string } | undefined> {
  const held = await lockUsers(tx, [userId, otherUserId])
  const [own, other] = [held.get(userId), held.get(otherUserId)]
  if (own === undefined) throw unauthenticated('User not found or inactive')
  return other === undefined ? undefined : { own, other }
}

/** Holds all of these users; answers the network names of those that there are, by user id. */
export async function lockUsers(tx: Tx, userIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  return new Map((await q.lock(tx, userIds)).map((row) => [row.id, row.networkName]))
}

/** @throws {AppError} 404 where the user is not connected with every one of the others. */
export async function refuseStrangers(tx: Tx, userId: number, others: readonly number[]): Promise<void> {
  const known = others.every(isId) ? await q.countAmong(tx, userId, others) : 0
  if (known < others.length) throw connectionNotFound()
}

/** Whom of the others the user is connected with. */
export const connectedAmong = async (
  tx: Tx,
  userId: number,
  others: readonly number[],
): Promise<ReadonlySet<number>> => new Set(await q.connectedAmong(tx, userId, others))
