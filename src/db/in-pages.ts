import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db, Tx } from './client'

/** Rows that are read at a time. */
const PAGE = 500

/** The ids of the rows, ascending, as one text: of however many there are, only some at a time become rows. */
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

/** The rows of these ids, some at a time. */
export async function* rowsOf<R>(
  ids: readonly number[],
  read: (some: readonly number[]) => Promise<R[]>,
): AsyncGenerator<R> {
  for (const some of pagesOf(ids)) yield* await read(some)
}
