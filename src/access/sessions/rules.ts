import { addDays } from '../../lib/time/time'

const SEEN_INTERVAL_MS = 600_000
const RECENT_MS = 900_000

export const expiryFrom = (now: Date, maxAgeDays: number): Date => addDays(now, maxAgeDays)

/**
 * A session slides once it expires before this: less than its full age minus a day is left (contract: sessions.slide), or half
 * a day where the full age is one day.
 */
export const slidesBefore = (now: Date, maxAgeDays: number): Date =>
  addDays(now, maxAgeDays === 1 ? 0.5 : maxAgeDays - 1)

/** `last_seen_at` is brought up to date once it is older than this. */
export const seenBefore = (now: Date): Date => new Date(now.getTime() - SEEN_INTERVAL_MS)

/** Whether the session has proved itself within 15 minutes (contract: sessions.recent). */
export const isRecent = (authenticatedAt: Date, now: Date): boolean =>
  now.getTime() - authenticatedAt.getTime() < RECENT_MS
