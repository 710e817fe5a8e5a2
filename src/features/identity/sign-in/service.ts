import type { Tx } from '../../../db/client'
import type { AuthMethod, MfaPurpose } from '../../../db/schema'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { type AppError, forbidden, unauthenticated } from '../../../lib/errors'
import type { PasswordCheck } from '../../../lib/ports/passwords'
import { record } from '../../../access/audit/service'
import { forgetMfaFailures, issueMfaToken } from '../mfa/service'
import { signedInElsewhere } from '../../../access/notices/rules.security'
import { notify } from '../../../access/notices/service'
import { DUMMY_HASH, hasLapsed, NO_PASSWORD } from '../passwords/rules'
import { countFailure, refusalOfLocked } from '../passwords/service'
import {
  type Caller,
  lockUser,
  openSession,
  type ProviderSession,
  type UserRow,
} from '../../../access/sessions/service'
import { refusalOfLocal } from '../ways-in/rules'
import type { LoginBody, LoginView } from './model'
import * as q from './queries'

export interface SignedIn {
  readonly userId: number
  readonly view: LoginView
  /** For the session cookie; undefined while a second factor is missing. */
  readonly token?: string
}

/** `stale`: the stored hash changed while the password was being checked. */
type Decision = SignedIn | { readonly refusal: AppError } | 'stale'

interface PasswordAttempt {
  readonly userId: number
  readonly checkedHash: string
  readonly check: PasswordCheck
  readonly caller: Caller
}

/** Leaves a refused request enough time to end within its ten seconds. */
const MAX_FLOOR_MS = 9000

const WRONG_CREDENTIALS = 'Incorrect username or password'
/** The message for a disabled account (contract: sign-in.refusals). */
export const DISABLED = 'Account is disabled. Please contact an administrator.'
const PASSWORDLESS = 'Password sign-in is disabled for this account. Use a passkey.'

/**
 * Signs in with a password (contract: sign-in.order). A refusal takes at least `LOGIN_FAILURE_FLOOR_MS`, so that the
 * time does not reveal what was wrong.
 * @throws {AppError} 401, 403, 423.
 */
export async function login(deps: Deps, body: LoginBody, caller: Caller): Promise<SignedIn> {
  const { clock, config } = deps
  const arrivedAt = clock.monotonic()
  const outcome = await attempt(deps, body, caller)
  if (!('refusal' in outcome)) return outcome
  const floorMs = Math.min(config.password.failureFloorMs, MAX_FLOOR_MS)
  await clock.sleep(Math.max(0, floorMs - (clock.monotonic() - arrivedAt)))
  throw outcome.refusal
}

type Outcome = Exclude<Decision, 'stale'>

/** Checks the password before everything else, then decides in one transaction. */
async function attempt(deps: Deps, body: LoginBody, caller: Caller): Promise<Outcome> {
  for (;;) {
    const [user] = await q.findCredentials(deps.db).execute({ username: body.username })
    const local = user?.passwordByOperator ? undefined : refusalOfLocal(deps.config.oidc)
    if (local) return { refusal: local }
    const checkedHash = user?.passwordHash ?? DUMMY_HASH
    const [{ key: client }] = deps.ipRanges.clientNetworks(caller.ip)
    const owner = { account: user?.id ?? body.username.toLowerCase(), isSignIn: true, client }
    const check = await deps.hasher.verify(body.password, checkedHash, owner)
    const decision = await inTransaction(deps.db, (tx) =>
      user
        ? decide(tx, deps, { userId: user.id, checkedHash, check, caller })
        : refuseUnknown(tx, deps, caller),
    )
    // A password change or another sign-in's upgrade replaced the hash meanwhile: check against the new one.
    if (decision !== 'stale') return decision
  }
}

async function refuseUnknown(tx: Tx, { clock }: Deps, { ip }: Caller): Promise<Outcome> {
  const detail = { reason: 'unknown_username' }
  await record(tx, { action: 'auth.login_failed', actorId: null, ip, at: clock.now(), detail })
  return { refusal: unauthenticated(WRONG_CREDENTIALS) }
}

/** Steps 3 to 6. Refusals are returned, not thrown, so that the transaction commits their audit entries and counts. */
async function decide(tx: Tx, deps: Deps, attempted: PasswordAttempt): Promise<Decision> {
  const { userId, checkedHash, check, caller } = attempted
  const now = deps.clock.now()
  const refuse = async ({ action, reason, refusal }: Refusal) => {
    await record(tx, { action, actorId: userId, ip: caller.ip, at: now, detail: { reason } })
    return { refusal }
  }
  if (!check.ok) {
    const counted = await countWrong(tx, attempted, now)
    if (counted === 'gone') return 'stale'
    return counted === 'counted' ? refuse(wrongPassword()) : { refusal: counted }
  }
  const user = await lockUser(tx, userId)
  if (!user || user.passwordHash !== checkedHash) return 'stale'
  const locked = refusalOfLocked(user, now)
  if (locked) return { refusal: locked }
  const refused = refusalOf(user, now)
  if (refused) return refuse(refused)
  await q.recordLogin(tx, userId, { now, passwordHash: check.upgradedHash ?? checkedHash })
  return admit(tx, deps, user, { authMethod: 'password', ...caller })
}

/** Counts a guess. An account without a password has nothing to guess, and nobody locks it from outside. */
const countWrong = async (tx: Tx, { userId, checkedHash }: PasswordAttempt, now: Date) =>
  checkedHash === NO_PASSWORD ? 'counted' : countFailure(tx, userId, now)

/** A refusal with its audit entry. */
interface Refusal {
  readonly action: string
  readonly reason: string
  readonly refusal: AppError
}

const wrongPassword = (): Refusal => ({
  action: 'auth.login_failed',
  reason: 'invalid_password',
  refusal: unauthenticated(WRONG_CREDENTIALS),
})

/** Returns why a right password is not enough. */
function refusalOf(user: UserRow, now: Date): Refusal | undefined {
  if (hasLapsed(user.temporaryPasswordExpiresAt, now)) return wrongPassword()
  if (!user.isActive) {
    return {
      action: 'auth.login_blocked_inactive',
      reason: 'account_disabled',
      refusal: forbidden(DISABLED),
    }
  }
  if (!user.passwordlessEnabled) return undefined
  return {
    action: 'auth.login_blocked_passwordless',
    reason: 'passwordless_enabled',
    refusal: forbidden(PASSWORDLESS),
  }
}

/** A user who has proved their identity, with the columns that decide what is still required. */
export interface Proven {
  readonly id: number
  readonly mfaEnforcePending: boolean
  readonly totpEnabled: boolean
  readonly mustChangePassword: boolean
  readonly failedMfaCount: number
}

/** How a user has proved their identity, and from where. */
interface SignInProof extends Caller {
  readonly authMethod: AuthMethod
  /** Whether a second factor is proved too, so that none is asked for and none has to be set up. */
  readonly hasSecondFactor?: boolean
  /** Of a sign-in at the identity provider. */
  readonly provider?: ProviderSession | undefined
}

/** Audited in the place of `auth.login_success`, and also where the password must be changed. */
const SUCCESS: Partial<Record<AuthMethod, string>> = {
  passkey: 'auth.passkey_login_success',
  oidc: 'auth.oidc_login_success',
}

/** What has still to be proved, or set up first. A passkey stands for a code, but not for a set-up. */
function missingFactor(user: Proven, { authMethod, hasSecondFactor }: SignInProof): MfaPurpose | undefined {
  if (hasSecondFactor) return undefined
  if (user.mfaEnforcePending) return 'enforced_setup'
  return user.totpEnabled && authMethod !== 'passkey' ? 'sign_in' : undefined
}

/**
 * The last steps of every way to sign in (contract: sign-in.second-factors): asks for a missing second factor, or opens
 * the session.
 */
export async function admit(tx: Tx, deps: Deps, user: Proven, proof: SignInProof): Promise<SignedIn> {
  const { authMethod, provider, ip, userAgent } = proof
  const caller = { ip, userAgent }
  const { id: userId } = user
  const audit = (action: string) =>
    record(tx, { action, actorId: userId, ip: caller.ip, at: deps.clock.now() })
  const purpose = missingFactor(user, proof)
  if (purpose === 'enforced_setup') await audit('auth.mfa_enforce_prompted')
  if (purpose) {
    const issued = await issueMfaToken(tx, deps, { userId, purpose, provider })
    const asked =
      purpose === 'sign_in' ? { totp_required: true as const } : { mfa_setup_required: true as const }
    return { userId, view: { authenticated: false, ...asked, ...issued } }
  }
  if (user.failedMfaCount > 0) await forgetMfaFailures(tx, userId)
  const { token, isNewUserAgent } = await openSession(tx, deps, { userId, authMethod, provider, ...caller })
  if (isNewUserAgent) await notify(tx, { userId, at: deps.clock.now(), ...signedInElsewhere(caller) })
  const success = SUCCESS[authMethod]
  if (success) await audit(success)
  if (user.mustChangePassword)
    return { userId, token, view: { authenticated: true, must_change_password: true } }
  if (!success) await audit('auth.login_success')
  return { userId, token, view: { authenticated: true } }
}
