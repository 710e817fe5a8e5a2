import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db, Tx } from './client'

/** Rows per query. */
const PAGE = 500

/** Returns the ids of the rows, ascending. PostgreSQL sends them as one text, so that even a large number takes little memory. */
export async function idsOf(
  db: Db | Tx,
  table: PgTable & { readonly id: AnyPgColumn },
  areMeant: SQL | undefined,
): Promise<number[]> {
  const [row] = await db
    .select({ ids: sql<string | null>`string_agg(${table.id}::text, ',' order by ${table.id})` })
    .from(table)
    .where(areMeant)
  return row?.ids?.split(',').map(Number) ?? []
}

export const pagesOf = (ids: readonly number[]): Array<readonly number[]> =>
  Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, page) => ids.slice(page * PAGE, (page + 1) * PAGE))

/** Reads the rows with these ids, page by page. */
export async function* rowsOf<R>(
  ids: readonly number[],
  read: (some: readonly number[]) => Promise<R[]>,
): AsyncGenerator<R> {
  for (const some of pagesOf(ids)) yield* await read(some)
}
