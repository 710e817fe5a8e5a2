import type { Tx } from '../../../db/client'
import { decideInTransaction, inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { type AppError, conflict, unauthenticated } from '../../../lib/errors'
import { record } from '../../../access/audit/service'
import { type Challenge, consume, countAttempt, countMfaFailure, findChallenge } from '../mfa/service'
import { refusalOfLocked } from '../passwords/service'
import type { Caller } from '../../../access/sessions/service'
import { admit, type SignedIn } from '../sign-in/service'
import type { TotpSetupView } from '../totp/model'
import {
  enableTotp,
  findPending,
  newSecret,
  remainingBackupCodes,
  storeSecret,
  useCode,
} from '../totp/service'
import type { MfaSetupConfirmBody, MfaSetupDoneView, MfaVerifiedView, MfaVerifyBody } from './model'

const invalidToken = () => unauthenticated('Invalid or expired MFA token')
const invalidCode = () => unauthenticated('Invalid verification code')

/** A sign-in that the second factor has completed. */
export interface Completed<View> {
  readonly userId: number
  /** For the session cookie. */
  readonly token: string
  readonly view: View
}

/**
 * Completes a sign-in with a code of the authenticator or a backup code (contract: sign-in.second-factors).
 * @throws {AppError} 401 for an invalid token, 423, 401 for a wrong code.
 */
export async function verify(
  deps: Deps,
  { mfa_token, code }: MfaVerifyBody,
  caller: Caller,
): Promise<Completed<MfaVerifiedView>> {
  const now = deps.clock.now()
  return decideInTransaction(deps.db, async (tx) => {
    const challenge = await findChallenge(tx, deps, mfa_token, 'sign_in')
    if (!challenge?.user.totpEnabled) return invalidToken()
    const { user } = challenge
    const locked = refusalOfLocked(user, now)
    if (locked) return locked
    const used = await useCode(tx, deps, user.id, code)
    if (!used) {
      await countMfaFailure(tx, user.id, now)
      return refuseCode(tx, deps, challenge, caller)
    }
    const { token, mustChange } = await complete(tx, deps, challenge, { ...caller, authMethod: used })
    return {
      userId: user.id,
      token,
      view: {
        authenticated: true as const,
        ...mustChange,
        ...(used === 'backup_code' && {
          backup_codes_remaining: await remainingBackupCodes(tx, user.id),
        }),
      },
    }
  })
}

async function refuseCode(tx: Tx, { clock }: Deps, challenge: Challenge, { ip }: Caller): Promise<AppError> {
  await countAttempt(tx, challenge)
  const detail = { reason: 'invalid_code' }
  await record(tx, { action: 'auth.mfa_failed', actorId: challenge.user.id, ip, at: clock.now(), detail })
  return invalidCode()
}

interface SecondFactor extends Caller {
  readonly authMethod: 'totp' | 'backup_code'
}

/** Uses up the token and opens the session, in the same transaction. */
async function complete(tx: Tx, deps: Deps, challenge: Challenge, factor: SecondFactor) {
  const { user, provider } = challenge
  const { ip, authMethod } = factor
  await consume(tx, challenge)
  const detail = { method: authMethod }
  await record(tx, { action: 'auth.mfa_success', actorId: user.id, ip, at: deps.clock.now(), detail })
  const proof = provider ? { ...factor, authMethod: 'oidc' as const, provider } : factor
  const signedIn = await admit(tx, deps, user, { ...proof, hasSecondFactor: true })
  return {
    token: tokenOf(signedIn),
    mustChange: user.mustChangePassword && { must_change_password: true as const },
  }
}

function tokenOf({ token }: SignedIn): string {
  if (token === undefined) throw new Error('a completed sign-in has opened no session')
  return token
}

/**
 * Begins the set-up of a second factor that an administrator requires before the first session.
 * @throws {AppError} 401 for an invalid token.
 */
export async function beginSetup(deps: Deps, mfaToken: string): Promise<TotpSetupView> {
  return inTransaction(deps.db, async (tx) => {
    const challenge = await findChallenge(tx, deps, mfaToken, 'enforced_setup')
    if (!challenge || challenge.user.totpEnabled) throw invalidToken()
    const { id: userId, username } = challenge.user
    const created = await newSecret(deps, { userId, username })
    await storeSecret(tx, userId, created, deps.clock.now())
    return created.view
  })
}

/**
 * Turns TOTP on with its first code and signs in. Wrong codes use up the token, but do not count against the account,
 * because the caller knows the secret anyway.
 * @throws {AppError} 401 for an invalid token, 409 without a pending set-up, 423, 401 for a wrong code.
 */
export async function confirmSetup(
  deps: Deps,
  { mfa_token, code }: MfaSetupConfirmBody,
  caller: Caller,
): Promise<Completed<MfaSetupDoneView>> {
  const now = deps.clock.now()
  return decideInTransaction(deps.db, async (tx) => {
    const challenge = await findChallenge(tx, deps, mfa_token, 'enforced_setup')
    if (!challenge || challenge.user.totpEnabled) return invalidToken()
    const { user } = challenge
    const pending = await findPending(tx, user.id, now)
    if (!pending) return conflict('TOTP setup has not been started')
    const locked = refusalOfLocked(user, now)
    if (locked) return locked
    const codes = await enableTotp(tx, deps, { pending, code, ip: caller.ip })
    if (!codes) return refuseCode(tx, deps, challenge, caller)
    const { token, mustChange } = await complete(tx, deps, challenge, { ...caller, authMethod: 'totp' })
    return {
      userId: user.id,
      token,
      view: { authenticated: true as const, ...mustChange, backup_codes: [...codes] },
    }
  })
}
