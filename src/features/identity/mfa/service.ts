import { inBatches, type IsStopping } from '../../../db/batches'
import type { Tx } from '../../../db/client'
import type { MfaPurpose } from '../../../db/schema'
import type { Deps } from '../../../deps'
import { sha256Hex } from '../../../lib/text'
import { addSeconds } from '../../../lib/time/time'
import { lockUntil, MAX_FAILED_LOGINS } from '../passwords/rules'
import * as q from './queries'

const TOKEN_BYTES = 32
const LIFETIME_SECONDS: Readonly<Record<MfaPurpose, number>> = { sign_in: 300, enforced_setup: 900 }

export interface IssuedMfaToken {
  readonly mfa_token: string
  /** Seconds. */
  readonly expires_in: number
}

/** A challenge token for `purpose`; only its SHA-256 is kept (contract: sign-in.second-factors). */
export async function issueMfaToken(
  tx: Tx,
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
  { userId, purpose }: { userId: number; purpose: MfaPurpose },
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
  })
  return { mfa_token: token, expires_in: lifetime }
}

/** Deletes challenge tokens that nobody used in time; answers how many. */
export const purgeMfaTokens = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> => inBatches(db, (tx, limit) => q.purge(tx, clock.now(), limit), isStopping)

/** A token that was presented, and its user, whose row is locked. */
export interface Challenge {
  readonly tokenHash: string
  readonly user: q.UserRow
}

/**
 * Looks up the challenge that a token stands for, and leaves it as it is.
 * @returns undefined for a token that is unknown, of another purpose, used, expired or dead.
 */
export async function findChallenge(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  token: string,
  purpose: MfaPurpose,
): Promise<Challenge | undefined> {
  const tokenHash = await sha256Hex(token)
  const user = await q.lockUserOf(tx, { tokenHash, purpose, now: clock.now() })
  return user?.isActive ? { tokenHash, user } : undefined
}

const MAX_ATTEMPTS = 5

/** A wrong code: the fifth is the token's last. */
export const countAttempt = (tx: Tx, { tokenHash }: Challenge): Promise<void> =>
  q.countAttempt(tx, tokenHash, MAX_ATTEMPTS)

/** Counts a wrong second factor against the account, which ten lock like wrong passwords do (contract: sign-in.factor-lockout). */
export const countMfaFailure = (tx: Tx, userId: number, now: Date): Promise<void> =>
  q.countFailure(tx, userId, { lockUntil: lockUntil(now), maxFailures: MAX_FAILED_LOGINS })

/** Uses the token up. */
export const consume = (tx: Tx, { tokenHash }: Challenge): Promise<void> => q.deleteToken(tx, tokenHash)

/** Who has a second factor needs no token for setting one up. */
export const revokeSetupTokens = (tx: Tx, userId: number): Promise<void> =>
  q.deleteByPurpose(tx, userId, 'enforced_setup')

/** Ends every challenge of the user that is under way, with a token or with a passkey. */
export const revokeChallenges = (tx: Tx, userId: number): Promise<void> => q.deleteChallenges(tx, userId)

/** Takes the second factor away: the authenticator, its backup codes, and what was half done with them. */
export async function removeTotp(tx: Tx, userId: number, now: Date): Promise<void> {
  await q.deleteTotp(tx, userId, now)
  await q.clearFailures(tx, userId)
  await q.deleteChallenges(tx, userId)
}

/** A right code of who is not locked ends the row of wrong ones, and no lock. */
export const endMfaCount = (tx: Tx, userId: number): Promise<void> => q.clearCount(tx, userId)

/** A completed sign-in, an unlock or a reset ends the row of wrong second factors (contract: sign-in.factor-lockout). */
export const forgetMfaFailures = (tx: Tx, userId: number): Promise<void> => q.clearFailures(tx, userId)
