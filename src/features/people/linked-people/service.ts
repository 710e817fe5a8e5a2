import type { Db, Tx } from '../../../db/client'
import { writeWithinQuota } from '../../../db/transaction'
import type { Profile } from '../sharing/service'
import type { LinkCandidate } from './model'
import * as q from './queries'
import { prefilled } from './rules'

const MAX_CANDIDATES = 50

/**
 * Adds a person record for a new connection (contract: connections.life), prefilled with what the other user shares. It never
 * links an existing person, because an e-mail address proves nothing. A user whose quota of people is used up gets no record: an
 * error would reveal this to the other user and prevent the connection.
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

/** Returns the user's own unlinked people with this e-mail, who might be the connected user; at most 50. */
export const linkCandidates = async (
  tx: Db | Tx,
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

/** Unlinks the user's person who is linked to the other user. */
export const releaseLink = (tx: Tx, [userId, otherUserId]: readonly [number, number], now: Date) =>
  q.clearLinks(tx, [userId], [otherUserId], now)

/** Removes the links between the two users' person records. The records stay. */
export const unlinkPeople = (tx: Tx, pair: readonly [number, number], now: Date): Promise<void> =>
  q.clearLinks(tx, pair, pair, now)

/** Removes the links of all person records to the user. */
export const unlinkFromAll = (tx: Tx, userId: number, now: Date): Promise<void> =>
  q.clearLinksTo(tx, userId, now)
