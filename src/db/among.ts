import { is, Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Ids as PostgreSQL writes an array of them. */
export const idText = (ids: readonly number[]): string => `{${ids.join()}}`

/** Ids as one parameter, however many there are: the statement stays the same. A placeholder is given their `idText`. */
export const idArray = (ids: readonly number[] | Placeholder): SQL =>
  sql`${isPlaceholder(ids) ? ids : idText(ids)}::integer[]`

export const among = (column: SQLWrapper, ids: readonly number[] | Placeholder): SQL =>
  sql`${column} = any(${idArray(ids)})`

const isPlaceholder = (ids: readonly number[] | Placeholder): ids is Placeholder => is(ids, Placeholder)
