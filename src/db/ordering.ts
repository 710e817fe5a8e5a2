import { and, eq, ne, type Placeholder, type SQL, sql, type SQLWrapper, type WithSubquery } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { isTooLong, type Rank, rankBetween } from '../lib/ordering'
import type { Tx } from './client'
import { tallies } from './schema'

/**
 * A list that is arranged by hand (`src/lib/ordering.ts`). Its table has `rank: numeric().notNull()` and a unique index over what
 * makes the list and the rank, so that the order is strict whatever happens. Whoever writes ranks has locked the owner of the
 * list before; moves come one after the other.
 *
 *     rank: lastRank(list)                                   // insert at the end, or move there; returning `newPosition`
 *     rank: await rankAt(tx, list, position)                 // insert
 *     rank: await rankAt(tx, list, position, id)             // move
 *     await arrange(tx, list, ids)                           // a new order of all; `isWholeOrder` tells whether it is one
 *
 * To read, select `positionAmong(list, rows)` beside the columns of any of its rows, or `positionAmongAll(table)` of all of them.
 */
export interface RankedList {
  readonly table: PgTable & { readonly id: AnyPgColumn; readonly rank: AnyPgColumn }
  /** What makes a row one of the list. */
  readonly isMember: SQL
  /** Where its rows are counted. */
  readonly tally: {
    readonly kind: (typeof tallies.$inferSelect)['kind']
    readonly ownerId: number | Placeholder
  }
}

/** Rows of a list, as a query of their own: `db.$with('page').as(…)`. */
type Rows = WithSubquery & { readonly rank: SQLWrapper }

/**
 * The position of each of these rows in its list, from 1, whatever else is selected. Counted are the ranks before the first of
 * the rows, and read are those from there to the last, from the index alone: the first page of a long list costs as much as of a short one.
 */
export function positionAmong({ table, isMember }: Omit<RankedList, 'tally'>, rows: Rows): SQL<number> {
  const [first, last] = [
    sql`(select min(${rows.rank}) from ${rows})`,
    sql`(select max(${rows.rank}) from ${rows})`,
  ]
  const before = sql`(select count(*)::integer from ${table} where ${isMember} and ${table.rank} < ${first})`
  const between = sql`(select array_agg(${table.rank} order by ${table.rank}) from ${table} where ${isMember} and ${table.rank} between ${first} and ${last})`
  return sql<number>`${before} + width_bucket(${rows.rank}, ${between})`
}

/** The same where all rows of the list are selected, and nothing else. */
export const positionAmongAll = ({ rank }: RankedList['table']): SQL<number> =>
  sql<number>`(row_number() over (order by ${rank}))::integer`

/** The position, from 1, of a row that the statement inserts: `position`, unless that is null or lies beyond the end. */
export function newPosition(
  { tally: { kind, ownerId } }: RankedList,
  position: number | null | Placeholder,
): SQL<number> {
  const isOwn = and(eq(tallies.kind, kind), eq(tallies.ownerId, ownerId))
  const length = sql`coalesce((select ${tallies.count} from ${tallies} where ${isOwn}), 0)`
  // `least` ignores nulls.
  return sql<number>`least(${position}::integer, ${length} + 1)`
}

const othersOf = ({ table, isMember }: RankedList, movedId: number | undefined) =>
  and(isMember, movedId === undefined ? undefined : ne(table.id, movedId))

/** A rank behind all rows of the list but `movedId`, for a statement that writes it. Reads only the index. */
export const lastRank = (list: RankedList, movedId?: number): SQL<Rank> =>
  sql<Rank>`(select coalesce(floor(max(${list.table.rank})), 0) + 1 from ${list.table} where ${othersOf(list, movedId)})`

/** The rank of `position` among the rows of the list but `movedId`. Reads the list up to there; beyond the end means the end. */
export async function rankAt(tx: Tx, list: RankedList, position: number, movedId?: number): Promise<Rank> {
  const { rank: column } = list.table
  const [neighbours] = await tx.execute<{ before: Rank | null; after: Rank | null }>(sql`
    select max(rank) filter (where place < ${position}) as before, max(rank) filter (where place = ${position}) as after
    from (
      select ${column} as rank, row_number() over (order by ${column}) as place
      from ${list.table} where ${othersOf(list, movedId)} order by ${column} limit ${position}
    ) as places`)
  const rank = rankBetween(neighbours?.before ?? null, neighbours?.after ?? null)
  if (!isTooLong(rank)) return rank
  await arrange(tx, list, await idsOf(tx, list))
  return rankAt(tx, list, position, movedId)
}

/** The ids of the list in its order. */
export async function idsOf(tx: Tx, { table, isMember }: RankedList): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(
    sql`select ${table.id} as id from ${table} where ${isMember} order by ${table.rank}`,
  )
  return rows.map(({ id }) => id)
}

/** Gives the list the order of `ids`, which are all of its own: behind what was last, so that no two ranks meet meanwhile. */
export async function arrange(
  tx: Tx,
  { table, isMember }: RankedList,
  ids: readonly number[],
): Promise<void> {
  await tx.execute(sql`
    update ${table} set rank = last.rank + wanted.place
    from
      unnest(string_to_array(${ids.join()}::text, ',')::integer[]) with ordinality as wanted (id, place),
      (select floor(max(${table.rank})) as rank from ${table} where ${isMember}) as last
    where ${table.id} = wanted.id and ${isMember}`)
}
