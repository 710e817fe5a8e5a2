import type { Tx } from '../../../db/client'
import type { Deps } from '../../../deps'
import { record } from '../../../access/audit/service'
import { keepUser } from '../../../access/sessions/service'
import { type Purpose, type RefusalCode } from './rules'

/** Why somebody was not signed in, linked or proved. */
export interface RefusedSignOn {
  readonly code: RefusalCode
  /** A word or two for the log and the audit log. */
  readonly reason: string
  /** The user of the identity or the session; null when they are not known. */
  readonly userId: number | null
}

interface NotedRefusal extends RefusedSignOn {
  readonly purpose: Purpose
  readonly ip: string
}

/** Writes what the address does not say into the log and the audit log. */
export async function noteRefusal(
  tx: Tx,
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
  { purpose, code, reason, userId, ip }: NotedRefusal,
): Promise<void> {
  const detail = { purpose, code, reason }
  // It is another transaction than that which found the user.
  const actorId = userId === null ? null : await keepUser(tx, userId)
  await record(tx, { action: 'auth.oidc_login_failed', actorId, ip, at: clock.now(), detail })
  log.warn('A sign-in at the identity provider failed', { ...detail, user_id: userId })
}
