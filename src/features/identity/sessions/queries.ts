import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import { sessions } from '../../../db/schema'

/** Returns whether the session was unlocked before. */
export async function lock(tx: Tx, id: string, now: Date): Promise<boolean> {
  const locked = await tx
    .update(sessions)
    .set({ isLocked: true, lockedAt: now })
    .where(and(eq(sessions.id, id), eq(sessions.isLocked, false)))
    .returning({ id: sessions.id })
  return locked.length > 0
}
