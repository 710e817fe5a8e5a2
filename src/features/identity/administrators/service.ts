import type { Tx } from '../../../db/client'
import { type AppError, conflict, forbidden } from '../../../lib/errors'
import { beginOperation, type SessionKey } from '../../../access/sessions/service'
import * as q from './queries'
import { isLastOf } from './rules'

/** The acting administrator. `session` is null for commands on the server, which the audit log records without an actor. */
export interface Administrator {
  readonly session: SessionKey | null
  readonly ip: string
}

/**
 * Returns a 409 if the user is the last active administrator. The caller must hold the lock `administrators`, so that
 * this cannot change before the transaction ends.
 */
export async function refusalOfLast(tx: Tx, userId: number): Promise<AppError | undefined> {
  return isLastOf(await q.activeAdministrators(tx), userId)
    ? conflict('At least one active administrator is required')
    : undefined
}

/** Locks the administrator and the user whom they change, until the transaction ends. */
export const lockAdministrators = (tx: Tx, { session }: Administrator, userId?: number): Promise<void> =>
  q.lockAdministrators(
    tx,
    [session?.userId, userId].filter((id) => id !== undefined),
  )

/** Refuses an administrator who was demoted or whose session ended during the request. @throws {AppError} 401, 403. */
export async function refuseFormer(tx: Tx, { session }: Administrator, now: Date): Promise<void> {
  if (!session) return
  await beginOperation(tx, session, now)
  if (!(await q.isActiveAdministrator(tx, session.userId))) throw forbidden('Insufficient permissions')
}
