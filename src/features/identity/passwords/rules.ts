import type { ProviderSettings } from '../../../lib/ports/identity-provider'
import { codePoints } from '../../../lib/text'
import { addMinutes, minutesUntil } from '../../../lib/time/time'

export const MAX_FAILED_LOGINS = 10
const LOCK_MINUTES = 30
const MAX_LENGTH = 128

/** An Argon2id hash of an unknown password; checking it for unknown users takes the same time as for known ones. */
export const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$TmbwwTSBkHMUcf5iZrzMyg$cM0EKptMCmwUcmSzqVWJprxxXNia7IfPxNIj5ax+fEM'

/**
 * The hash of an account without a password: it has the form of every other, so that a check takes its time, but its value was
 * drawn, so no password has it.
 */
export const NO_PASSWORD =
  '$argon2id$v=19$m=19456,t=2,p=1$EpFZs4rZAbGlGgjRZp9snw$Fr4Pu2w0lneVK4v1rj5bpoR06vsSC0tc8R0GzHIqEsI'

/** The password of an account, as far as it decides what it proves. */
export interface StoredPassword {
  readonly passwordHash: string
  /** Whether the operator's command gave it, and it was not changed since. */
  readonly passwordByOperator: boolean
}

/**
 * Whether the password proves anything (contract: accounts.proof). Where only the identity provider lets people in, that of the
 * operator alone does (contract: oidc.only).
 */
export const isProof = (
  { passwordHash, passwordByOperator }: StoredPassword,
  provider: Pick<ProviderSettings, 'isOnly'> | undefined,
): boolean => passwordHash !== NO_PASSWORD && (passwordByOperator || !provider?.isOnly)

export const lockUntil = (now: Date): Date => addMinutes(now, LOCK_MINUTES)

/** The locks of an account by wrong passwords and by wrong second factors. */
export interface Locks {
  readonly lockedUntil: Date | null
  readonly mfaLockedUntil: Date | null
}

/** Returns when the later of the active locks ends, or null without one. */
export function lockEnd({ lockedUntil, mfaLockedUntil }: Locks, now: Date): Date | null {
  const latest = Math.max(lockedUntil?.getTime() ?? 0, mfaLockedUntil?.getTime() ?? 0)
  return latest > now.getTime() ? new Date(latest) : null
}

/** Whether the password is a temporary one that has expired (contract: accounts.temporary-passwords). */
export const hasLapsed = (temporaryPasswordExpiresAt: Date | null, now: Date): boolean =>
  temporaryPasswordExpiresAt !== null && temporaryPasswordExpiresAt <= now

/** The message for a locked account (contract: accounts.lockout). */
export const lockedMessage = (lockedUntil: Date, now: Date): string =>
  `Account locked. Try again in ${minutesUntil(lockedUntil, now) + 1} minutes.`

interface PolicyInput {
  readonly password: string
  readonly username: string
  readonly minLength: number
  readonly isCommon: (password: string) => boolean
}

/**
 * Returns what is wrong with a new password (contract: accounts.password-policy), or undefined. There are no
 * composition rules (NIST SP 800-63B).
 */
export function passwordProblem({
  password,
  username,
  minLength,
  isCommon,
}: PolicyInput): string | undefined {
  const normalised = password.normalize('NFC')
  const length = codePoints(normalised)
  if (length < minLength) return `must be at least ${minLength} characters`
  if (length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`
  if (isCommon(normalised)) return 'is too common'
  if (normalised.toLowerCase().includes(username.toLowerCase())) return 'must not contain the username'
  return undefined
}
