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
 * Ends a connection, in both directions and with all that hung on it (contract: connections.life). Nobody is told.
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

/** The same of two users whom the transaction holds, connected or not. */
export async function separate(tx: Tx, pair: Pair, now: Date): Promise<void> {
  await removeBetween(tx, pair)
  await onDisconnect(tx, pair, now)
}

/** Everything between two users that ends with their connection; the transaction holds the rows of both. */
async function onDisconnect(tx: Tx, pair: Pair, now: Date): Promise<void> {
  await unlinkPeople(tx, pair, now)
  await endMembershipsBetween(tx, pair)
  await endInvitationsBetween(tx, pair)
}
