import { addDays } from '../../../lib/time/time'

/** The most unexpired tokens of a user. */
export const MAX_TOKENS = 100
const DEFAULT_DAYS = 365
const KEPT_DAYS = 30

/** When a new token expires; null for never. Undefined days are a year. */
export const expiryOf = (now: Date, days: number | null | undefined): Date | null =>
  days === null ? null : addDays(now, days ?? DEFAULT_DAYS)

/** Tokens that expired before this are deleted; until then their owners see them expired. */
export const expiredBefore = (now: Date): Date => addDays(now, -KEPT_DAYS)
