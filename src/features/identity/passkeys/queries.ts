import { and, count, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { passkeys, users } from '../../../db/schema'

export type PasskeyRow = typeof passkeys.$inferSelect

/** Returns the user's handle, and stores `drawn` as the handle when there is none yet. */
export async function keepHandle(tx: Tx, userId: number, drawn: string): Promise<string> {
  const [row] = await tx
    .update(users)
    .set({ webauthnHandle: sql`coalesce(${users.webauthnHandle}, ${drawn})` })
    .where(eq(users.id, userId))
    .returning({ handle: users.webauthnHandle })
  if (!row?.handle) throw new Error('update returned no handle')
  return row.handle
}

const isOwn = (userId: number, id: number) => and(eq(passkeys.id, id), eq(passkeys.userId, userId))

export const list = (db: Db | Tx, userId: number): Promise<PasskeyRow[]> =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(passkeys.name, passkeys.id)

export const countOwn = async (tx: Tx, userId: number): Promise<number> =>
  (await tx.select({ passkeys: count() }).from(passkeys).where(eq(passkeys.userId, userId)))[0]?.passkeys ?? 0

/** Returns undefined when any user has registered the credential already. */
export const insert = async (tx: Tx, row: typeof passkeys.$inferInsert): Promise<PasskeyRow | undefined> =>
  (
    await tx.insert(passkeys).values(row).onConflictDoNothing({ target: passkeys.credentialId }).returning()
  )[0]

export const rename = async (
  tx: Tx,
  userId: number,
  id: number,
  name: string,
): Promise<PasskeyRow | undefined> =>
  (await tx.update(passkeys).set({ name }).where(isOwn(userId, id)).returning())[0]

/** Returns whether the passkey existed. */
export const remove = async (tx: Tx, userId: number, id: number): Promise<boolean> =>
  (await tx.delete(passkeys).where(isOwn(userId, id)).returning({ id: passkeys.id })).length > 0
