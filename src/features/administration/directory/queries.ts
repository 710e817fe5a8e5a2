import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import {
  accessTokens,
  COUNTED_KINDS,
  type CountedKind,
  type Role,
  passkeys,
  sessions,
  tallies,
  users,
} from '../../../db/schema'

const columns = {
  id: users.id,
  username: users.username,
  email: users.email,
  role: users.role,
  isActive: users.isActive,
  lastLoginAt: users.lastLoginAt,
  lockedUntil: users.lockedUntil,
  mfaLockedUntil: users.mfaLockedUntil,
  totpEnabled: users.totpEnabled,
  passwordlessEnabled: users.passwordlessEnabled,
  mfaRequired: users.mfaRequired,
  mfaEnforcePending: users.mfaEnforcePending,
  mustChangePassword: users.mustChangePassword,
  createdAt: users.createdAt,
}

/** The number of the user's records of each kind; kinds without records are missing. */
const counts = sql<Partial<Record<CountedKind, number>>>`(
  select coalesce(jsonb_object_agg(${tallies.kind}, ${tallies.count}), '{}') from ${tallies}
  where ${and(eq(tallies.ownerId, users.id), inArray(tallies.kind, COUNTED_KINDS))}
)`

const item = (db: Db | Tx, now: Date) => ({
  ...columns,
  counts,
  passkeyCount: db.$count(passkeys, eq(passkeys.userId, users.id)),
  tokenCount: db.$count(
    accessTokens,
    and(
      eq(accessTokens.userId, users.id),
      or(isNull(accessTokens.expiresAt), gt(accessTokens.expiresAt, now)),
    ),
  ),
})

export interface UserFilter {
  readonly q: string | undefined
  readonly role: Role | undefined
  readonly isActive: boolean | undefined
}

/** `strpos` takes the text literally: `%` and `_` are no wildcards. */
const contains = (column: typeof users.username | typeof users.email, text: string) =>
  sql`strpos(lower(${column}), lower(${text})) > 0`

const matches = ({ q, role, isActive }: UserFilter) =>
  and(
    // Makes a condition even when the filter is empty.
    sql`true`,
    q === undefined ? undefined : or(contains(users.username, q), contains(users.email, q)),
    role === undefined ? undefined : eq(users.role, role),
    isActive === undefined ? undefined : eq(users.isActive, isActive),
  )

interface Slice {
  readonly now: Date
  /** The last id of the previous page. */
  readonly after: number | undefined
  readonly limit: number
}

export const list = (db: Db, filter: UserFilter, { now, after = 0, limit }: Slice) =>
  db
    .select(item(db, now))
    .from(users)
    .where(and(matches(filter), gt(users.id, after)))
    .orderBy(users.id)
    .limit(limit)

export const count = (db: Db, filter: UserFilter): Promise<number> => db.$count(users, matches(filter))

export type ListedUser = Awaited<ReturnType<typeof list>>[number]

export const find = async (db: Db | Tx, userId: number, now: Date): Promise<ListedUser | undefined> =>
  (await db.select(item(db, now)).from(users).where(eq(users.id, userId)))[0]

export const findDetail = async (db: Db, userId: number, now: Date) => {
  const isLive = and(eq(sessions.userId, users.id), eq(sessions.revoked, false), gt(sessions.expiresAt, now))
  const detail = { user: item(db, now), activeSessions: db.$count(sessions, isLive) }
  return (await db.select(detail).from(users).where(eq(users.id, userId)))[0]
}

/** Ignores case, like the sign-in. */
export const findIdByUsername = async (db: Db, username: string): Promise<number | undefined> =>
  (
    await db
      .select({ id: users.id })
      .from(users)
      .where(eq(sql`lower(${users.username})`, sql`lower(${username})`))
  )[0]?.id
