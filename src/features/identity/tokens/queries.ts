import { and, desc, eq, gt, isNull, lt, or } from 'drizzle-orm'
import { deleteSome } from '../../../db/batches'
import type { Db, Tx } from '../../../db/client'
import { accessTokens } from '../../../db/schema'

export type TokenRow = typeof accessTokens.$inferSelect

/** Newest first. */
export const list = (db: Db, userId: number): Promise<TokenRow[]> =>
  db.select().from(accessTokens).where(eq(accessTokens.userId, userId)).orderBy(desc(accessTokens.id))

export const find = async (db: Db, userId: number, id: number): Promise<TokenRow | undefined> =>
  (
    await db
      .select()
      .from(accessTokens)
      .where(and(eq(accessTokens.userId, userId), eq(accessTokens.id, id)))
  )[0]

export const countLive = (tx: Tx, userId: number, now: Date): Promise<number> =>
  tx.$count(
    accessTokens,
    and(eq(accessTokens.userId, userId), or(isNull(accessTokens.expiresAt), gt(accessTokens.expiresAt, now))),
  )

export async function insert(tx: Tx, row: typeof accessTokens.$inferInsert): Promise<TokenRow> {
  const [inserted] = await tx.insert(accessTokens).values(row).returning()
  if (!inserted) throw new Error('the access token was not inserted')
  return inserted
}

export const remove = async (tx: Tx, userId: number, id: number): Promise<TokenRow | undefined> =>
  (
    await tx
      .delete(accessTokens)
      .where(and(eq(accessTokens.userId, userId), eq(accessTokens.id, id)))
      .returning()
  )[0]

export const removeAll = (tx: Tx, userId: number): Promise<TokenRow[]> =>
  tx.delete(accessTokens).where(eq(accessTokens.userId, userId)).returning()

/** Deletes up to `limit` tokens that expired before `before`. Returns how many. */
export const purge = (tx: Tx, before: Date, limit: number): Promise<number> =>
  deleteSome(
    tx,
    { from: accessTokens, key: accessTokens.id, where: lt(accessTokens.expiresAt, before) },
    limit,
  )
