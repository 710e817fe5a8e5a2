import { inBatches, type IsStopping } from '../../db/batches'
import type { Db, Tx } from '../../db/client'
import type { Deps } from '../../deps'
import * as q from './queries'
import { isNew, seenSince } from './rules'

interface Sighting {
  readonly userId: number
  /** Null when the request has none, which counts as a user agent of its own. */
  readonly userAgent: string | null
  readonly now: Date
}

/**
 * Records the user agent of a new session. Returns whether it is new to a user who has signed in before. The caller
 * must have locked the user's row, so that parallel sign-ins report it only once.
 */
export async function noteUserAgent(tx: Tx, { userId, userAgent, now }: Sighting): Promise<boolean> {
  const named = userAgent ?? ''
  const sighting = await q.find(tx, userId, named)
  await q.put(tx, { userId, userAgent: named, lastSeenAt: now })
  return isNew(sighting, now)
}

/** Records that a session is still used with the user agent that opened it. */
export const noteAgain = (db: Db, sessionId: string, now: Date): Promise<void> => q.touch(db, sessionId, now)

/**
 * Deletes user agents not seen within 90 days. Returns how many. Each user keeps the newest one, which shows that they
 * have signed in before.
 */
export const purgeUserAgents = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> => inBatches(db, (tx, limit) => q.purge(tx, seenSince(clock.now()), limit), isStopping)
