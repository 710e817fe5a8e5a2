import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { identities } from '../../../db/schema'

export type IdentityRow = typeof identities.$inferSelect

export const list = (db: Db, userId: number): Promise<IdentityRow[]> =>
  db.select().from(identities).where(eq(identities.userId, userId)).orderBy(identities.id)

interface ProviderSubject {
  readonly issuer: string
  readonly subject: string
}

export const find = async (tx: Tx, { issuer, subject }: ProviderSubject): Promise<IdentityRow | undefined> =>
  (
    await tx
      .select()
      .from(identities)
      .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)))
  )[0]

/** Returns undefined when any user has the identity already. */
export const insertNew = async (
  tx: Tx,
  row: typeof identities.$inferInsert,
): Promise<IdentityRow | undefined> =>
  (
    await tx
      .insert(identities)
      .values(row)
      .onConflictDoNothing({ target: [identities.issuer, identities.subject] })
      .returning()
  )[0]

export const insert = async (tx: Tx, row: typeof identities.$inferInsert): Promise<void> => {
  await tx.insert(identities).values(row)
}

type Seen = Pick<typeof identities.$inferInsert, 'name' | 'email' | 'lastUsedAt'>

/** Returns whether the identity is still there. */
export const markUsed = async (tx: Tx, id: number, seen: Seen): Promise<boolean> =>
  (await tx.update(identities).set(seen).where(eq(identities.id, id)).returning({ id: identities.id }))
    .length > 0

/** Returns the identity that was removed. */
export const remove = async (tx: Tx, userId: number, id: number): Promise<IdentityRow | undefined> =>
  (
    await tx
      .delete(identities)
      .where(and(eq(identities.id, id), eq(identities.userId, userId)))
      .returning()
  )[0]
