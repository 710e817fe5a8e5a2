import type { Tx } from '../../db/client'
import { inTransaction } from '../../db/transaction'
import type { Deps } from '../../deps'
import { type AppError, conflict, forbidden, unauthenticated } from '../../lib/errors'
import { record } from '../audit/service'
import { MIN_PASSWORDLESS_PASSKEYS } from '../passkeys/rules'
import { countPasskeys } from '../passkeys/service'
import { withPassword } from '../passwords/service'
import { refuseEnded } from '../sessions/service'
import { readConfig } from '../system-config/service'
import type { AssertionCredential, AssertionOptionsView } from '../webauthn/model'
import { acceptAssertion, beginAssertion, checkAssertion } from '../webauthn/service'
import * as q from './queries'

/** The session that asks. */
interface Current {
  readonly id: string
  readonly userId: number
}

/**
 * Turns sign-in by password off for the caller, whose passkeys it takes from then on.
 * @throws {AppError} 423, 401, 403 where no administrator has allowed it, 409.
 */
export async function enablePasswordless(
  deps: Deps,
  session: Current,
  password: string,
  ip: string,
): Promise<void> {
  await withPassword(deps, { session, password }, async (tx, now) => {
    const { userId } = session
    const refusal = await refusalToEnable(tx, userId)
    if (refusal) return refusal
    await q.setEnabled(tx, userId, true, now)
    return record(tx, { action: 'auth.passwordless_enabled', actorId: userId, ip, at: now })
  })
}

/** The user's row is locked: no passkey goes meanwhile. */
async function refusalToEnable(tx: Tx, userId: number): Promise<AppError | undefined> {
  const { allow_passwordless: isAllowed } = await readConfig({ db: tx })
  if (!isAllowed) return forbidden('Passwordless sign-in is not allowed')
  if (await q.findIsEnabled(tx, userId)) return conflict('Passwordless sign-in is already enabled')
  return (await countPasskeys(tx, userId)) < MIN_PASSWORDLESS_PASSKEYS
    ? conflict(`At least ${MIN_PASSWORDLESS_PASSKEYS} passkeys are required`)
    : undefined
}

const notEnabled = () => conflict('Passwordless sign-in is not enabled')

/** Starts the way back to the password, by one of the caller's passkeys. @throws {AppError} 409. */
export function beginDisabling(deps: Deps, session: Current): Promise<AssertionOptionsView> {
  const { userId } = session
  return inTransaction(deps.db, async (tx) => {
    const isEnabled = await q.lockIsEnabled(tx, userId)
    await refuseEnded(tx, session, deps.clock.now())
    if (!isEnabled) throw notEnabled()
    return beginAssertion(tx, deps, { purpose: 'passwordless_disable', userId })
  })
}

/** Lets the caller sign in by password again. @throws {AppError} 409, 401. */
export async function disablePasswordless(
  deps: Deps,
  session: Current,
  credential: AssertionCredential,
  ip: string,
): Promise<void> {
  const { userId } = session
  if (!(await q.findIsEnabled(deps.db, userId))) throw notEnabled()
  const purpose = 'passwordless_disable'
  const assertion = await checkAssertion(deps, credential, { purpose, userId })
  if ('reason' in assertion) throw failed()
  const refusal = await inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const isEnabled = await q.lockIsEnabled(tx, userId)
    await refuseEnded(tx, session, now)
    if (!isEnabled) return notEnabled()
    if (await acceptAssertion(tx, assertion, { ip, now })) return failed()
    await q.setEnabled(tx, userId, false, now)
    await record(tx, { action: 'auth.passwordless_disabled', actorId: userId, ip, at: now })
    return undefined
  })
  if (refusal) throw refusal
}

const failed = () => unauthenticated('Passkey authentication failed')
