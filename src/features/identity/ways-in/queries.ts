import { count, eq } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import { identities, passkeys } from '../../../db/schema'

export async function findWays(tx: Tx, userId: number) {
  const [counted] = await tx.select({ passkeys: count() }).from(passkeys).where(eq(passkeys.userId, userId))
  const rows = await tx
    .select({ issuer: identities.issuer })
    .from(identities)
    .where(eq(identities.userId, userId))
  return { passkeys: counted?.passkeys ?? 0, issuers: rows.map(({ issuer }) => issuer) }
}
