import {
  and,
  desc,
  eq,
  getTableColumns,
  getTableName,
  gt,
  inArray,
  isNull,
  lt,
  not,
  or,
  sql,
} from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { isBlockedBetween } from '../../db/blocked'
import type { Db } from '../../db/client'
import { history, operations, users } from '../../db/schema'
import { type Step, stepsFor, type VersionKey } from './rules'

/** A table, and those of its columns that are shown; by default all. */
export interface VersionedTable {
  readonly table: PgTable
  readonly columns?: Readonly<Record<string, PgColumn>>
}

/** A record, and the place in its history after which to look. */
export interface VersionPlace {
  readonly table: PgTable
  readonly id: number
  /** The version that came after, and the entry of the history that has it. */
  readonly after: VersionKey
  /** What was kept until then is not shown. */
  readonly since: Date
  /** Whoever reads: users with whom they have a block are nobody to them. */
  readonly readerId: number
  readonly limit: number
}

/** The entries of the record before the place, newest first, each with the versions before and after it. */
function entriesOf(db: Db, { table, id, since, after: [version, entry] }: VersionPlace) {
  const replaced = sql<number | null>`(${history.before} ->> 'version')::integer`
  return db
    .select({
      id: history.id,
      at: history.at,
      operation: history.operation,
      before: history.before,
      version: replaced.as('version'),
      next: sql<
        number | null
      >`lag(${replaced}, 1, ${version}::integer) over (order by ${history.id} desc)`.as('next'),
    })
    .from(history)
    .where(
      and(
        eq(history.tab, getTableName(table)),
        eq(history.rowKey, String(id)),
        lt(history.id, entry),
        gt(history.at, since),
        // A change since the record was read is not to be seen.
        or(isNull(history.before), sql`${replaced} <= ${version}`),
      ),
    )
    .as('entries')
}

/**
 * The entries that changed the version of the record, newest first, with what they replaced. The index gives the entries in this
 * order, so that no more are read than the page needs.
 */
export function steps(db: Db, place: VersionPlace): Promise<Step[]> {
  const entries = entriesOf(db, place)
  const found = db
    .select({
      id: entries.id,
      at: entries.at,
      operation: entries.operation,
      version: entries.version,
      bytes: sql<number>`coalesce(octet_length((${entries.before} - 'vcard_kept')::text), 0)`.as('bytes'),
    })
    .from(entries)
    .where(sql`${entries.version} is distinct from ${entries.next}`)
    .orderBy(desc(entries.id))
    .limit(stepsFor(place.limit))
    .as('found')
  const isKnown = not(isBlockedBetween(place.readerId, users.id))
  return db
    .select({
      id: found.id,
      at: found.at,
      version: found.version,
      bytes: found.bytes,
      userId: users.id,
      networkName: users.networkName,
    })
    .from(found)
    .leftJoin(operations, eq(operations.id, found.operation))
    .leftJoin(users, and(eq(users.id, operations.userId), isKnown))
    .orderBy(desc(found.id))
}

/**
 * What the entries of the record replaced, as rows of their table, by entry. A column that the table did not have yet has the
 * value of now.
 */
export async function rowsOf(
  db: Db,
  { table, columns = getTableColumns(table) }: VersionedTable,
  id: number,
  entries: readonly number[],
): Promise<Map<number, object>> {
  if (entries.length === 0) return new Map()
  // As expressions: Drizzle does not know that the columns are those of a table in the join.
  const row = Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, sql`${column}`.mapWith(column)]),
  )
  const present = sql`(select present from ${table} as present where present.id = ${id})`
  const found = await db
    .select({ entry: history.id, row })
    .from(history)
    .innerJoin(sql`lateral jsonb_populate_record(${present}, ${history.before}) as ${table}`, sql`true`)
    .where(inArray(history.id, [...entries]))
  return new Map(found.map((former) => [former.entry, former.row]))
}
