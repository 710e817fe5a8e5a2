import { inBatches, type IsStopping } from '../../db/batches'
import type { Db, Tx } from '../../db/client'
import type { Deps } from '../../deps'
import * as q from './queries'
import { isNew, seenSince } from './rules'

interface Sighting {
  readonly userId: number
  /** Null where the request named none, which is known as one of its own. */
  readonly userAgent: string | null
  readonly now: Date
}

/**
 * Takes note of the user agent with which a session is opened. Answers whether it is new to a user who has signed in before.
 * The user's row is locked, so that it is new once.
 */
export async function noteUserAgent(tx: Tx, { userId, userAgent, now }: Sighting): Promise<boolean> {
  const named = userAgent ?? ''
  const sighting = await q.find(tx, userId, named)
  await q.put(tx, { userId, userAgent: named, lastSeenAt: now })
  return isNew(sighting, now)
}

/** Takes note that a session goes on under the user agent with which it was opened. */
export const noteAgain = (db: Db, sessionId: string, now: Date): Promise<void> => q.touch(db, sessionId, now)

/** Deletes user agents not seen in 90 days; answers how many. The newest of a user tells that they have signed in before. */
export const purgeUserAgents = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> => inBatches(db, (tx, limit) => q.purge(tx, seenSince(clock.now()), limit), isStopping)
