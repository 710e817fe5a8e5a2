import { record } from '../../../access/audit/service'
import { beginOperation, keepUser, type SessionKey } from '../../../access/sessions/service'
import { findAnonymousStatus, findStatus, renewSession } from '../../../access/sessions/service.checks'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { isProof } from '../passwords/rules'
import type { LockView, StatusView } from './model'
import * as q from './queries'

type StatusDeps = Pick<Deps, 'db' | 'clock' | 'tokens' | 'config'>

export interface Status {
  readonly view: StatusView
  /** For a new cookie, when the session slid. */
  readonly renewedToken?: string | undefined
}

/** Returns who the caller is (contract: sessions.status). An invalid cookie is no error; it counts as no session. */
export async function status(deps: StatusDeps, token: string | null | undefined): Promise<Status> {
  const found = await findStatus(deps, token)
  if (!found) return { view: await anonymousStatus(deps) }
  const { session, row } = found
  const view = {
    authenticated: true,
    setup_required: false,
    user_id: session.userId,
    role: session.role,
    username: session.username,
    registration_open: row.registrationOpen,
    is_locked: row.isLocked,
    passkey_count: row.passkeyCount,
    has_passkeys: row.passkeyCount > 0,
    passwordless_enabled: row.passwordlessEnabled,
    has_password: isProof(row, deps.config.oidc),
    oidc: providerOf(deps),
  }
  const renewing = renewSession(deps, session)
  return { view, renewedToken: renewing && (await renewing) }
}

const providerOf = ({ config }: StatusDeps) =>
  config.oidc ? { name: config.oidc.name, is_only: config.oidc.isOnly } : null

async function anonymousStatus(deps: StatusDeps): Promise<StatusView> {
  const { hasUsers, registrationOpen } = await findAnonymousStatus(deps)
  return {
    authenticated: false,
    setup_required: !hasUsers,
    user_id: null,
    role: null,
    username: null,
    registration_open: hasUsers && registrationOpen && !deps.config.oidc?.isOnly,
    is_locked: false,
    passkey_count: 0,
    has_passkeys: false,
    passwordless_enabled: false,
    has_password: false,
    oidc: providerOf(deps),
  }
}

/** Sets the screen lock, which stays until the session proves itself again. Locking a locked session changes nothing. */
export function lockSession({ db, clock }: Deps, session: SessionKey, ip: string): Promise<LockView> {
  const { id, userId } = session
  const at = clock.now()
  return inTransaction(db, async (tx) => {
    await keepUser(tx, userId)
    await beginOperation(tx, session, at)
    if (await q.lock(tx, id, at)) await record(tx, { action: 'auth.session_locked', actorId: userId, ip, at })
    return { message: 'Session locked', is_locked: true }
  })
}
