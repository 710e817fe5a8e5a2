import type { Tx } from '../../../db/client'
import { type AppError, conflict, forbidden } from '../../../lib/errors'
import { refuseEnded, type SessionKey } from '../../../access/sessions/service'
import * as q from './queries'
import { isLastOf } from './rules'

/** Who administers. Whoever runs commands on the server has no session, and is nobody in the audit log. */
export interface Administrator {
  readonly session: SessionKey | null
  readonly ip: string
}

/** 409 where nobody could administer the service without the user. Needs the lock `administrators` to stay true. */
export async function refusalOfLast(tx: Tx, userId: number): Promise<AppError | undefined> {
  return isLastOf(await q.activeAdministrators(tx), userId)
    ? conflict('At least one active administrator is required')
    : undefined
}

/** Holds the administrator's own row, and that of the user whom they change, until the transaction ends. */
export const lockAdministrators = (tx: Tx, { session }: Administrator, userId?: number): Promise<void> =>
  q.lockAdministrators(
    tx,
    [session?.userId, userId].filter((id) => id !== undefined),
  )

/**
 * Refuses who was demoted, or whose session ended, while their request was under way.
 * @throws {AppError} 401, 403.
 */
export async function refuseFormer(tx: Tx, { session }: Administrator, now: Date): Promise<void> {
  if (!session) return
  await refuseEnded(tx, session, now)
  if (!(await q.isActiveAdministrator(tx, session.userId))) throw forbidden('Insufficient permissions')
}
