import type { Tx } from '../../../db/client'
import type { Deps } from '../../../deps'
import type { UserRow } from '../../../access/sessions/service'
import * as q from './queries'
import { isLetIn, refusalOfLocal } from './rules'

/** Whether a password, a passkey or an identity still lets the user in, whose row must be locked (contract: oidc.last-way). */
export const hasWayIn = async (tx: Tx, { config }: Pick<Deps, 'config'>, user: UserRow): Promise<boolean> =>
  isLetIn({ ...user, ...(await q.findWays(tx, user.id)) }, config.oidc)

/** Refuses whatever is no sign-in at the identity provider, where only that lets people in. @throws {AppError} 403. */
export function refuseLocal({ config }: Pick<Deps, 'config'>): void {
  const refusal = refusalOfLocal(config.oidc)
  if (refusal) throw refusal
}
