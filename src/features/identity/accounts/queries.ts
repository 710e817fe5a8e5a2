import { eq, inArray } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { users } from '../../../db/schema'

export async function insertUser(tx: Tx, row: typeof users.$inferInsert): Promise<number> {
  const [created] = await tx.insert(users).values(row).returning({ id: users.id })
  if (!created) throw new Error('insert returned no row')
  return created.id
}

export async function takenNetworkNames(db: Db, names: string[]): Promise<Set<string>> {
  const taken = await db
    .select({ name: users.networkName })
    .from(users)
    .where(inArray(users.networkName, names))
  return new Set(taken.map(({ name }) => name))
}

/** Deletes the user and, by cascading foreign keys, everything that belongs to them. */
export async function deleteUser(tx: Tx, userId: number): Promise<void> {
  await tx.delete(users).where(eq(users.id, userId))
}
