import { and, desc, eq, gt } from 'drizzle-orm'
import type { Tx } from '../../db/client'
import { auditLog } from '../../db/schema'

export const insertAll = async (tx: Tx, rows: Array<typeof auditLog.$inferInsert>): Promise<void> => {
  await tx.insert(auditLog).values(rows)
}

interface ActionsSince {
  readonly action: string
  readonly actorId: number
  /** Exclusive. */
  readonly since: Date
}

/** Returns the times of the actor's entries for this action, newest first. */
export async function listMoments(
  tx: Tx,
  { action, actorId, since }: ActionsSince,
  limit: number,
): Promise<Date[]> {
  const rows = await tx
    .select({ at: auditLog.createdAt })
    .from(auditLog)
    .where(and(eq(auditLog.actorId, actorId), eq(auditLog.action, action), gt(auditLog.createdAt, since)))
    .orderBy(desc(auditLog.createdAt))
    .limit(limit)
  return rows.map(({ at }) => at)
}
