import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps, WriteDeps } from '../../../deps'
import { AppError, conflict, notFound } from '../../../lib/errors'
import type { ProvedIdentity } from '../../../lib/ports/identity-provider'
import { formatInstant } from '../../../lib/time/time'
import { record } from '../../../access/audit/service'
import { identityLinked } from '../../../access/notices/rules.security'
import { notify } from '../../../access/notices/service'
import { type Caller, lockUserOf, type SessionKey } from '../../../access/sessions/service'
import { revokeChallenges } from '../mfa/service'
import { hasWayIn } from '../ways-in/service'
import type { IdentityView } from './model'
import * as q from './queries'
import { shownOf } from './rules'

/** @throws {AppError} 404 where no provider is configured. */
export function refuseWithoutProvider({ config }: Pick<Deps, 'config'>): void {
  if (!config.oidc) throw new AppError('not_found', 'Not found')
}

/** Lists the user's identities, the oldest first. */
export const listIdentities = async (deps: ReadDeps, userId: number): Promise<IdentityView[]> =>
  (await q.list(deps.db, userId)).map((row) => toView(deps, row))

interface IdentityRequest {
  readonly id: number
  readonly ip: string
}

/** @throws {AppError} 404, and 409 when nothing else would let the user in (contract: oidc.last-way). */
export function removeIdentity(
  deps: WriteDeps,
  session: SessionKey,
  { id, ip }: IdentityRequest,
): Promise<void> {
  const { userId } = session
  return inTransaction(deps.db, async (tx) => {
    const at = deps.clock.now()
    const user = await lockUserOf(tx, session, at)
    const removed = await q.remove(tx, userId, id)
    if (!removed) throw notFound('Identity')
    if (!(await hasWayIn(tx, deps, user))) throw conflict(firstStep(deps))
    // A sign-in by it whose second factor is missing would go on.
    await revokeChallenges(tx, userId)
    const detail = { identity_id: id, issuer: removed.issuer }
    await record(tx, { action: 'auth.identity_removed', actorId: userId, ip, at, detail })
  })
}

/** What would let the user in besides the identity (contract: oidc.last-way). */
const firstStep = ({ config }: Pick<Deps, 'config'>) =>
  config.oidc?.isOnly ? 'Link another sign-in first' : 'Set a password or a passkey first'

/** The identity that the provider proved, and whose it is; undefined when it is nobody's (contract: oidc.identities). */
export const findIdentity = q.find

/** Adds the identity to a new user. @throws a unique violation when any user has it. */
export const addFirstIdentity = (tx: Tx, userId: number, proved: ProvedIdentity, now: Date): Promise<void> =>
  q.insert(tx, toRow(userId, proved, now))

/** Links the identity with a user, whose row must be locked, and tells them. Returns whether it was still free. */
export async function linkIdentity(
  tx: Tx,
  userId: number,
  proved: ProvedIdentity,
  { now, ...caller }: Caller & { readonly now: Date },
): Promise<boolean> {
  const linked = await q.insertNew(tx, toRow(userId, proved, now))
  if (!linked) return false
  const { id, issuer } = linked
  const detail = { identity_id: id, issuer }
  await record(tx, { action: 'auth.identity_linked', actorId: userId, ip: caller.ip, at: now, detail })
  await notify(tx, { userId, at: now, ...identityLinked({ id, host: hostOf(issuer) }, caller) })
  return true
}

const hostOf = (issuer: string) => URL.parse(issuer)?.host ?? issuer

/** Notes that the identity was used, and what the provider says by now. Returns whether it is still there. */
export const noteUse = (tx: Tx, id: number, proved: ProvedIdentity, now: Date): Promise<boolean> =>
  q.markUsed(tx, id, { ...shownOf(proved), lastUsedAt: now })

const toRow = (userId: number, proved: ProvedIdentity, now: Date) => ({
  userId,
  issuer: proved.issuer,
  subject: proved.subject,
  ...shownOf(proved),
  createdAt: now,
  lastUsedAt: now,
})

const toView = ({ config }: Pick<Deps, 'config'>, row: q.IdentityRow): IdentityView => ({
  id: row.id,
  issuer: row.issuer,
  name: row.name,
  email: row.email,
  created_at: formatInstant(config.timeZone, row.createdAt),
  last_used_at: row.lastUsedAt && formatInstant(config.timeZone, row.lastUsedAt),
})
