import type { Tx } from '../../db/client'
import type { Deps } from '../../deps'
import { AppError, invalidField } from '../../lib/errors'
import * as q from './queries'
import { isLocked, lockedMessage, lockUntil, MAX_FAILED_LOGINS, passwordProblem } from './rules'

/** 423 while the account is locked (specification 5.4). */
export const refusalOfLocked = (lockedUntil: Date | null, now: Date): AppError | undefined =>
  isLocked(lockedUntil, now) ? new AppError('locked', lockedMessage(lockedUntil, now)) : undefined

/** Counts a wrong password. The refusal instead where the account is locked by then; `gone` where it is deleted. */
export async function countFailure(
  tx: Tx,
  userId: number,
  now: Date,
): Promise<'counted' | 'gone' | AppError> {
  const failure = { now, lockUntil: lockUntil(now), maxFailures: MAX_FAILED_LOGINS }
  if (await q.countFailure(tx, userId, failure)) return 'counted'
  return refusalOfLocked(await q.findLockedUntil(tx, userId), now) ?? 'gone'
}

interface NewPassword {
  /** The name of the body's field. */
  readonly field: string
  readonly password: string
  readonly username: string
}

/** @throws {AppError} 422 when the policy refuses the password. */
export function refuseWeakPassword(
  { config, commonPasswords }: Pick<Deps, 'config' | 'commonPasswords'>,
  { field, password, username }: NewPassword,
): void {
  const { minLength } = config.password
  const problem = passwordProblem({
    password,
    username,
    minLength,
    isCommon: (text) => commonPasswords.has(text),
  })
  if (problem !== undefined) throw invalidField(field, problem)
}
