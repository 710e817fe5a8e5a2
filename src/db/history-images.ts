import { type SQL, sql } from 'drizzle-orm'
import { idText } from './among'
import { rulesOf, type TableName } from '../lib/history-tables'

/** Parts of statements about rows of any table of which history is kept. */

export const tableNamed = (table: TableName): SQL => sql`${sql.identifier(table)}`
export const columnNamed = (alias: string, column: string): SQL =>
  sql`${sql.identifier(alias)}.${sql.identifier(column)}`

export const bigints = (ids: readonly number[]): SQL => sql`${idText(ids)}::bigint[]`

/** Keys as one parameter. */
export const keyArray = (keys: readonly string[]): SQL =>
  sql`array(select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))`

const TYPES_OF_KEYS: Readonly<Record<string, string>> = { occurrence_start: 'timestamp', start: 'timestamp' }

/** Whether the row `alias` has the key, which `row_key` of the history writes. */
export function hasKey(table: TableName, alias: string, rowKey: SQL): SQL {
  const { key } = rulesOf(table)
  const parts = key.map((column, index) => {
    const text = key.length === 1 ? rowKey : sql`split_part(${rowKey}, '/', ${sql.raw(String(index + 1))})`
    return sql`${columnNamed(alias, column)} = ${text}::${sql.raw(TYPES_OF_KEYS[column] ?? 'integer')}`
  })
  return sql.join(parts, sql` and `)
}

/** The image of the row `alias` as the history would keep it. */
const imageOf = (table: TableName, row: SQL): SQL =>
  table === 'users'
    ? sql`jsonb_build_object('date_of_birth', to_jsonb(${row}) -> 'date_of_birth')`
    : sql`public.history_image(to_jsonb(${row})) - 'version' - 'updated_at'`

/** Whether the row `alias`, which is there, equals the image but for its version and the time of its last change. */
export const equalsImage = (table: TableName, alias: string, image: SQL): SQL =>
  sql`(${imageOf(table, sql`${sql.identifier(alias)}`)}) = (${imageOf(
    table,
    sql`jsonb_populate_record(null::${tableNamed(table)}, ${image})`,
  )})`

/** What a reader knows an item by, from an image of its row. */
export const titleOf = (image: SQL): SQL<string> =>
  sql<string>`coalesce(${image} ->> 'title', ${image} ->> 'name', left(${image} ->> 'body', 100),
    nullif(concat_ws(' ', ${image} ->> 'first_name', ${image} ->> 'last_name'), ''), ${image} ->> 'nickname', '')`
