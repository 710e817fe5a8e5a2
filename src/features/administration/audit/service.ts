import { inBatches, type IsStopping } from '../../../db/batches'
import type { Deps, ReadDeps } from '../../../deps'
import { instantKey, isInstantKey, readPage, toPage } from '../../../lib/wire/page'
import { addDays, formatInstant, parseDateTime } from '../../../lib/time/time'
import type { AuditPage, AuditQuery } from './model'
import * as q from './queries'

/**
 * Deletes entries older than `AUDIT_RETENTION_DAYS`; no others are ever deleted (contract: audit.retention). Returns how
 * many.
 */
export const purgeAuditLog = (
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  isStopping?: IsStopping,
): Promise<number> =>
  inBatches(
    db,
    (tx, limit) => q.purge(tx, addDays(clock.now(), -config.auditRetentionDays), limit),
    isStopping,
  )

/** Lists the audit log, newest first. @throws {AppError} 422 for a cursor of another list. */
export async function listAuditLog({ db, config }: ReadDeps, query: AuditQuery): Promise<AuditPage> {
  const zone = config.timeZone
  const { limit, after } = readPage(query, isInstantKey)
  const filter = {
    action: query.action,
    actorId: query.actor_id,
    from: query.from === undefined ? undefined : parseDateTime(zone, query.from),
    to: query.to === undefined ? undefined : parseDateTime(zone, query.to),
    after,
  }
  const rows = await q.list(db, filter, limit + 1)
  const { page, next_cursor } = toPage(rows, limit, instantKey)
  const entries = page.map(({ id, action, actorId, actorUsername, detail, ip, createdAt }) => ({
    id,
    action,
    actor_id: actorId,
    actor_username: actorUsername,
    detail,
    ip,
    created_at: formatInstant(zone, createdAt),
  }))
  return { entries, next_cursor }
}
