import { addDays } from '../../lib/time/time'

const RETENTION_DAYS = 90

/** A user agent last seen at this time or earlier counts as new (contract: sessions.user-agents). */
export const seenSince = (now: Date): Date => addDays(now, -RETENTION_DAYS)

interface Sighting {
  /** Null when the user has never signed in with this user agent, or its record was purged. */
  readonly lastSeenAt: Date | null
  /** When the user was last seen with any user agent; null before their first session. */
  readonly newestAt: Date | null
}

/** True when the user has signed in before, but not with this user agent within 90 days. */
export const isNew = ({ lastSeenAt, newestAt }: Sighting, now: Date): boolean =>
  newestAt !== null && (lastSeenAt === null || lastSeenAt <= seenSince(now))
