import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { endMembershipsBetween } from '../../calendars/members/service'
import { type Pair } from '../../../access/connections/service'
import { removeBetween, removeConnection } from '../connections/service'
import { endInvitationsBetween } from '../../events/invitations/service'
import { unlinkPeople } from '../linked-people/service'
import type { SessionKey } from '../../../access/sessions/service'

/**
 * Ends a connection in both directions, with everything that depends on it (contract: connections.life). It sends no
 * notification.
 * @throws {AppError} 401, 404.
 */
export const disconnect = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  session: SessionKey,
  connectionId: number,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const pair = await removeConnection(tx, { session, now }, connectionId)
    await onDisconnect(tx, pair, now)
  })

/** Like `disconnect`, for two locked users who need not be connected. */
export async function separate(tx: Tx, pair: Pair, now: Date): Promise<void> {
  await removeBetween(tx, pair)
  await onDisconnect(tx, pair, now)
}

/** Ends everything between two users that depends on their connection. Both users must be locked. */
async function onDisconnect(tx: Tx, pair: Pair, now: Date): Promise<void> {
  await unlinkPeople(tx, pair, now)
  await endMembershipsBetween(tx, pair)
  await endInvitationsBetween(tx, pair)
}
