import type { Tx } from '../../../db/client'
import { writeWithinQuota } from '../../../db/transaction'
import type { Profile } from '../sharing/service'
import type { LinkCandidate } from './model'
import * as q from './queries'
import { prefilled } from './rules'

const MAX_CANDIDATES = 50

/**
 * Makes the user's person record of somebody whom they are now connected with (contract: connections.life), prefilled with what is
 * shared. Nobody whom the user knows already is linked: an e-mail address proves nothing. A user who has as many people as they
 * may have gets none: a refusal would tell the other, and keep the two apart.
 */
export async function addLinkedPerson(
  tx: Tx,
  userId: number,
  { userId: linkedUserId, networkName, shared }: Profile,
  now: Date,
): Promise<void> {
  const fields = prefilled(shared ?? {}, networkName)
  await writeWithinQuota(tx, 'people', (part) =>
    q.insert(part, { userId, linkedUserId, ...fields, createdAt: now, updatedAt: now }),
  )
}

/** The user's own people who may be the one that shares this e-mail; at most 50. */
export const linkCandidates = async (
  tx: Tx,
  userId: number,
  email: string | null | undefined,
): Promise<LinkCandidate[]> =>
  email == null
    ? []
    : (await q.unlinkedWith(tx, userId, email, MAX_CANDIDATES)).map((row) => ({
        id: row.id,
        first_name: row.firstName,
        last_name: row.lastName,
        nickname: row.nickname,
      }))

/** The user's person who is linked to the other gives the link up. */
export const releaseLink = (tx: Tx, [userId, otherUserId]: readonly [number, number], now: Date) =>
  q.clearLinks(tx, [userId], [otherUserId], now)

/** The two are strangers again: the person records stay, without the link. */
export const unlinkPeople = (tx: Tx, pair: readonly [number, number], now: Date): Promise<void> =>
  q.clearLinks(tx, pair, pair, now)

/** Nobody's person records are linked to the user any more. */
export const unlinkFromAll = (tx: Tx, userId: number, now: Date): Promise<void> =>
  q.clearLinksTo(tx, userId, now)
