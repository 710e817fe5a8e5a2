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

/**
 * Merges switches that were noted before the time into the last of them, in up to `limit` scopes: whoever knows only what was before
 * it begins again where any of them would have had it. Returns how many scopes.
 */
export async function mergeSwitches(tx: Tx, before: Date, limit: number): Promise<number> {
  const merged = await tx.execute(sql`
    with old as materialized (
      select kind, id, max(timeline) as last, min(seq) as seq from sync_switches
      where at < ${before.toISOString()}::timestamptz group by kind, id having count(*) > 1 limit ${limit}
    ), forgotten as (
      delete from sync_switches using old
      where (sync_switches.kind, sync_switches.id) = (old.kind, old.id) and timeline < last
    )
    update sync_switches set seq = old.seq from old
    where (sync_switches.kind, sync_switches.id, timeline) = (old.kind, old.id, last) returning 1`)
  return merged.length
}

/** What the index of ends and of deletions that take something along has. */
const ENDED = sql`gone and type in ('scope', 'calendar', 'address_book', 'todo_list', 'project', 'task')`

/**
 * Forgets up to `limit` scopes that have ended with their user. Returns how many. The notes of ends come first, as they are few, and
 * looking for one in each scope takes longer than a statement may on a large instance.
 */
export async function forgetScopes(tx: Tx, limit: number): Promise<number> {
  const forgotten = await tx.execute(sql`
    with ended as materialized (
      select scope_kind, scope_id from sync_changes where ${ENDED} and type = 'scope'
    ), forgotten as (
      delete from sync_scopes where (kind, id) in (
        select kind, id from ended join sync_scopes on (kind, id) = (scope_kind, scope_id) limit ${limit}
      ) returning kind, id
    ), switches as (
      delete from sync_switches where (kind, id) in (select kind, id from forgotten)
    )
    select 1 from forgotten`)
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

/** Names the database server on each of its timelines, and on all up to `timeline`: another server has other names. */
export async function readBranches(db: Db, timeline: number): Promise<readonly string[]> {
  const [row] = await db.execute<{ branches: string }>(sql`
    select string_agg(
      left(md5(concat_ws('.', system_identifier, lpad(upper(to_hex(timeline)), 8, '0'))), 12), ',' order by timeline
    ) as branches
    from pg_control_system(), generate_series(1, greatest(public.sync_timeline(), ${timeline}::integer)) as timeline`)
  if (!row) throw new Error('the server has no name')
  return row.branches.split(',')
}
