import { and, eq, ne, type Placeholder, type SQL, sql, type SQLWrapper, type WithSubquery } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { isTooLong, type Rank, rankBetween } from '../lib/ordering'
import type { Tx } from './client'
import { tallies } from './schema'

/**
 * A list that is arranged by hand (`src/lib/ordering.ts`). Its table has `rank: numeric().notNull()` and a unique index over the
 * columns that identify the list and the rank, so that no two rows ever have the same place. Lock the owner of the list before
 * you write ranks, so that moves run one after the other.
 *
 *     rank: lastRank(list)                                   // insert at the end, or move there; returning `newPosition`
 *     rank: await rankAt(tx, list, position)                 // insert
 *     rank: await rankAt(tx, list, position, id)             // move
 *     rank: await rankBeside(tx, list, {id, side}, movedId)  // insert or move
 *     await arrange(tx, list, ids)                           // a new order of all rows; check it with `isWholeOrder` first
 *
 * To read, select `positionAmong(list, rows)` with the columns of some rows, or `positionAmongAll(table)` with those of all rows.
 */
export interface RankedList {
  readonly table: PgTable & { readonly id: AnyPgColumn; readonly rank: AnyPgColumn }
  /** Whether a row belongs to the list. */
  readonly isMember: SQL
  /** The tally that counts its rows. */
  readonly tally: {
    readonly kind: (typeof tallies.$inferSelect)['kind']
    readonly ownerId: number | Placeholder
  }
}

/** Rows of a list as a common table expression: `db.$with('page').as(…)`. */
type Rows = WithSubquery & { readonly rank: SQLWrapper }

/**
 * The position of each of these rows in its list, from 1, whatever else is selected. It counts the ranks before the first row and
 * reads the ranks from there to the last row, both from the index alone. So the first page costs the same for long and short
 * lists.
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

/** The same for a query that selects exactly the rows of one list. */
export const positionAmongAll = ({ rank }: RankedList['table']): SQL<number> =>
  sql<number>`(row_number() over (order by ${rank}))::integer`

/** The position, from 1, of a row that the statement inserts: `position`, or the end when it is null or beyond the end. */
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

/** A rank after all rows of the list except `movedId`, for use in a statement that writes it. It reads only the index. */
export const lastRank = (list: RankedList, movedId?: number): SQL<Rank> =>
  sql<Rank>`(select coalesce(floor(max(${list.table.rank})), 0) + 1 from ${list.table} where ${othersOf(list, movedId)})`

/**
 * Returns the rank for `position` among the rows of the list except `movedId`; a position beyond the end means the end. It reads
 * the list up to that position.
 */
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

/** A row of the list, and on which side of it. */
interface Beside {
  readonly id: number
  readonly side: 'before' | 'after'
}

/** Returns the rank right before or after a row, for another one that is new or is `movedId`. */
export async function rankBeside(
  tx: Tx,
  list: RankedList,
  beside: Beside,
  movedId: number | undefined,
): Promise<Rank> {
  const { table } = list
  const others = othersOf(list, movedId)
  const [found] = await tx.execute<{ rank: Rank; before: Rank | null; after: Rank | null }>(sql`
    with here as (select ${table.rank} as rank from ${table} where ${table.id} = ${beside.id})
    select here.rank,
      (select max(${table.rank}) from ${table} where ${others} and ${table.rank} < here.rank) as before,
      (select min(${table.rank}) from ${table} where ${others} and ${table.rank} > here.rank) as after
    from here`)
  if (!found) throw new Error('the row beside is not there')
  const rank =
    beside.side === 'before' ? rankBetween(found.before, found.rank) : rankBetween(found.rank, found.after)
  if (!isTooLong(rank)) return rank
  await arrange(tx, list, await idsOf(tx, list))
  return rankBeside(tx, list, beside, movedId)
}

/** Returns the ids of the list in its order. */
export async function idsOf(tx: Tx, { table, isMember }: RankedList): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(
    sql`select ${table.id} as id from ${table} where ${isMember} order by ${table.rank}`,
  )
  return rows.map(({ id }) => id)
}

/**
 * Puts the list into the order of `ids`, which must be all of its ids. The new ranks come after all old ones, so that no two are
 * equal meanwhile.
 */
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
