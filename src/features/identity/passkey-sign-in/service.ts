import type { Tx } from '../../../db/client'
import { decideInTransaction, inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { AppError, forbidden, unauthenticated } from '../../../lib/errors'
import { record } from '../../../access/audit/service'
import { refusalOfLocked } from '../passwords/service'
import {
  type Caller,
  type CurrentSession,
  keepUser,
  lockUser,
  proveSession,
  refusalOfEnded,
  type UserRow,
} from '../../../access/sessions/service'
import { findSession } from '../../../access/sessions/service.checks'
import { admit, DISABLED } from '../sign-in/service'
import { refuseLocal } from '../ways-in/service'
import type { AssertionOptionsView } from '../webauthn/model'
import { acceptAssertion, type Assertion, beginAssertion, checkAssertion } from '../webauthn/service'
import type { PasskeyLoginBody, PasskeyLoginView } from './model'
import * as q from './queries'

/** The value of the session cookie; `null` when the request has several. */
type Token = string | null | undefined

/** Starts a sign-in. With a valid session, locked or not, only passkeys of its user are accepted. @throws {AppError} 403. */
export async function beginLogin(deps: Deps, token: Token): Promise<AssertionOptionsView> {
  refuseLocal(deps)
  const found = await findSession(deps, token)
  return inTransaction(deps.db, async (tx) => {
    const userId = found instanceof AppError ? null : await keepUser(tx, found.userId)
    return beginAssertion(tx, deps, { purpose: 'sign_in', userId })
  })
}

export interface SignedIn {
  readonly userId: number
  readonly view: PasskeyLoginView
  /** For the session cookie; undefined when no session was opened. */
  readonly token?: string
}

/**
 * Signs in with a passkey, or proves and unlocks the session of `token` with it (contract: passkeys.sign-in).
 * @throws {AppError} 401 for an invalid assertion; then 423, 403, or 401 when there is no session to unlock.
 */
export async function completeLogin(
  deps: Deps,
  { credential, unlock = false }: PasskeyLoginBody,
  token: Token,
  caller: Caller,
): Promise<SignedIn> {
  refuseLocal(deps)
  const session = unlock ? await findSession(deps, token) : undefined
  const userId = session instanceof AppError ? undefined : session?.userId
  const checked = await checkAssertion(deps, credential, { purpose: 'sign_in', userId })
  return decideInTransaction<SignedIn>(deps.db, (tx) =>
    'reason' in checked
      ? refuse(tx, deps, caller, { ...checked, refusal: failed() })
      : decide(tx, deps, checked, { caller, session }),
  )
}

const failed = () => unauthenticated('Passkey authentication failed')

interface Refused {
  readonly reason: string
  readonly userId: number | null
  readonly refusal: AppError
}

/** Audits a refusal. The actor is the owner of the passkey; null when the passkey is unknown or its owner no longer exists. */
async function refuse(
  tx: Tx,
  { clock }: Deps,
  { ip }: Caller,
  { reason, userId, refusal }: Refused,
): Promise<AppError> {
  const actorId = userId === null ? null : await keepUser(tx, userId)
  const detail = { reason }
  await record(tx, { action: 'auth.passkey_login_failed', actorId, ip, at: clock.now(), detail })
  return refusal
}

interface PasskeyAttempt {
  readonly caller: Caller
  /** The session to unlock, or the error why there is none; undefined for a sign-in. */
  readonly session: CurrentSession | AppError | undefined
}

async function decide(
  tx: Tx,
  deps: Deps,
  assertion: Assertion,
  { caller, session }: PasskeyAttempt,
): Promise<SignedIn | AppError> {
  const { userId } = assertion
  const now = deps.clock.now()
  const user = await lockUser(tx, userId)
  const problem = await acceptAssertion(tx, assertion, { ip: caller.ip, now })
  if (!user || problem) {
    return refuse(tx, deps, caller, { reason: problem ?? 'unknown_credential', userId, refusal: failed() })
  }
  const refused = refusalOf(user, now, session !== undefined)
  if (refused) return refuse(tx, deps, caller, { ...refused, userId })
  if (session instanceof AppError) return session
  if (session) {
    const ended = await refusalOfEnded(tx, session, now)
    if (ended) return ended
    await proveSession(tx, session, { ip: caller.ip, now })
    return { userId, view: { authenticated: true, unlocked: true } }
  }
  await q.recordLogin(tx, userId, now)
  return admit(tx, deps, user, { authMethod: 'passkey', ...caller })
}

/** Returns why a right passkey is not enough. A locked account may still unlock a session that it has. */
function refusalOf(user: UserRow, now: Date, isUnlock: boolean): Omit<Refused, 'userId'> | undefined {
  const locked = isUnlock ? undefined : refusalOfLocked(user, now)
  if (locked) return { reason: 'account_locked', refusal: locked }
  return user.isActive ? undefined : { reason: 'account_disabled', refusal: forbidden(DISABLED) }
}
