import { inBatches, type IsStopping } from '../../db/batches'
import type { Tx } from '../../db/client'
import type { Deps } from '../../deps'
import { tooManyUntil } from '../../lib/errors'
import { addHours } from '../../lib/time/time'
import * as q from './queries'
import { MAX_SENT, WITHIN_HOURS } from './rules'

interface Sending {
  readonly senderId: number
  readonly receiverIds: readonly number[]
  readonly now: Date
}

/**
 * Counts one invitation to each receiver, even if it is withdrawn later. The caller's transaction must have locked the
 * sender, so that parallel requests count one after the other.
 * @throws {AppError} 429 when a receiver has had 20 from this sender within a day.
 */
export async function countInvitations(tx: Tx, { senderId, receiverIds, now }: Sending): Promise<void> {
  if (receiverIds.length === 0) return
  const pairs = { senderId, receiverIds }
  const since = addHours(now, -WITHIN_HOURS)
  const reached = await q.nthNewest(tx, pairs, { nth: MAX_SENT, since })
  if (reached) throw tooManyUntil('Too many invitations', now, addHours(reached, WITHIN_HOURS))
  await q.insert(tx, pairs, now)
}

/** Deletes invitations that no longer count. Returns how many. */
export const purgeSentInvitations = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> =>
  inBatches(db, (tx, limit) => q.purge(tx, addHours(clock.now(), -WITHIN_HOURS), limit), isStopping)
