import { and, eq, gt, lte, max, sql } from 'drizzle-orm'
import { among } from '../../db/among'
import { deleteSome } from '../../db/batches'
import type { Tx } from '../../db/client'
import { sentInvitations } from '../../db/schema'

interface Pairs {
  readonly senderId: number
  readonly receiverIds: readonly number[]
}

/**
 * For each receiver, takes the time of the `nth` newest invitation after `since`; returns the latest of these times, or
 * null when no receiver has got that many.
 */
export async function nthNewest(
  tx: Tx,
  { senderId, receiverIds }: Pairs,
  { nth, since }: { readonly nth: number; readonly since: Date },
): Promise<Date | null> {
  const placed = tx
    .select({
      createdAt: sentInvitations.createdAt,
      place:
        sql<number>`row_number() over (partition by ${sentInvitations.receiverId} order by ${sentInvitations.createdAt} desc)`.as(
          'place',
        ),
    })
    .from(sentInvitations)
    .where(
      and(
        eq(sentInvitations.senderId, senderId),
        among(sentInvitations.receiverId, receiverIds),
        gt(sentInvitations.createdAt, since),
      ),
    )
    .as('placed')
  const [row] = await tx
    .select({ at: max(placed.createdAt) })
    .from(placed)
    .where(eq(placed.place, nth))
  return row?.at ?? null
}

export const insert = async (tx: Tx, { senderId, receiverIds }: Pairs, createdAt: Date): Promise<void> => {
  await tx
    .insert(sentInvitations)
    .values(receiverIds.map((receiverId) => ({ senderId, receiverId, createdAt })))
}

export const purge = (tx: Tx, before: Date, limit: number): Promise<number> =>
  deleteSome(
    tx,
    { from: sentInvitations, key: sentInvitations.id, where: lte(sentInvitations.createdAt, before) },
    limit,
  )
