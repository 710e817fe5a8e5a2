import { desc, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { InstantKey } from '../lib/wire/page'

interface DatedColumns {
  readonly createdAt: AnyPgColumn
  readonly id: AnyPgColumn
}

/** Sorts newest first, then by id. */
export const newestFirst = ({ createdAt, id }: DatedColumns): [SQL, SQL] => [desc(createdAt), desc(id)]

/** The rows after the key in that order. */
export const isOlder = ({ createdAt, id }: DatedColumns, after: InstantKey | undefined): SQL | undefined =>
  after && sql`(${createdAt}, ${id}) < (${after[0]}::timestamptz, ${after[1]}::integer)`
