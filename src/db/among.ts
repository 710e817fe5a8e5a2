import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Ids as one parameter, however many there are: the statement stays the same. */
export const idArray = (ids: readonly number[]): SQL => sql`${`{${ids.join()}}`}::integer[]`

export const among = (column: SQLWrapper, ids: readonly number[]): SQL =>
  sql`${column} = any(${idArray(ids)})`
