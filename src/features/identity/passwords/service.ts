import { type LockName, takeLock } from '../../../db/advisory-lock'
import type { Tx } from '../../../db/client'
import { decideInTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { AppError, invalidField, unauthenticated } from '../../../lib/errors'
import { lockUserOf, type SessionKey, type UserRow } from '../../../access/sessions/service'
import * as q from './queries'
import {
  hasLapsed,
  lockedMessage,
  lockEnd,
  type Locks,
  lockUntil,
  MAX_FAILED_LOGINS,
  passwordProblem,
} from './rules'

/** Returns a 423 while the account is locked by wrong passwords or wrong second factors (contract: accounts.lockout). */
export function refusalOfLocked(locks: Locks, now: Date): AppError | undefined {
  const end = lockEnd(locks, now)
  return end ? new AppError('locked', lockedMessage(end, now)) : undefined
}

/** Counts a wrong password. Returns the refusal instead when the account is locked, or `gone` when it has been deleted. */
export async function countFailure(
  tx: Tx,
  userId: number,
  now: Date,
): Promise<'counted' | 'gone' | AppError> {
  const failure = { now, lockUntil: lockUntil(now), maxFailures: MAX_FAILED_LOGINS }
  if (await q.countFailure(tx, userId, failure)) return 'counted'
  const locks = await q.findLocks(tx, userId)
  return (locks && refusalOfLocked(locks, now)) ?? 'gone'
}

interface NewPassword {
  /** Name of the field in the request body. */
  readonly field: string
  readonly password: string
  readonly username: string
}

/** Returns a 422 when the policy refuses the password (contract: accounts.password-policy). */
export function refusalOfWeak(
  { config, commonPasswords }: Pick<Deps, 'config' | 'commonPasswords'>,
  { field, password, username }: NewPassword,
): AppError | undefined {
  const { minLength } = config.password
  const problem = passwordProblem({
    password,
    username,
    minLength,
    isCommon: (text) => commonPasswords.has(text),
  })
  return problem === undefined ? undefined : invalidField(field, problem)
}

interface Proof {
  readonly session: SessionKey
  readonly password: string
  /** An advisory lock to take before the user's row. */
  readonly lock?: LockName
}

/**
 * Checks the user's own password and, when it is right, runs `proceed` in the transaction that resets the count. A
 * wrong password counts as a failed login (contract: accounts.lockout); locked accounts are checked too. `proceed` gets
 * the locked user, and returns its refusals instead of throwing them, so that the count stays reset.
 * @throws {AppError} 401 `Incorrect password`, 423, 401 when the session has ended, or the refusal of `proceed`.
 */
export async function withPassword<T>(
  deps: Pick<Deps, 'db' | 'clock' | 'hasher'>,
  { session, password, lock }: Proof,
  proceed: (tx: Tx, now: Date, user: UserRow) => Promise<T | AppError>,
): Promise<T> {
  const { userId } = session
  for (;;) {
    const [stored] = await q.findHash(deps.db).execute({ userId })
    if (!stored) throw unauthenticated('User not found or inactive')
    const { passwordHash } = stored
    const check = await deps.hasher.verify(password, passwordHash, { account: userId })
    const now = deps.clock.now()
    const outcome = await decideInTransaction(deps.db, async (tx) => {
      if (lock) await takeLock(tx, lock)
      const user = await lockUserOf(tx, session, now)
      if (!check.ok) return refuseWrong(tx, userId, now)
      if (user.passwordHash !== passwordHash) return 'stale'
      const refusal = refusalOfLocked(user, now) ?? refusalOfLapsed(user.temporaryPasswordExpiresAt, now)
      if (refusal) return refusal
      await q.recordSuccess(tx, userId, check.upgradedHash ?? passwordHash)
      const value = await proceed(tx, now, user)
      return value instanceof AppError ? value : { value }
    })
    if (outcome !== 'stale') return outcome.value
    // The stored hash was replaced while the password was being checked: try again.
  }
}

const incorrectPassword = () => unauthenticated('Incorrect password')

/** An expired temporary password is refused like a wrong one, but does not count as a failure. */
const refusalOfLapsed = (temporaryPasswordExpiresAt: Date | null, now: Date): AppError | undefined =>
  hasLapsed(temporaryPasswordExpiresAt, now) ? incorrectPassword() : undefined

async function refuseWrong(tx: Tx, userId: number, now: Date): Promise<AppError | 'stale'> {
  const counted = await countFailure(tx, userId, now)
  if (counted === 'counted') return incorrectPassword()
  return counted === 'gone' ? 'stale' : counted
}

/** Stores the hash of a new password and clears `must_change_password`. */
export const storePassword = (tx: Tx, userId: number, passwordHash: string, now: Date): Promise<void> =>
  q.replaceHash(tx, userId, passwordHash, now)
