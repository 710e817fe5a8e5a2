import { type SQL, sql } from 'drizzle-orm'
import { idArray } from '../../../db/among'
import type { Db, Tx } from '../../../db/client'
import { columnNamed, equalsImage, hasKey, keyArray, tableNamed, titleOf } from '../../../db/history-images'
import type { TouchedRow } from './rules'
import { IN_ORDER, rulesOf, type TableName, tableOf, type TrashType } from '../../../lib/history-tables'

/** The tables that the operation has touched, parents first. */
export async function tablesTouched(tx: Tx, operation: string): Promise<TableName[]> {
  const rows = await tx.execute<{ tab: string }>(
    sql`select distinct tab from history where operation = ${operation}::uuid`,
  )
  const found = new Set(rows.map(({ tab }) => tab))
  return IN_ORDER.filter((table) => found.has(table))
}

/** The image's and the row's value of a column, where the table has a reference at that place. */
function referenceAt(table: TableName, place: number) {
  const column = rulesOf(table).within?.[place]?.column
  if (column === undefined) return { was: sql`null::integer`, is: sql`null::integer` }
  return { was: sql`(first.before ->> ${column}::text)::integer`, is: columnNamed('now_there', column) }
}

const TIMES = [
  ['start_at', 'timestamptz'],
  ['end_at', 'timestamptz'],
  ['start_date', 'date'],
  ['end_date', 'date'],
  ['recurrence_rule', 'text'],
] as const

/** Whether an event that is there has other times than in its image. */
function isMoved(table: TableName) {
  if (table !== 'events') return sql`false`
  const differ = TIMES.map(
    ([column, type]) =>
      sql`${columnNamed('now_there', column)} is distinct from (first.before ->> ${column}::text)::${sql.raw(type)}`,
  )
  return sql`(now_there.id is not null and first.before is not null and (${sql.join(differ, sql` or `)}))`
}

/** Rows with these keys, and those in records with these ids. */
export interface Among {
  readonly keys: readonly string[]
  readonly within: ReadonlyArray<{ readonly column: string; readonly ids: readonly string[] }>
}

const isAmong = ({ keys, within }: Among): SQL =>
  sql.join(
    [
      sql`row_key = any(${keyArray(keys)})`,
      ...within.map(
        ({ column, ids }) => sql`before ->> ${column}::text in (select unnest(${keyArray(ids)}))`,
      ),
    ],
    sql` or `,
  )

/**
 * The rows of a table that the operation has touched, or those among them. What a row was before is in its first image of the operation, and what the
 * operation made of it is in the next image of another one, or is there now.
 */
export async function rowsTouched(
  tx: Tx,
  operation: string,
  table: TableName,
  among?: Among,
): Promise<TouchedRow[]> {
  const [parent, under] = [referenceAt(table, 0), referenceAt(table, 1)]
  const isThere = sql`${columnNamed('now_there', rulesOf(table).key[0] ?? 'id')} is not null`
  const rows = await tx.execute<Omit<TouchedRow, 'table'> & Record<string, unknown>>(sql`
    with touched as materialized (
      select row_key, min(id) as first_id, max(id) as last_id from history
      where operation = ${operation}::uuid and tab = ${table} and (${among ? isAmong(among) : sql`true`}) group by row_key
    )
    select touched.row_key as key, touched.first_id::float8 as "historyId", first.before is not null as was, ${isThere} as is,
      case
        when next.id is null then true
        when next.before is null or not (${isThere}) then next.before is null and not (${isThere})
        else ${equalsImage(table, 'now_there', sql`next.before`)}
      end as "isUnchanged",
      ${parent.was} as "wasIn", ${parent.is} as "isIn", ${under.was} as "wasUnder", ${isMoved(table)} as "isMoved"
    from touched join history as first on first.id = touched.first_id
      left join lateral (
        select id, before from history as later
        where later.tab = ${table} and later.row_key = touched.row_key and later.id > touched.last_id order by later.id limit 1
      ) as next on true
      left join ${tableNamed(table)} as now_there on ${hasKey(table, 'now_there', sql`touched.row_key`)}
    order by touched.first_id`)
  return rows.map((row) => ({ ...row, table }))
}

/**
 * The users to whom the rows belong that the operation has touched; but for invitations, which their guests change, too, with the
 * calendar in which they see them.
 */
export async function ownersOf(tx: Tx, operation: string): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(sql`
    select owner_id as id from history where operation = ${operation}::uuid and owner_id is not null
      and tab not in ('event_invitations', 'occurrence_responses')
    union select later.owner_id from history
      join history as later on later.tab = 'events' and later.row_key = history.row_key and later.id > history.id
      where history.operation = ${operation}::uuid and history.tab = 'events' and later.owner_id is not null
    union select calendars.user_id from history join events on events.id = history.row_key::integer
      join calendars on calendars.id = events.calendar_id
      where history.operation = ${operation}::uuid and history.tab = 'events'
    order by id`)
  return rows.map(({ id }) => id)
}

/** Whether one of the events is private and in a calendar of somebody else. */
export async function areOthersPrivate(
  tx: Tx,
  userId: number,
  eventIds: readonly number[],
): Promise<boolean> {
  const rows = await tx.execute(sql`
    select from events join calendars on calendars.id = calendar_id
    where events.id = any(${idArray(eventIds)}) and visibility = 'private' and calendars.user_id <> ${userId}::integer limit 1`)
  return rows.length > 0
}

/** Whether the change also changed what identifies the user to others. */
export async function isRenaming(tx: Tx, operation: string): Promise<boolean> {
  const rows = await tx.execute(sql`
    select from history where operation = ${operation}::uuid and tab = 'users' and before -> 'is_renamed' = 'true'::jsonb limit 1`)
  return rows.length > 0
}

/** Rows that one operation has touched, and another has not. */
export async function strayRows(tx: Tx, made: string, undone: string) {
  const rows = await tx.execute<{ table: TableName; key: string; wasIn: number | null }>(sql`
    select distinct tab as table, row_key as key, coalesce(before ->> 'event_id', before ->> 'book_id')::integer as "wasIn" from history as one
    where operation = ${made}::uuid and not exists (
      select from history as other
      where other.operation = ${undone}::uuid and other.tab = one.tab and other.row_key = one.row_key
    ) limit 100`)
  return rows.map((row) => ({ ...row, isIn: null }))
}

/**
 * What the items are called, or were when they were there last; with an operation, what they were called before it or by it, which
 * is all that somebody who may no longer read them knows.
 */
export async function titlesOf(
  db: Db | Tx,
  items: ReadonlyArray<{ readonly type: TrashType; readonly id: number }>,
  operation?: string,
): Promise<ReadonlyMap<string, string>> {
  const byType = Map.groupBy(items, ({ type }) => type)
  const titles = new Map<string, string>()
  for (const [type, wanted] of byType) {
    const table = tableOf(type)
    const rows = await db.execute<{ key: string; title: string }>(sql`
      select wanted.key, coalesce(
        ${
          operation === undefined
            ? sql`null`
            : sql`(select ${titleOf(sql`before`)} from history where tab = ${table} and row_key = wanted.key and before is not null
                and id >= (select min(id) from history as one where one.operation = ${operation}::uuid and one.tab = ${table}
                  and one.row_key = wanted.key) order by id limit 1), ''`
        },
        (select ${titleOf(sql`to_jsonb(there)`)} from ${tableNamed(table)} as there where ${hasKey(table, 'there', sql`wanted.key`)}),
        (select ${titleOf(sql`before`)} from history where tab = ${table} and row_key = wanted.key and before is not null
          order by id desc limit 1), ''
      ) as title
      from unnest(${keyArray(wanted.map(({ id }) => String(id)))}) as wanted (key)`)
    for (const { key, title } of rows) titles.set(`${type} ${key}`, title)
  }
  return titles
}
