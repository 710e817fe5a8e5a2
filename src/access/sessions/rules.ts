import type { SessionClaims } from '../../lib/ports/secrets'
import { addDays, epochSeconds } from '../../lib/time/time'

const SEEN_INTERVAL_MS = 600_000
const RECENT_MS = 900_000

export const expiryFrom = (now: Date, maxAgeDays: number): Date => addDays(now, maxAgeDays)

/** What a session token says. */
export const toClaims = (uid: number, sid: string, now: Date, expiresAt: Date): SessionClaims => ({
  uid,
  sid,
  iat: epochSeconds(now),
  exp: epochSeconds(expiresAt),
})

/**
 * A session that expires before this time slides: it has less left than its full age minus a day (contract: sessions.slide),
 * or than half a day when the full age is one day.
 */
export const slidesBefore = (now: Date, maxAgeDays: number): Date =>
  addDays(now, maxAgeDays === 1 ? 0.5 : maxAgeDays - 1)

/** `last_seen_at` is updated when it is older than this. */
export const seenBefore = (now: Date): Date => new Date(now.getTime() - SEEN_INTERVAL_MS)

/** Returns whether the session has proved itself within 15 minutes (contract: sessions.recent). */
export const isRecent = (authenticatedAt: Date, now: Date): boolean =>
  now.getTime() - authenticatedAt.getTime() < RECENT_MS

const TOKEN_KEY = 'token-'

/** The id under which an access token acts in the place of a session; no session has such an id. */
export const toTokenKey = (tokenId: number): string => `${TOKEN_KEY}${tokenId}`

export const isTokenKey = (id: string): boolean => id.startsWith(TOKEN_KEY)
