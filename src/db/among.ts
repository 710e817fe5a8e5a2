import { is, Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Ids as the text of a PostgreSQL array. */
export const idText = (ids: readonly number[]): string => `{${ids.join()}}`

/** Ids as a single parameter, so that the statement is the same for any number of ids. Fill a placeholder with `idText`. */
export const idArray = (ids: readonly number[] | Placeholder): SQL =>
  sql`${isPlaceholder(ids) ? ids : idText(ids)}::integer[]`

export const among = (column: SQLWrapper, ids: readonly number[] | Placeholder): SQL =>
  sql`${column} = any(${idArray(ids)})`

const isPlaceholder = (ids: readonly number[] | Placeholder): ids is Placeholder => is(ids, Placeholder)
