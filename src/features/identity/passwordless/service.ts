import type { Tx } from '../../../db/client'
import { decideInTransaction, inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { type AppError, conflict, forbidden, unauthenticated } from '../../../lib/errors'
import { record } from '../../../access/audit/service'
import { MIN_PASSWORDLESS_PASSKEYS } from '../passkeys/rules'
import { countPasskeys } from '../passkeys/service'
import { withProof } from '../passwords/service'
import {
  type CurrentSession,
  lockUserOf,
  type SessionKey,
  type UserRow,
} from '../../../access/sessions/service'
import { findSystemConfig } from '../../../access/system-config/service'
import type { AssertionCredential, AssertionOptionsView } from '../webauthn/model'
import { acceptAssertion, beginAssertion, checkAssertion } from '../webauthn/service'
import { refuseLocal } from '../ways-in/service'
import * as q from './queries'

/**
 * Turns off sign-in by password: from then on the caller signs in with passkeys.
 * @throws {AppError} 422, 423, 401, 403 unless an administrator allows it, 409.
 */
export async function enablePasswordless(
  deps: Deps,
  session: CurrentSession,
  password: string | undefined,
  ip: string,
): Promise<void> {
  refuseLocal(deps)
  await withProof(deps, { session, password }, async (tx, now, user) => {
    const { userId } = session
    const refusal = await refusalToEnable(tx, user)
    if (refusal) return refusal
    await q.setEnabled(tx, userId, true, now)
    return record(tx, { action: 'auth.passwordless_enabled', actorId: userId, ip, at: now })
  })
}

/** The user's row must be locked, so that no passkey is deleted meanwhile. */
async function refusalToEnable(tx: Tx, user: UserRow): Promise<AppError | undefined> {
  const { allowPasswordless: isAllowed } = await findSystemConfig(tx)
  if (!isAllowed) return forbidden('Passwordless sign-in is not allowed')
  if (user.passwordlessEnabled) return conflict('Passwordless sign-in is already enabled')
  return (await countPasskeys(tx, user.id)) < MIN_PASSWORDLESS_PASSKEYS
    ? conflict(`At least ${MIN_PASSWORDLESS_PASSKEYS} passkeys are required`)
    : undefined
}

const notEnabled = () => conflict('Passwordless sign-in is not enabled')

/** Starts turning sign-in by password on again, which takes one of the caller's passkeys. @throws {AppError} 403, 409. */
export async function beginDisabling(deps: Deps, session: SessionKey): Promise<AssertionOptionsView> {
  refuseLocal(deps)
  const { userId } = session
  return inTransaction(deps.db, async (tx) => {
    const user = await lockUserOf(tx, session, deps.clock.now())
    if (!user.passwordlessEnabled) throw notEnabled()
    return beginAssertion(tx, deps, { purpose: 'passwordless_disable', userId })
  })
}

/** Turns sign-in by password on again. @throws {AppError} 403, 409, 401. */
export async function disablePasswordless(
  deps: Deps,
  session: SessionKey,
  credential: AssertionCredential,
  ip: string,
): Promise<void> {
  refuseLocal(deps)
  const { userId } = session
  if (!(await q.findIsEnabled(deps.db, userId))) throw notEnabled()
  const purpose = 'passwordless_disable'
  const assertion = await checkAssertion(deps, credential, { purpose, userId })
  if ('reason' in assertion) throw failed()
  await decideInTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const user = await lockUserOf(tx, session, now)
    if (!user.passwordlessEnabled) return notEnabled()
    if (await acceptAssertion(tx, assertion, { ip, now })) return failed()
    await q.setEnabled(tx, userId, false, now)
    return record(tx, { action: 'auth.passwordless_disabled', actorId: userId, ip, at: now })
  })
}

const failed = () => unauthenticated('Passkey authentication failed')
