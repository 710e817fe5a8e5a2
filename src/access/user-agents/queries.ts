import { and, eq, exists, gt, lte, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { deleteSome } from '../../db/batches'
import type { Db, Tx } from '../../db/client'
import { seenUserAgents, sessions } from '../../db/schema'

const { userId: owner, userAgent: agent, lastSeenAt } = seenUserAgents

/** Returns when the user was last seen with this user agent and with any user agent. */
export async function find(tx: Tx, userId: number, userAgent: string) {
  const newest = sql<Date | null>`max(${lastSeenAt})`.mapWith(lastSeenAt)
  const [row] = await tx
    .select({
      newestAt: newest,
      lastSeenAt: sql<Date | null>`max(${lastSeenAt}) filter (where ${agent} = ${userAgent})`.mapWith(
        lastSeenAt,
      ),
    })
    .from(seenUserAgents)
    .where(eq(owner, userId))
  return { newestAt: row?.newestAt ?? null, lastSeenAt: row?.lastSeenAt ?? null }
}

export async function put(tx: Tx, row: typeof seenUserAgents.$inferInsert): Promise<void> {
  await tx
    .insert(seenUserAgents)
    .values(row)
    .onConflictDoUpdate({ target: [owner, agent], set: { lastSeenAt: row.lastSeenAt } })
}

/** Updates when the session's user agent was last seen; inserts it again if it was purged meanwhile. */
export async function touch(db: Db, sessionId: string, now: Date): Promise<void> {
  await db.execute(sql`
    insert into ${seenUserAgents} (user_id, user_agent, last_seen_at)
    select ${sessions.userId}, coalesce(${sessions.userAgent}, ''), ${now.toISOString()}::timestamptz
    from ${sessions} where ${eq(sessions.id, sessionId)}
    on conflict (user_id, user_agent) do update set last_seen_at = excluded.last_seen_at`)
}

const newer = alias(seenUserAgents, 'newer')

/** Deletes up to `limit` user agents last seen at `before` or earlier, except the newest of each user. Returns how many. */
export const purge = (tx: Tx, before: Date, limit: number): Promise<number> => {
  const isFollowed = exists(
    tx
      .select({ one: sql`1` })
      .from(newer)
      .where(and(eq(newer.userId, owner), gt(newer.lastSeenAt, lastSeenAt))),
  )
  const where = sql`${lte(lastSeenAt, before)} and ${isFollowed}`
  return deleteSome(tx, { from: seenUserAgents, key: seenUserAgents.id, where }, limit)
}
