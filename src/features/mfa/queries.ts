import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/client'
import { backupCodes, mfaTokens, totpCredentials, users, webauthnChallenges } from '../../db/schema'

export const insert = async (tx: Tx, row: typeof mfaTokens.$inferInsert): Promise<void> => {
  await tx.insert(mfaTokens).values(row)
}

/** Also the challenges of passkeys: they are under way just as well. */
export async function deleteChallenges(tx: Tx, userId: number): Promise<void> {
  await tx.delete(mfaTokens).where(eq(mfaTokens.userId, userId))
  await tx.delete(webauthnChallenges).where(eq(webauthnChallenges.userId, userId))
}

/** The authenticator, pending or confirmed, and the backup codes that came with it. */
export async function deleteTotp(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx.delete(totpCredentials).where(eq(totpCredentials.userId, userId))
  await tx.delete(backupCodes).where(eq(backupCodes.userId, userId))
  await tx.update(users).set({ totpEnabled: false, updatedAt: now }).where(eq(users.id, userId))
}

/** Ends the lock by wrong second factors, and their count. */
export async function clearFailures(tx: Tx, userId: number): Promise<void> {
  await tx.update(users).set({ failedMfaCount: 0, mfaLockedUntil: null }).where(eq(users.id, userId))
}
