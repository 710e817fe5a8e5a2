import { inBatches, type IsStopping } from '../../../db/batches'
import type { Tx } from '../../../db/client'
import type { MfaPurpose } from '../../../db/schema'
import type { Deps } from '../../../deps'
import { sha256Hex } from '../../../lib/text'
import { addSeconds } from '../../../lib/time/time'
import { lockUntil, MAX_FAILED_LOGINS } from '../passwords/rules'
import { columnsOf, type ProviderSession } from '../../../access/sessions/service'
import * as q from './queries'

const TOKEN_BYTES = 32
const LIFETIME_SECONDS: Readonly<Record<MfaPurpose, number>> = { sign_in: 300, enforced_setup: 900 }

export interface IssuedMfaToken {
  readonly mfa_token: string
  /** Seconds. */
  readonly expires_in: number
}

interface NewMfaToken {
  readonly userId: number
  readonly purpose: MfaPurpose
  /** Where the sign-in is one at the identity provider. */
  readonly provider?: ProviderSession | undefined
}

/** Issues a challenge token for `purpose`; only its SHA-256 is stored (contract: sign-in.second-factors). */
export async function issueMfaToken(
  tx: Tx,
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
  { userId, purpose, provider }: NewMfaToken,
): Promise<IssuedMfaToken> {
  const token = random.bytes(TOKEN_BYTES).toBase64({ alphabet: 'base64url', omitPadding: true })
  const now = clock.now()
  const lifetime = LIFETIME_SECONDS[purpose]
  await q.deleteExpired(tx, userId, now)
  await q.insert(tx, {
    tokenHash: await sha256Hex(token),
    userId,
    purpose,
    createdAt: now,
    expiresAt: addSeconds(now, lifetime),
    ...columnsOf(provider),
  })
  return { mfa_token: token, expires_in: lifetime }
}

/** Deletes expired challenge tokens. Returns how many. */
export const purgeMfaTokens = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> => inBatches(db, (tx, limit) => q.purge(tx, clock.now(), limit), isStopping)

/** A valid challenge token and its user, whose row is locked. */
export interface Challenge {
  readonly tokenHash: string
  readonly user: q.UserRow
  /** Where the sign-in is one at the identity provider. */
  readonly provider: ProviderSession | undefined
}

/**
 * Finds the challenge of a token without using it up, and locks its user. @returns undefined when the token is unknown,
 * used up or expired, has another purpose, or its user is inactive.
 */
export async function findChallenge(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  token: string,
  purpose: MfaPurpose,
): Promise<Challenge | undefined> {
  const tokenHash = await sha256Hex(token)
  const found = await q.lockUserOf(tx, { tokenHash, purpose, now: clock.now() })
  return found?.user.isActive ? { tokenHash, ...found } : undefined
}

const MAX_ATTEMPTS = 5

/** Counts a wrong code; the fifth uses up the token. */
export const countAttempt = (tx: Tx, { tokenHash }: Challenge): Promise<void> =>
  q.countAttempt(tx, tokenHash, MAX_ATTEMPTS)

/** Counts a wrong second factor against the account; ten lock it, like wrong passwords (contract: sign-in.factor-lockout). */
export const countMfaFailure = (tx: Tx, userId: number, now: Date): Promise<void> =>
  q.countFailure(tx, userId, { lockUntil: lockUntil(now), maxFailures: MAX_FAILED_LOGINS })

export const consume = (tx: Tx, { tokenHash }: Challenge): Promise<void> => q.deleteToken(tx, tokenHash)

/** Deletes the user's set-up tokens, which are useless once a second factor is set up. */
export const revokeSetupTokens = (tx: Tx, userId: number): Promise<void> =>
  q.deleteByPurpose(tx, userId, 'enforced_setup')

/** Ends all pending challenges of the user: tokens and passkeys. */
export const revokeChallenges = (tx: Tx, userId: number): Promise<void> => q.deleteChallenges(tx, userId)

/** Removes the second factor: the authenticator, its backup codes, failures and pending challenges. */
export async function removeTotp(tx: Tx, userId: number, now: Date): Promise<void> {
  await q.deleteTotp(tx, userId, now)
  await q.clearFailures(tx, userId)
  await q.deleteChallenges(tx, userId)
}

/** Resets the count of wrong codes after a right one; does not end a lock. */
export const endMfaCount = (tx: Tx, userId: number): Promise<void> => q.clearCount(tx, userId)

/**
 * Resets the count of wrong second factors and ends the lock, after a completed sign-in, an unlock or a reset
 * (contract: sign-in.factor-lockout).
 */
export const forgetMfaFailures = (tx: Tx, userId: number): Promise<void> => q.clearFailures(tx, userId)
