import { and, eq, lt, lte } from 'drizzle-orm'
import { deleteSome } from '../../../db/batches'
import type { Db, Tx } from '../../../db/client'
import { passkeys, users, webauthnChallenges } from '../../../db/schema'
import type { CredentialState } from '../../../lib/ports/webauthn'

export type ChallengeRow = typeof webauthnChallenges.$inferSelect

export const insertChallenge = async (tx: Tx, row: ChallengeRow): Promise<void> => {
  await tx.insert(webauthnChallenges).values(row)
}

/** Reads and deletes the challenge in one statement, so that only one of several parallel requests gets it. */
export const takeChallenge = async (db: Db, challengeHash: string): Promise<ChallengeRow | undefined> =>
  (
    await db.delete(webauthnChallenges).where(eq(webauthnChallenges.challengeHash, challengeHash)).returning()
  )[0]

export const deleteExpired = (tx: Tx, now: Date, limit: number): Promise<number> =>
  deleteSome(
    tx,
    {
      from: webauthnChallenges,
      key: webauthnChallenges.challengeHash,
      where: lte(webauthnChallenges.expiresAt, now),
    },
    limit,
  )

/** In order of registration. */
export const listDescriptors = (tx: Tx, userId: number) =>
  tx
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(passkeys.id)

export const findCredential = async (db: Db, credentialId: string) =>
  (
    await db
      .select({
        id: passkeys.id,
        userId: passkeys.userId,
        publicKey: passkeys.publicKey,
        deviceType: passkeys.deviceType,
        userHandle: users.webauthnHandle,
      })
      .from(passkeys)
      .innerJoin(users, eq(users.id, passkeys.userId))
      .where(eq(passkeys.credentialId, credentialId))
  )[0]

interface Owned {
  readonly id: number
  readonly userId: number
}

const isOwn = ({ id, userId }: Owned) => and(eq(passkeys.id, id), eq(passkeys.userId, userId))

/** Returns whether the sign count has increased, or stays at the zero of an authenticator that does not count. */
export async function advance(
  tx: Tx,
  owned: Owned,
  { signCount, isBackedUp }: CredentialState,
  now: Date,
): Promise<boolean> {
  const isBehind = signCount === 0 ? eq(passkeys.signCount, 0) : lt(passkeys.signCount, signCount)
  const advanced = await tx
    .update(passkeys)
    .set({ signCount, backedUp: isBackedUp, lastUsedAt: now })
    .where(and(isOwn(owned), isBehind))
    .returning({ id: passkeys.id })
  return advanced.length > 0
}

export const findName = async (tx: Tx, owned: Owned): Promise<string | undefined> =>
  (await tx.select({ name: passkeys.name }).from(passkeys).where(isOwn(owned)))[0]?.name
