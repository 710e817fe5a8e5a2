import { addDays } from '../../lib/time/time'

const RETENTION_DAYS = 90

/** A user agent last seen at that moment or before counts as new (contract: sessions.user-agents). */
export const seenSince = (now: Date): Date => addDays(now, -RETENTION_DAYS)

interface Sighting {
  /** Null where the user has never signed in with it, or too long ago to be known. */
  readonly lastSeenAt: Date | null
  /** When the user signed in with any; null before their very first session. */
  readonly newestAt: Date | null
}

/** Whether a user who has signed in before has not been seen with this user agent in 90 days. */
export const isNew = ({ lastSeenAt, newestAt }: Sighting, now: Date): boolean =>
  newestAt !== null && (lastSeenAt === null || lastSeenAt <= seenSince(now))
