import { and, eq, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { deleteSome } from '../../../db/batches'
import type { Db, Tx } from '../../../db/client'
import { mfaTokens, oidcBegins, sessions, users } from '../../../db/schema'
import type { SignedOut } from '../../../lib/ports/identity-provider'

export type BeginRow = typeof oidcBegins.$inferSelect

export const insertBegin = async (tx: Tx, row: BeginRow): Promise<void> => {
  await tx.insert(oidcBegins).values(row)
}

/**
 * Reads and deletes what one browser began in one statement, so that only one of several parallel requests gets it, and another
 * browser leaves it alone.
 */
export const takeBegin = async (
  db: Db,
  stateHash: string,
  browserHash: string,
): Promise<BeginRow | undefined> =>
  (
    await db
      .delete(oidcBegins)
      .where(and(eq(oidcBegins.stateHash, stateHash), eq(oidcBegins.browserHash, browserHash)))
      .returning()
  )[0]

/** Deletes up to `limit` of what has expired. Returns how many. */
export const purge = (tx: Tx, now: Date, limit: number): Promise<number> =>
  deleteSome(
    tx,
    { from: oidcBegins, key: oidcBegins.stateHash, where: lte(oidcBegins.expiresAt, now) },
    limit,
  )

export const recordLogin = async (tx: Tx, id: number, now: Date): Promise<void> => {
  await tx.update(users).set({ lastLoginAt: now }).where(eq(users.id, id))
}

/** Which of the names, in lower case, are somebody's username or network name. */
export async function takenNames(tx: Tx, names: readonly string[]): Promise<Set<string>> {
  const username = sql<string>`lower(${users.username})`
  const taken = await tx
    .select({ username, networkName: users.networkName })
    .from(users)
    .where(or(inArray(username, [...names]), inArray(users.networkName, [...names])))
  return new Set(taken.flatMap((row) => [row.username, row.networkName]))
}

export const isEmailTaken = async (tx: Tx, email: string): Promise<boolean> =>
  (
    await tx
      .select({ id: users.id })
      .from(users)
      .where(eq(sql`lower(${users.email})`, sql`lower(${email})`))
      .limit(1)
  ).length > 0

/** What came from a session at the provider; of a subject also what names no session. */
function cameFrom(
  columns: Readonly<Record<'oidcIssuer' | 'oidcSubject' | 'oidcSid', AnyPgColumn>>,
  { issuer, subject, sid }: SignedOut,
): SQL | undefined {
  const isSubject = subject === null ? undefined : eq(columns.oidcSubject, subject)
  const isSession =
    sid === null
      ? isSubject
      : or(eq(columns.oidcSid, sid), isSubject && and(isNull(columns.oidcSid), isSubject))
  return and(eq(columns.oidcIssuer, issuer), isSession)
}

/** The users with sessions, or with sign-ins under way, that came from there. */
export async function findUsers(db: Db, from: SignedOut): Promise<number[]> {
  // A sign-in under way may become a session between the two, never the other way round.
  const ofTokens = await db
    .selectDistinct({ userId: mfaTokens.userId })
    .from(mfaTokens)
    .where(cameFrom(mfaTokens, from))
  const ofSessions = await db
    .selectDistinct({ userId: sessions.userId })
    .from(sessions)
    .where(and(cameFrom(sessions, from), eq(sessions.revoked, false)))
  return [...new Set([...ofSessions, ...ofTokens].map(({ userId }) => userId))]
}

/** Ends the user's sessions, and sign-ins under way, that came from there. Returns how many sessions. */
export async function endSessions(tx: Tx, userId: number, from: SignedOut): Promise<number> {
  await tx.delete(mfaTokens).where(and(eq(mfaTokens.userId, userId), cameFrom(mfaTokens, from)))
  const ended = await tx
    .update(sessions)
    .set({ revoked: true })
    .where(and(eq(sessions.userId, userId), cameFrom(sessions, from), eq(sessions.revoked, false)))
    .returning({ id: sessions.id })
  return ended.length
}
