import { and, desc, eq, gt } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { sessions } from '../../../db/schema'

const isLiveOf = (userId: number, now: Date) =>
  and(eq(sessions.userId, userId), eq(sessions.revoked, false), gt(sessions.expiresAt, now))

/** The most recently seen session comes first. */
export const list = (db: Db, userId: number, now: Date) =>
  db
    .select()
    .from(sessions)
    .where(isLiveOf(userId, now))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt), sessions.publicId)

/** Locks the user's live session with this public id and returns its internal id. */
export async function findId(
  tx: Tx,
  userId: number,
  publicId: string,
  now: Date,
): Promise<string | undefined> {
  const [row] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(isLiveOf(userId, now), eq(sessions.publicId, publicId)))
    .for('no key update')
  return row?.id
}

export const revoke = async (tx: Tx, id: string): Promise<void> => {
  await tx.update(sessions).set({ revoked: true }).where(eq(sessions.id, id))
}
