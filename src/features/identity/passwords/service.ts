import { type LockName, takeLock } from '../../../db/advisory-lock'
import type { Tx } from '../../../db/client'
import { decideInTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { AppError, invalidField, unauthenticated } from '../../../lib/errors'
import {
  type CurrentSession,
  hasRecentProof,
  lockUserOf,
  notRecent,
  refuseEnded,
  type UserRow,
} from '../../../access/sessions/service'
import * as q from './queries'
import {
  hasLapsed,
  isProof,
  lockedMessage,
  lockEnd,
  type Locks,
  lockUntil,
  MAX_FAILED_LOGINS,
  passwordProblem,
  type StoredPassword,
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
  readonly session: CurrentSession
  /** The user's own; undefined where the request has none. */
  readonly password: string | undefined
  /** Name of the password in the request body; `password` unless given. */
  readonly field?: string
  /** An advisory lock to take before the user's row. */
  readonly lock?: LockName
}

type ProofDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'hasher'>

/** Runs in the transaction of the check, with the locked user; its refusals are returned instead of thrown. */
type Proceed<T> = (tx: Tx, now: Date, user: UserRow) => Promise<T | AppError>

/** The account's password, or what it proves, changed while the proof was being checked: nothing is kept of the attempt. */
class StaleProofError extends Error {
  override name = 'StaleProofError'
}

/**
 * Takes a proof of who the user is and, when it is right, runs `proceed` (contract: accounts.proof): the password, or a recent
 * session where the account's password proves nothing.
 * @throws {AppError} as `claimOf` and `withPassword` do.
 */
export const withProof = <T>(deps: ProofDeps, proof: Proof, proceed: Proceed<T>): Promise<T> =>
  settled(async () => {
    const claim = await claimOf(deps, proof)
    return claim ? afterPassword(deps, { ...proof, claim }, proceed) : afterRecent(deps, proof, proceed)
  })

interface PasswordProof extends Proof {
  readonly password: string
  /** The refusal where the account's password proves nothing; by default that of a wrong password. */
  readonly otherwise?: AppError | undefined
}

/**
 * Checks the user's own password and, when it is right, runs `proceed` in the transaction that resets the count. A
 * wrong password counts as a failed login (contract: accounts.lockout); locked accounts are checked too. Where the account's
 * password proves nothing, nothing is checked or counted.
 * @throws {AppError} 401 `Incorrect password`, 423, 401 when the session has ended, or the refusal of `proceed`.
 */
export const withPassword = <T>(deps: ProofDeps, proof: PasswordProof, proceed: Proceed<T>): Promise<T> =>
  settled(async () => {
    const stored = await findStored(deps, proof)
    if (!isProof(stored, deps.config.oidc)) throw proof.otherwise ?? incorrectPassword()
    const { passwordHash } = stored
    return afterPassword(deps, { ...proof, claim: { password: proof.password, passwordHash } }, proceed)
  })

/** A password with the hash that it is to be checked against. */
interface Claim {
  readonly password: string
  readonly passwordHash: string
}

/**
 * Returns what is to be checked, or undefined where a recent session is the proof and the request has one.
 * @throws {AppError} 401 when the session has ended, 422 without the password that it takes, 403 without the recent session that it takes.
 */
export async function claimOf(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  proof: Proof,
): Promise<Claim | undefined> {
  const { session, password, field = 'password' } = proof
  const stored = await findStored(deps, proof)
  if (isProof(stored, deps.config.oidc)) {
    if (password === undefined) {
      // Whoever set it meanwhile may have ended this session.
      await refuseEnded(deps.db, session, deps.clock.now())
      throw invalidField(field, 'is required')
    }
    return { password, passwordHash: stored.passwordHash }
  }
  if (!hasRecentProof(session, deps.clock.now())) throw notRecent()
  return undefined
}

async function findStored({ db }: Pick<Deps, 'db'>, { session }: Proof): Promise<StoredPassword> {
  const [stored] = await q.findStored(db).execute({ userId: session.userId })
  if (!stored) throw unauthenticated('User not found or inactive')
  return stored
}

/** Checks the proof until nothing changes meanwhile. */
async function settled<T>(check: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (!(error instanceof StaleProofError)) throw error
    }
  }
}

async function afterPassword<T>(
  deps: ProofDeps,
  { session, lock, claim: { password, passwordHash } }: Proof & { readonly claim: Claim },
  proceed: Proceed<T>,
): Promise<T> {
  const { userId } = session
  const check = await deps.hasher.verify(password, passwordHash, { account: userId })
  const now = deps.clock.now()
  return decideInTransaction(deps.db, async (tx) => {
    if (lock) await takeLock(tx, lock)
    const user = await lockUserOf(tx, session, now)
    if (!check.ok) return refuseWrong(tx, userId, now)
    if (user.passwordHash !== passwordHash) throw new StaleProofError()
    const refusal = refusalOfLocked(user, now) ?? refusalOfLapsed(user.temporaryPasswordExpiresAt, now)
    if (refusal) return refusal
    await q.recordSuccess(tx, userId, check.upgradedHash ?? passwordHash)
    return proceed(tx, now, user)
  })
}

/** The count of wrong passwords stays as it is: nothing was proved here. */
const afterRecent = <T>(deps: ProofDeps, { session, lock }: Proof, proceed: Proceed<T>): Promise<T> =>
  decideInTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    if (lock) await takeLock(tx, lock)
    const user = await lockUserOf(tx, session, now)
    if (isProof(user, deps.config.oidc)) throw new StaleProofError()
    // Codes may be guessed here too.
    return refusalOfLocked(user, now) ?? proceed(tx, now, user)
  })

const incorrectPassword = () => unauthenticated('Incorrect password')

/** An expired temporary password is refused like a wrong one, but does not count as a failure. */
const refusalOfLapsed = (temporaryPasswordExpiresAt: Date | null, now: Date): AppError | undefined =>
  hasLapsed(temporaryPasswordExpiresAt, now) ? incorrectPassword() : undefined

async function refuseWrong(tx: Tx, userId: number, now: Date): Promise<AppError> {
  const counted = await countFailure(tx, userId, now)
  if (counted === 'gone') throw new StaleProofError()
  return counted === 'counted' ? incorrectPassword() : counted
}

/** Stores the hash of a new password and clears `must_change_password`. */
export const storePassword = (tx: Tx, userId: number, passwordHash: string, now: Date): Promise<void> =>
  q.replaceHash(tx, userId, passwordHash, now)
