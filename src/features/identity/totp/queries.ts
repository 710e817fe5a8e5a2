import { and, count, eq, isNull } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { backupCodes, totpCredentials, users } from '../../../db/schema'

/** The state of the user's second factor; undefined when there is no such user. */
export async function findStatus(db: Db | Tx, userId: number) {
  const [row] = await db
    .select({
      enabled: users.totpEnabled,
      required: users.mfaRequired,
      confirmedAt: totpCredentials.confirmedAt,
    })
    .from(users)
    .leftJoin(totpCredentials, eq(totpCredentials.userId, users.id))
    .where(eq(users.id, userId))
  return row
}

export type CredentialRow = typeof totpCredentials.$inferSelect

export const findCredential = async (tx: Tx, userId: number): Promise<CredentialRow | undefined> =>
  (await tx.select().from(totpCredentials).where(eq(totpCredentials.userId, userId)))[0]

/** Replaces a pending secret. */
export async function storePending(tx: Tx, userId: number, secret: string, now: Date): Promise<void> {
  const row = { secret, createdAt: now, confirmedAt: null, lastStep: null }
  await tx
    .insert(totpCredentials)
    .values({ userId, ...row })
    .onConflictDoUpdate({ target: totpCredentials.userId, set: row })
}

export async function enable(tx: Tx, userId: number, step: number, now: Date): Promise<void> {
  await tx
    .update(totpCredentials)
    .set({ confirmedAt: now, lastStep: step })
    .where(eq(totpCredentials.userId, userId))
  await tx.update(users).set({ totpEnabled: true, updatedAt: now }).where(eq(users.id, userId))
}

export async function recordStep(tx: Tx, userId: number, step: number): Promise<void> {
  await tx.update(totpCredentials).set({ lastStep: step }).where(eq(totpCredentials.userId, userId))
}

export async function replaceBackupCodes(tx: Tx, userId: number, hashes: readonly string[], now: Date) {
  await tx.delete(backupCodes).where(eq(backupCodes.userId, userId))
  await tx.insert(backupCodes).values(hashes.map((codeHash) => ({ userId, codeHash, createdAt: now })))
}

/** Returns whether the code existed and was unused. */
export async function useBackupCode(tx: Tx, userId: number, codeHash: string, now: Date): Promise<boolean> {
  const used = await tx
    .update(backupCodes)
    .set({ usedAt: now })
    .where(
      and(eq(backupCodes.userId, userId), eq(backupCodes.codeHash, codeHash), isNull(backupCodes.usedAt)),
    )
    .returning({ userId: backupCodes.userId })
  return used.length > 0
}

export async function countBackupCodes(db: Db | Tx, userId: number): Promise<number> {
  const [row] = await db
    .select({ remaining: count() })
    .from(backupCodes)
    .where(and(eq(backupCodes.userId, userId), isNull(backupCodes.usedAt)))
  return row?.remaining ?? 0
}
