import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/client'

/** Ends the epoch of the journal (contract: changes.cursor). */
export const renewEpoch = async (db: Db): Promise<void> => {
  await db.execute(sql`update sync_state set epoch = gen_random_uuid()`)
}

/**
 * Forgets up to `limit` deletions that were noted before the time, and raises the floors of their scopes. Returns how many.
 * Locks the scopes as commits do, by kind and id.
 */
export async function forgetDeletions(tx: Tx, before: Date, limit: number): Promise<number> {
  const forgotten = await tx.execute(sql`
    with old as materialized (
      select scope_kind, scope_id, type, item, seq from sync_changes
      where gone and at < ${before.toISOString()}::timestamptz order by at limit ${limit}
    ), held as materialized (
      select kind, id from sync_scopes where (kind, id) in (select scope_kind, scope_id from old) order by kind, id for update
    ), raised as (
      update sync_scopes set floor = greatest(floor, last.seq)
      from held join (select scope_kind, scope_id, max(seq) as seq from old group by 1, 2) as last
        on (last.scope_kind, last.scope_id) = (held.kind, held.id)
      where (sync_scopes.kind, sync_scopes.id) = (held.kind, held.id)
    )
    delete from sync_changes using old
    where (sync_changes.scope_kind, sync_changes.scope_id, sync_changes.type, sync_changes.item, sync_changes.seq)
      = (old.scope_kind, old.scope_id, old.type, old.item, old.seq)
    returning 1`)
  return forgotten.length
}

/** What the index of ends and of deletions that take something along has. */
const ENDED = sql`gone and type in ('scope', 'calendar', 'address_book', 'todo_list', 'project', 'task')`

/**
 * Forgets up to `limit` scopes that have ended with their user. Returns how many. The notes of ends come first, as they are few, and
 * looking for one in each scope takes longer than a statement may on a large instance.
 */
export async function forgetScopes(tx: Tx, limit: number): Promise<number> {
  const forgotten = await tx.execute(sql`
    with ended as materialized (select scope_kind, scope_id from sync_changes where ${ENDED} and type = 'scope')
    delete from sync_scopes where (kind, id) in (
      select kind, id from ended join sync_scopes on (kind, id) = (scope_kind, scope_id) limit ${limit}
    ) returning 1`)
  return forgotten.length
}

/**
 * Forgets up to `limit` items that went with their user, calendar, address book, list of todos, project or task in the last week. Returns how
 * many. The note of a scope's end goes last, as the others are found by it.
 */
export async function forgetOrphans(tx: Tx, limit: number): Promise<number> {
  const forgotten = await tx.execute(sql`
    with recent as materialized (
      select scope_kind, scope_id, type, item from sync_changes where ${ENDED} and at > now() - interval '7 days'
    ), ended as (
      select scope_kind, scope_id from recent where type = 'scope'
      union select 'c'::"char", item from recent where type = 'calendar' and not exists (select from calendars where id = item)
      union select 'b'::"char", item from recent where type = 'address_book' and not exists (select from address_books where id = item)
      union select 'l'::"char", item from recent where type = 'todo_list' and not exists (select from todo_lists where id = item)
    ), orphans as (
      select noted.scope_kind, noted.scope_id, noted.type, noted.item from sync_changes as noted join ended using (scope_kind, scope_id)
      union all
      select noted.scope_kind, noted.scope_id, noted.type, noted.item from sync_changes as noted
        join (select distinct scope_kind, scope_id from recent where type in ('project', 'task')) as touched
          using (scope_kind, scope_id)
      where noted.type in ('task', 'comment') and case
        when noted.gone then false
        when noted.type = 'task' then not exists (select from project_tasks where id = noted.item)
        else not exists (select from task_comments where id = noted.item)
      end
    )
    delete from sync_changes where (scope_kind, scope_id, type, item) in (
      select scope_kind, scope_id, type, item from orphans order by type = 'scope' limit ${limit}
    ) returning 1`)
  return forgotten.length
}

/** Estimates how many items the journal knows, without counting them. */
export async function estimateSize(db: Db): Promise<number> {
  const [row] = await db.execute<{ items: number }>(
    sql`select greatest(reltuples, 0)::float8 as items from pg_class where oid = 'public.sync_changes'::regclass`,
  )
  return row?.items ?? 0
}

/** Names the database server and its history: another history begins when a backup takes its place. */
export async function readServer(db: Db): Promise<string> {
  const [row] = await db.execute<{ server: string }>(sql`
    select left(md5(concat_ws('.', system_identifier, timeline)), 12) as server
    from pg_control_system(), lateral (
      select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline
    ) as history`)
  if (!row) throw new Error('the server has no name')
  return row.server
}
