import type { Tx } from '../../db/client'
import type { Profile } from '../sharing/service'
import * as q from './queries'
import { prefilled } from './rules'

/**
 * Makes the user's person record of somebody whom they are now connected with (contract, section 15): an unlinked person
 * with the e-mail that is shared keeps their own fields, else a new one takes over what is shared.
 */
export async function linkPerson(
  tx: Tx,
  userId: number,
  { userId: linkedUserId, networkName, shared }: Profile,
  now: Date,
): Promise<void> {
  const found = shared?.email ? await q.findUnlinked(tx, userId, shared.email) : undefined
  if (found) return q.setLink(tx, found.id, linkedUserId, now)
  const fields = prefilled(shared ?? {}, networkName)
  return q.insert(tx, { userId, linkedUserId, ...fields, createdAt: now, updatedAt: now })
}

/** The two are strangers again: the person records stay, without the link. */
export const unlinkPeople = (tx: Tx, pair: readonly [number, number], now: Date): Promise<void> =>
  q.clearLinks(tx, pair, pair, now)

/** Nobody's person records are linked to the user any more. */
export const unlinkFromAll = (tx: Tx, userId: number, now: Date): Promise<void> =>
  q.clearLinksTo(tx, userId, now)
