import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import { bigints, columnNamed, tableNamed } from '../../../db/history-images'
import { isReplaceable, rulesOf, type TableName } from '../../../lib/history-tables'

/** What rows that come back would share with others, though it is unique. */

/** The rows of the history with the images, and the ids of all rows that the undo touches. */
export interface Returning {
  readonly table: TableName
  readonly historyIds: readonly number[]
  readonly touchedIds: readonly number[]
}

const ids = (numbers: readonly number[]): SQL => sql`${`{${numbers.join()}}`}::integer[]`

/** The images as rows. */
const rowsOf = ({ table, historyIds }: Returning) => sql`
  (select history.id as history_id, image.* from history
    cross join lateral jsonb_populate_record(null::${tableNamed(table)}, history.before) as image
    where history.id = any(${bigints(historyIds)})) as image`

/** Compares so that an index can be used; only subtasks have a parent. */
export const equal = (one: SQL, other: SQL, column: string): SQL =>
  column === 'parent_task_id'
    ? sql`(${one} = ${other} or (${one} is null and ${other} is null))`
    : sql`${one} = ${other}`

const same = (columns: readonly string[], other: string): SQL =>
  sql.join(
    columns.map((column) => equal(columnNamed(other, column), columnNamed('image', column), column)),
    sql` and `,
  )

/** The names among the images that another row of the user has. */
export async function takenNames(tx: Tx, returning: Returning) {
  const { table, touchedIds } = returning
  return tx.execute<{ historyId: number; userId: number; name: string }>(sql`
    select image.history_id::float8 as "historyId", image.user_id as "userId", image.name from ${rowsOf(returning)}
    where exists (
      select from ${tableNamed(table)} as other
      where other.user_id = image.user_id and other.name = image.name and other.id <> all(${ids(touchedIds)}))`)
}

/** The names of the user's rows that begin like this one. */
export async function namesLike(tx: Tx, table: TableName, userId: number, name: string): Promise<string[]> {
  const rows = await tx.execute<{ name: string }>(sql`
    select name from ${tableNamed(table)} where user_id = ${userId}::integer and starts_with(name, ${name})`)
  return rows.map((row) => row.name)
}

/** Where an image comes back: in what it was, or in the default one where that is gone. */
function homeOf(table: TableName, column: string): SQL {
  const former = sql`(history.before ->> ${column}::text)::integer`
  const parent = rulesOf(table).within?.find((reference) => reference.column === column)?.to
  if (parent === undefined || !isReplaceable(parent)) return former
  return sql`coalesce(
    (select home.id from ${tableNamed(parent)} as home where home.id = ${former}),
    (select home.id from ${tableNamed(parent)} as home
      where home.user_id = (history.before ->> 'user_id')::integer and home.is_default))`
}

/** Whether another row is known to other programs by the same identifier. */
export async function isUidTaken(tx: Tx, { table, historyIds, touchedIds }: Returning): Promise<boolean> {
  const [within = 'user_id', identifier = 'uid'] = rulesOf(table).uid ?? []
  const rows = await tx.execute(sql`
    select from history join ${tableNamed(table)} as other
      on ${columnNamed('other', within)} = ${homeOf(table, within)}
        and ${columnNamed('other', identifier)} = history.before ->> ${identifier}::text
    where history.id = any(${bigints(historyIds)}) and other.id <> all(${ids(touchedIds)}) limit 1`)
  return rows.length > 0
}

/** The places among the images that another row has, with the next rank that nobody has or gets; null at the end. */
export async function takenRanks(tx: Tx, returning: Returning) {
  const { table, touchedIds } = returning
  const { list = [] } = rulesOf(table)
  const others = sql`${tableNamed(table)} as other`
  const isOther = sql`other.id <> all(${ids(touchedIds)})`
  return tx.execute<{ historyId: number; rank: string; next: string | null }>(sql`
    select image.history_id::float8 as "historyId", image.rank::text, (
      select min(later.rank)::text from (
        select other.rank from ${others} where ${same(list, 'other')} and ${isOther}
        union all select also.rank from ${sql`(select image.* from history
          cross join lateral jsonb_populate_record(null::${tableNamed(table)}, history.before) as image
          where history.id = any(${bigints(returning.historyIds)})) as also`} where ${same(list, 'also')}
      ) as later where later.rank > image.rank
    ) as next
    from ${rowsOf(returning)}
    where exists (select from ${others} where ${same(list, 'other')} and other.rank = image.rank and ${isOther})`)
}

/** Those of the ids that no row of the table has. */
export async function missingIds(tx: Tx, table: TableName, wanted: readonly number[]): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(sql`
    select wanted.id from unnest(${ids(wanted)}) as wanted (id)
    where not exists (select from ${tableNamed(table)} as there where there.id = wanted.id)`)
  return rows.map(({ id }) => id)
}

/** Those of the ids whose rows are in the trash. */
export async function idsInTrash(tx: Tx, table: TableName, wanted: readonly number[]): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(sql`
    select row_key::integer as id from history
    where in_trash and tab = ${table} and row_key = any(${ids(wanted)}::text[]) and not exists (
      select from history as later where later.tab = history.tab and later.row_key = history.row_key and later.id > history.id
    )`)
  return rows.map(({ id }) => id)
}

/** Whether one of these calendars is shared or published. */
export async function areShared(tx: Tx, calendarIds: readonly number[]): Promise<boolean> {
  const rows = await tx.execute(sql`
    select from calendar_members where calendar_id = any(${ids(calendarIds)})
    union all select from calendar_feeds where calendar_id = any(${ids(calendarIds)}) limit 1`)
  return rows.length > 0
}
