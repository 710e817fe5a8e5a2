import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { isBlockedBetween } from '../../../db/blocked'
import { keyArray, titleOf } from '../../../db/history-images'
import { IN_ORDER, rulesOf, type TableName, type TrashType } from '../../../lib/history-tables'

/** A deletion as the history has it; nothing came after it. */
export interface TrashRow {
  readonly id: number
  readonly table: TableName
  readonly type: TrashType
  readonly key: string
  readonly title: string
  readonly parentId: number | null
  readonly contains: number
  /** ISO 8601. */
  readonly deletedAt: string
  readonly deletedBy: number | null
  readonly operation: string
  readonly ownerId: number
}

interface TrashWanted {
  readonly userId: number
  readonly tables: readonly TableName[]
  /** What was deleted until then is left out. */
  readonly since?: Date | undefined
  /** One entry of the trash. */
  readonly id?: number
  /** The entry after which the page begins. */
  readonly after?: number | undefined
  readonly limit: number
}

const idOf = (column: string) => sql`(trash.before ->> ${sql.raw(`'${column}'`)})::integer`

/** In what the item was. */
const parentOfEntry = sql`case tab
  when 'events' then ${idOf('calendar_id')}
  when 'todos' then ${idOf('list_id')}
  when 'project_tasks' then ${idOf('project_id')}
  when 'task_comments' then ${idOf('task_id')}
  when 'people' then ${idOf('book_id')}
end`

/** The type of an item, by its table. */
const typeOfTable = sql`case tab ${sql.join(
  IN_ORDER.map((table) => sql`when ${table} then ${rulesOf(table).type}`),
  sql` `,
)} end`

/** Whether nothing came after the row of the history: what it deleted has not come back. */
const isLast = sql`not exists (
  select from history as later
  where later.tab = history.tab and later.row_key = history.row_key and later.id > history.id
)`

/** How many events, todos, tasks, comments and people went with the entry. */
const CONTAINS = sql`(case
    when tab = 'calendars' then (
      select count(distinct row_key) from history as part where part.operation = trash.operation and part.tab = 'events'
        and part.before -> 'calendar_id' = trash.before -> 'id')
    when tab = 'todo_lists' then (
      select count(distinct row_key) from history as part where part.operation = trash.operation and part.tab = 'todos'
        and part.before -> 'list_id' = trash.before -> 'id')
    when tab = 'address_books' then (
      select count(distinct row_key) from history as part where part.operation = trash.operation and part.tab = 'people'
        and part.before -> 'book_id' = trash.before -> 'id')
    when tab = 'projects' then (
      with tasks as (
        select distinct row_key from history as part where part.operation = trash.operation and part.tab = 'project_tasks'
          and part.before -> 'project_id' = trash.before -> 'id'
      ) select (select count(*) from tasks) + (
        select count(distinct row_key) from history as part where part.operation = trash.operation and part.tab = 'task_comments'
          and part.before ->> 'task_id' in (select row_key from tasks)))
    when tab = 'project_tasks' then (
      with tasks as (
        select distinct row_key from history as part where part.operation = trash.operation and part.tab = 'project_tasks'
          and part.before -> 'parent_task_id' = trash.before -> 'id'
      ) select (select count(*) from tasks) + (
        select count(distinct row_key) from history as part where part.operation = trash.operation and part.tab = 'task_comments'
          and (part.before -> 'task_id' = trash.before -> 'id' or part.before ->> 'task_id' in (select row_key from tasks))))
    else 0
  end)::integer`

/** Calendars of others in which the user may write. */
const lentTo = (userId: number) => sql`
  select calendars.id, calendars.user_id from calendar_members join calendars on calendars.id = calendar_members.calendar_id
  where calendar_members.user_id = ${userId}::integer and status = 'accepted' and permission = 'write'`

/**
 * What was deleted and has not come back since, newest first: from what the user owns, and by the user from calendars of others in
 * which they may still write.
 */
export async function list(db: Db | Tx, wanted: TrashWanted): Promise<TrashRow[]> {
  const { userId, tables, since, id, after, limit } = wanted
  const kept = since === undefined ? sql`true` : sql`history.at > ${since.toISOString()}::timestamptz`
  const place = after === undefined ? sql`true` : sql`history.id < ${after}::bigint`
  const one = id === undefined ? sql`true` : sql`history.id = ${id}::bigint`
  return db.execute<TrashRow & Record<string, unknown>>(sql`
    select trash.id::float8 as id, trash.tab as table, ${typeOfTable} as type, trash.row_key as key, ${titleOf(sql`trash.before`)} as title,
      ${parentOfEntry} as "parentId",
      ${CONTAINS} as contains,
      to_char(trash.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "deletedAt", case when not ${isBlockedBetween(userId, sql`operations.user_id`)} then operations.user_id end as "deletedBy",
      trash.operation, trash.owner_id as "ownerId"
    from (
      select history.* from history
      where in_trash and owner_id in (select ${userId}::integer union select user_id from (${lentTo(userId)}) as lent)
        and tab = any(${keyArray(tables)}) and ${place} and ${one} and ${kept}
        and (owner_id = ${userId}::integer or (
          tab = 'events' and before ->> 'visibility' = 'public' and (before ->> 'calendar_id')::integer in (select id from (${lentTo(userId)}) as lent)
          and exists (select from operations where operations.id = history.operation and operations.user_id = ${userId}::integer)
        ))
        and ${isLast}
      order by history.id desc limit ${limit}::integer
    ) as trash left join operations on operations.id = trash.operation
    order by trash.id desc`)
}

/** What deleting an entry for good needs to know of it. */
export type TrashEntry = Pick<TrashRow, 'table' | 'key' | 'operation'>

/** The newest entries of what the user owned, with all others that the same operations put there. */
export async function ownEntries(
  tx: Tx,
  { userId, tables, limit }: Pick<TrashWanted, 'userId' | 'tables' | 'limit'>,
): Promise<TrashEntry[]> {
  const isOwn = sql`in_trash and owner_id = ${userId}::integer and tab = any(${keyArray(tables)}) and ${isLast}`
  return tx.execute<TrashEntry & Record<string, unknown>>(sql`
    with newest as materialized (select operation from history where ${isOwn} order by id desc limit ${limit}::integer)
    select tab as table, row_key as key, operation from history
    where operation in (select operation from newest) and ${isOwn}`)
}
