import { sql } from 'drizzle-orm'
import type { Db } from '../../src/db/client'

/**
 * A statement after which the database of the test says that its server is on this timeline, once nobody else holds the advisory lock
 * `gate`, if one is named.
 */
export const promotion = (timeline: number, gate?: number): string =>
  `create or replace function public.sync_timeline() returns integer language plpgsql as 'begin
    ${gate === undefined ? '' : `perform pg_advisory_xact_lock_shared(${gate});`} return ${timeline}; end'`

/** Has the database of the test say that its server is on this timeline, as after a promotion. */
export const promote = async (db: Db, timeline: number): Promise<void> => {
  await db.execute(sql.raw(promotion(timeline)))
}

/** Takes the last changes of a scope away, as a failover does that lost their commits. */
export async function loseChanges(db: Db, kind: string, id: number, count: number): Promise<void> {
  await db.execute(
    sql`update sync_scopes set seq = seq - ${count} where kind = ${kind}::"char" and id = ${id}`,
  )
  await db.execute(sql`
    delete from sync_changes using sync_scopes
    where kind = scope_kind and id = scope_id and kind = ${kind}::"char" and id = ${id} and sync_changes.seq > sync_scopes.seq`)
}

/** The name of the journal on a timeline, as cursors and sync tokens have had it since the first version. */
export async function nameOnTimeline(db: Db, timeline: number): Promise<string> {
  const [row] = await db.execute<{ name: string }>(sql`
    select replace(epoch::text, '-', '') || '-' || left(md5(system_identifier || '.' || ${timeline.toString(16).toUpperCase().padStart(8, '0')}), 12) as name
    from pg_control_system(), sync_state`)
  if (!row) throw new Error('no journal')
  return row.name
}
