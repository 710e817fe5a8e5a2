import { and, eq, gt, lt, lte, ne, or, sql } from 'drizzle-orm'
import { among, idText } from '../../db/among'
import { deleteSome } from '../../db/batches'
import type { Db, Tx } from '../../db/client'
import { standingFor } from '../../db/journal-standing'
import { prepared } from '../../db/prepared'
import type { Operation } from '../operations/rules'
import { passkeys, sessions, settings, systemConfig, users } from '../../db/schema'

const session = {
  id: sessions.id,
  userId: sessions.userId,
  expiresAt: sessions.expiresAt,
  lastSeenAt: sessions.lastSeenAt,
  isLocked: sessions.isLocked,
  authenticatedAt: sessions.authenticatedAt,
  username: users.username,
  role: users.role,
  isActive: users.isActive,
  mustChangePassword: users.mustChangePassword,
}

/** Placeholders of the prepared statements; `now` is given in ISO 8601. */
const KEY = { id: sql.placeholder('id'), userId: sql.placeholder('userId'), now: sql.placeholder('now') }

const isLive = and(
  eq(sessions.id, KEY.id),
  eq(sessions.userId, KEY.userId),
  eq(sessions.revoked, false),
  gt(sessions.expiresAt, KEY.now),
)

const allowsRegistration = sql<boolean>`coalesce((select ${systemConfig.allowRegistration} from ${systemConfig}), false)`

/** Finds the session if it is neither revoked nor expired, with its user. */
export const findLive = prepared((db) =>
  db
    .select(session)
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(isLive)
    .prepare('sessions_find_live'),
)

/** Like `findLive`, with the user's settings and profile. */
export const findLiveWithOwner = prepared((db) =>
  db
    .select({
      ...session,
      settings,
      profile: { email: users.email, dateOfBirth: users.dateOfBirth, networkName: users.networkName },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(settings, eq(settings.userId, sessions.userId))
    .where(isLive)
    .prepare('sessions_find_live_with_owner'),
)

/** Like `findLive`, with where the journal stands for the user. */
export const findLiveWithStanding = prepared((db) =>
  db
    .select({ ...session, standing: standingFor(KEY.userId, KEY.now) })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(isLive)
    .prepare('sessions_find_live_with_standing'),
)

/** Like `findLive`, with the further fields of the session status. */
export const findLiveWithStatus = prepared((db) =>
  db
    .select({
      ...session,
      passwordlessEnabled: users.passwordlessEnabled,
      passwordHash: users.passwordHash,
      passwordByOperator: users.passwordByOperator,
      passkeyCount: sql<number>`(select count(*)::int from ${passkeys} where ${passkeys.userId} = ${users.id})`,
      registrationOpen: allowsRegistration,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(isLive)
    .prepare('sessions_find_live_with_status'),
)

/** Finds the fields of the session status for a caller without a session. */
export const findAnonymousStatus = prepared((db) =>
  db
    .select({
      hasUsers: sql<boolean>`exists (select 1 from ${users})`,
      registrationOpen: allowsRegistration,
    })
    .from(sql`(select 1) as one`)
    .prepare('sessions_find_anonymous_status'),
)

export const insert = async (tx: Tx, row: typeof sessions.$inferInsert): Promise<void> => {
  await tx.insert(sessions).values(row)
}

export interface Renewal {
  readonly now: Date
  readonly expiresAt: Date
  readonly slidesBefore: Date
  readonly seenBefore: Date
}

/**
 * Updates `last_seen_at` and slides the expiry, each only when it is due, so that of several parallel requests only one
 * writes. Returns the expiry that it wrote, or undefined when nothing was due.
 */
export async function renew(db: Db, id: string, { now, expiresAt, slidesBefore, seenBefore }: Renewal) {
  const slides = lt(sessions.expiresAt, slidesBefore)
  const [row] = await db
    .update(sessions)
    .set({
      lastSeenAt: now,
      expiresAt: sql`case when ${slides} then ${expiresAt.toISOString()}::timestamptz else ${sessions.expiresAt} end`,
    })
    .where(
      and(eq(sessions.id, id), eq(sessions.revoked, false), or(slides, lt(sessions.lastSeenAt, seenBefore))),
    )
    .returning({ expiresAt: sessions.expiresAt })
  return row?.expiresAt
}

/** A session or access token, what it does, and the time at which it must be live. */
interface LiveKey {
  readonly id: string
  readonly userId: number
  readonly operation?: Operation | undefined
  readonly now: Date
}

export type UserRow = typeof users.$inferSelect
export type SettingsRow = typeof settings.$inferSelect

export const lockUser = async (tx: Tx, userId: number): Promise<UserRow | undefined> =>
  (await tx.select().from(users).where(eq(users.id, userId)).for('no key update'))[0]

/** What the transaction is to be noted as; all null for one that is not noted. */
type Noted = Readonly<Record<'operation' | 'name' | 'key' | 'fingerprint', string | null>> & {
  readonly isOpen: boolean
}

const UNNOTED: Noted = { operation: null, name: null, key: null, fingerprint: null, isOpen: false }

const notedAs = (operation: Operation | undefined): Noted =>
  operation
    ? {
        operation: operation.id,
        name: operation.name,
        key: operation.retry?.key ?? null,
        fingerprint: operation.retry?.mark ?? null,
        isOpen: operation.isOpen,
      }
    : UNNOTED

/** Whether the session or token is live at this moment; notes the operation then. */
const BEGINS = sql<boolean>`public.begin_operation(${KEY.id}, ${KEY.userId}, ${KEY.now}, ${sql.placeholder('operation')},
  ${sql.placeholder('name')}, ${sql.placeholder('key')}, ${sql.placeholder('fingerprint')}, ${sql.placeholder('isOpen')})`

/**
 * Locks users by ascending id, so that two transactions about the same users cannot deadlock. Returns them unless the
 * session or token has ended, and notes the operation. Counting the rows first takes all locks; only then does the function look at the session,
 * and it sees its current state, unlike the rest of the statement. The session itself is not locked, so that signing out
 * waits for no writer.
 */
const lockLive = prepared((db) => {
  const held = db.$with('held').as(
    db
      .select()
      .from(users)
      .where(among(users.id, sql.placeholder('userIds')))
      .orderBy(users.id)
      .for('no key update'),
  )
  const areHeld = sql`(select count(*) from ${held}) > 0`
  return db
    .with(held)
    .select()
    .from(held)
    .where(sql`case when ${areHeld} then ${BEGINS} end`)
    .prepare('sessions_lock_live')
})

export const lockUsersOf = (
  tx: Tx,
  { id, userId, operation, now }: LiveKey,
  userIds: readonly number[],
): Promise<UserRow[]> =>
  lockLive(tx).execute({
    id,
    userId,
    now: now.toISOString(),
    userIds: idText(userIds),
    ...notedAs(operation),
  })

/**
 * Keeps the user's row from being deleted. A deletion locks the user before the sessions; to keep that order, every
 * transaction that writes a session and then a row that refers to the user calls this first. Returns their id, or null when they
 * no longer exist.
 */
export const keepUser = async (tx: Tx, userId: number): Promise<number | null> =>
  (await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('key share'))[0]?.id ?? null

const isLiveNow = prepared((db) =>
  db
    .select({ isLive: sql<boolean>`public.credential_is_live(${KEY.id}, ${KEY.userId}, ${KEY.now})` })
    .from(sql`(select 1) as one`)
    .prepare('sessions_is_live_now'),
)

const beginning = prepared((db) =>
  db
    .select({ isLive: BEGINS })
    .from(sql`(select 1) as one`)
    .prepare('sessions_begin_operation'),
)

/** Notes the operation, if the session or token is live at this moment; returns whether it is. */
export async function beginOperation(tx: Tx, { id, userId, operation, now }: LiveKey): Promise<boolean> {
  const [row] = await beginning(tx).execute({ id, userId, now: now.toISOString(), ...notedAs(operation) })
  return row?.isLive === true
}

export async function isAlive(db: Db | Tx, { id, userId, now }: LiveKey): Promise<boolean> {
  const [row] = await isLiveNow(db).execute({ id, userId, now: now.toISOString() })
  return row?.isLive === true
}

/** Returns whether there was an unrevoked session to revoke. */
export async function revoke(tx: Tx, id: string, userId: number): Promise<boolean> {
  const revoked = await tx
    .update(sessions)
    .set({ revoked: true })
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId), eq(sessions.revoked, false)))
    .returning({ id: sessions.id })
  return revoked.length > 0
}

/** Returns whether the session was locked before. */
export async function unlock(tx: Tx, id: string): Promise<boolean> {
  const unlocked = await tx
    .update(sessions)
    .set({ isLocked: false, lockedAt: null })
    .where(and(eq(sessions.id, id), eq(sessions.isLocked, true)))
    .returning({ id: sessions.id })
  return unlocked.length > 0
}

export async function markAuthenticated(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.update(sessions).set({ authenticatedAt: now }).where(eq(sessions.id, id))
}

/** Revokes the user's sessions except `exceptId`. Returns how many of them had not expired. */
export async function revokeAll(tx: Tx, userId: number, now: Date, exceptId?: string): Promise<number> {
  const revoked = await tx
    .update(sessions)
    .set({ revoked: true })
    .where(
      and(
        eq(sessions.userId, userId),
        eq(sessions.revoked, false),
        exceptId === undefined ? undefined : ne(sessions.id, exceptId),
      ),
    )
    .returning({ expiresAt: sessions.expiresAt })
  return revoked.filter(({ expiresAt }) => expiresAt > now).length
}

/** Gives the session a new id and a new expiry. */
export async function rotate(tx: Tx, id: string, renewed: { id: string; expiresAt: Date }): Promise<void> {
  await tx.update(sessions).set(renewed).where(eq(sessions.id, id))
}

/** Deletes up to `limit` expired sessions. Returns how many. */
export const purge = (tx: Tx, now: Date, limit: number): Promise<number> =>
  deleteSome(tx, { from: sessions, key: sessions.id, where: lte(sessions.expiresAt, now) }, limit)
