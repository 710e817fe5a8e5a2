import { and, desc, eq, gt, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { sessions, users } from '../../../db/schema'

export async function countAll(db: Db, now: Date) {
  const isLocked = or(gt(users.lockedUntil, now), gt(users.mfaLockedUntil, now))
  const isLive = and(eq(sessions.revoked, false), gt(sessions.expiresAt, now))
  const isOfActive = sql`exists (select 1 from ${users} where ${users.id} = ${sessions.userId} and ${users.isActive})`
  const [counts] = await db
    .select({
      users: db.$count(users),
      activeUsers: db.$count(users, eq(users.isActive, true)),
      admins: db.$count(users, eq(users.role, 'admin')),
      lockedUsers: db.$count(users, isLocked),
      activeSessions: db.$count(sessions, and(isLive, isOfActive)),
    })
    .from(sql`(select 1) as one`)
  if (!counts) throw new Error('counting returned no row')
  return counts
}

/** Lists the newest sessions, including ended ones, newest first. */
export const recentLogins = (db: Db, limit: number) =>
  db
    .select({
      username: users.username,
      createdAt: sessions.createdAt,
      ipAddress: sessions.ipAddress,
      authMethod: sessions.authMethod,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .orderBy(desc(sessions.createdAt), sessions.publicId)
    .limit(limit)
