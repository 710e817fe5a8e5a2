import { and, eq, gt, lte, sql } from 'drizzle-orm'
import { deleteSome } from '../../../db/batches'
import type { Tx } from '../../../db/client'
import type { MfaPurpose } from '../../../db/schema'
import { backupCodes, mfaTokens, totpCredentials, users, webauthnChallenges } from '../../../db/schema'

export const insert = async (tx: Tx, row: typeof mfaTokens.$inferInsert): Promise<void> => {
  await tx.insert(mfaTokens).values(row)
}

export async function deleteExpired(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx.delete(mfaTokens).where(and(eq(mfaTokens.userId, userId), lte(mfaTokens.expiresAt, now)))
}

/** Deletes up to `limit` expired tokens of all users. Returns how many. */
export const purge = (tx: Tx, now: Date, limit: number): Promise<number> =>
  deleteSome(tx, { from: mfaTokens, key: mfaTokens.tokenHash, where: lte(mfaTokens.expiresAt, now) }, limit)

interface Presented {
  readonly tokenHash: string
  readonly purpose: MfaPurpose
  readonly now: Date
}

const isLive = ({ tokenHash, purpose, now }: Presented) =>
  and(eq(mfaTokens.tokenHash, tokenHash), eq(mfaTokens.purpose, purpose), gt(mfaTokens.expiresAt, now))

export type UserRow = typeof users.$inferSelect

/**
 * Locks the user of a live token. Undefined when there is no such token, or it was used up or expired before the lock was
 * granted.
 */
export async function lockUserOf(tx: Tx, presented: Presented) {
  const [token] = await tx.select({ userId: mfaTokens.userId }).from(mfaTokens).where(isLive(presented))
  if (!token) return undefined
  const [user] = await tx.select().from(users).where(eq(users.id, token.userId)).for('no key update')
  const [still] = await tx.select().from(mfaTokens).where(isLive(presented))
  if (!still || !user) return undefined
  const { oidcIssuer: issuer, oidcSubject: subject, oidcSid: sid } = still
  return { user, provider: issuer === null || subject === null ? undefined : { issuer, subject, sid } }
}

export async function countAttempt(tx: Tx, tokenHash: string, maxAttempts: number): Promise<void> {
  await tx
    .update(mfaTokens)
    .set({ attempts: sql`${mfaTokens.attempts} + 1` })
    .where(eq(mfaTokens.tokenHash, tokenHash))
  await tx
    .delete(mfaTokens)
    .where(and(eq(mfaTokens.tokenHash, tokenHash), sql`${mfaTokens.attempts} >= ${maxAttempts}`))
}

interface CodeFailure {
  readonly lockUntil: Date
  readonly maxFailures: number
}

/** Counts a wrong second factor for an account that is not locked; after an expired lock the count restarts at one. */
export async function countFailure(
  tx: Tx,
  userId: number,
  { lockUntil, maxFailures }: CodeFailure,
): Promise<void> {
  const failures = sql`case when ${users.mfaLockedUntil} is null then ${users.failedMfaCount} + 1 else 1 end`
  await tx
    .update(users)
    .set({
      failedMfaCount: failures,
      mfaLockedUntil: sql`case when ${failures} >= ${maxFailures} then ${lockUntil.toISOString()}::timestamptz end`,
    })
    .where(eq(users.id, userId))
}

export async function deleteToken(tx: Tx, tokenHash: string): Promise<void> {
  await tx.delete(mfaTokens).where(eq(mfaTokens.tokenHash, tokenHash))
}

export async function deleteByPurpose(tx: Tx, userId: number, purpose: MfaPurpose): Promise<void> {
  await tx.delete(mfaTokens).where(and(eq(mfaTokens.userId, userId), eq(mfaTokens.purpose, purpose)))
}

/** Also deletes pending challenges of passkeys. */
export async function deleteChallenges(tx: Tx, userId: number): Promise<void> {
  await tx.delete(mfaTokens).where(eq(mfaTokens.userId, userId))
  await tx.delete(webauthnChallenges).where(eq(webauthnChallenges.userId, userId))
}

/** Deletes the authenticator, pending or confirmed, and its backup codes. */
export async function deleteTotp(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx.delete(totpCredentials).where(eq(totpCredentials.userId, userId))
  await tx.delete(backupCodes).where(eq(backupCodes.userId, userId))
  await tx.update(users).set({ totpEnabled: false, updatedAt: now }).where(eq(users.id, userId))
}

/** Resets the count of wrong second factors, but keeps the lock. */
export async function clearCount(tx: Tx, userId: number): Promise<void> {
  await tx.update(users).set({ failedMfaCount: 0 }).where(eq(users.id, userId))
}

export async function clearFailures(tx: Tx, userId: number): Promise<void> {
  await tx.update(users).set({ failedMfaCount: 0, mfaLockedUntil: null }).where(eq(users.id, userId))
}
