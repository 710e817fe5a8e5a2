import { and, eq, gte, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { auditLog, users } from '../../../db/schema'
import { isOlder, newestFirst } from '../../../db/newest-first'
import type { InstantKey } from '../../../lib/wire/page'

/** Deletes up to `limit` entries older than `before`, none younger than the database keeps; returns how many. */
export async function purge(tx: Tx, before: Date, limit: number): Promise<number> {
  const [row] = await tx.execute<{ purged: number }>(
    sql`select public.purge_audit_log(${before.toISOString()}, ${limit}) as purged`,
  )
  return row?.purged ?? 0
}

export interface AuditFilter {
  readonly action: string | undefined
  readonly actorId: number | undefined
  /** Inclusive. */
  readonly from: Date | undefined
  /** Exclusive. */
  readonly to: Date | undefined
  readonly after: InstantKey | undefined
}

/** Newest first, `limit` rows after the key. */
export const list = (db: Db, { action, actorId, from, to, after }: AuditFilter, limit: number) =>
  db
    .select({
      id: auditLog.id,
      action: auditLog.action,
      actorId: auditLog.actorId,
      actorUsername: users.username,
      detail: auditLog.detail,
      ip: auditLog.ip,
      createdAt: auditLog.createdAt,
    })
    .from(auditLog)
    .leftJoin(users, eq(users.id, auditLog.actorId))
    .where(
      and(
        // Makes a condition even when the filter is empty.
        sql`true`,
        action === undefined ? undefined : eq(auditLog.action, action),
        actorId === undefined ? undefined : eq(auditLog.actorId, actorId),
        from && gte(auditLog.createdAt, from),
        to && lt(auditLog.createdAt, to),
        isOlder(auditLog, after),
      ),
    )
    .orderBy(...newestFirst(auditLog))
    .limit(limit)
