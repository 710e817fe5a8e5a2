import { and, asc, desc, eq, gt, lt, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import type { RankedList } from '../../../db/ordering'
import { sortNumber, todoLists, todos } from '../../../db/schema'
import type { Rank, RankedRow } from '../../../lib/ordering'
import { MOST_PUSHED, type Neighbours } from './rules'

const number = sql<number>`${sortNumber(todos)}`.mapWith(Number)

/** A todo in a list, or one that comes into it. */
export interface InList {
  readonly listId: number
  /** Undefined for one that is not there yet. */
  readonly id: number | undefined
}

const others = ({ listId, id }: InList) =>
  and(eq(todos.listId, listId), id === undefined ? undefined : ne(todos.id, id))

/** The todos of the list around a rank. */
export async function around(tx: Tx, place: InList, rank: Rank): Promise<Neighbours> {
  const near = (side: SQL, first: SQL, isBefore: boolean) => sql`(
    select ${todos.id} as id, ${sortNumber(todos)}::float8 as number, ${isBefore}::boolean as "isBefore"
    from ${todos} where ${and(others(place), side)} order by ${first} limit ${MOST_PUSHED + 1})`
  const rows = await tx.execute<{ id: number; number: number; isBefore: boolean }>(sql`
    ${near(lt(todos.rank, rank), desc(todos.rank), true)} union all ${near(gt(todos.rank, rank), asc(todos.rank), false)}`)
  const { true: before = [], false: after = [] } = Object.groupBy(rows, ({ isBefore }) => `${isBefore}`)
  return { before, after }
}

/** The todos of the list between which a number is: that of an equal one is before it. */
export async function beside(
  tx: Tx,
  place: InList,
  wanted: number,
): Promise<{ readonly last: RankedRow | undefined; readonly next: RankedRow | undefined }> {
  const first = (side: SQL, ...order: SQL[]) =>
    tx
      .select({ id: todos.id, rank: todos.rank })
      .from(todos)
      .where(and(others(place), side))
      .orderBy(...order)
      .limit(1)
  const own = sortNumber(todos)
  const [last] = await first(lte(own, wanted), desc(own), desc(todos.rank))
  const [next] = await first(gt(own, wanted), asc(own), asc(todos.rank))
  return { last, next }
}

/** The todos of a user, in the user's own order. */
export const orderOf = (userId: number): RankedList => ({
  table: todos,
  isMember: eq(todos.userId, userId),
  tally: { kind: 'todos', ownerId: userId },
})

/** All todos of the user with their lists, in their order. */
export const allOf = (tx: Tx, userId: number) =>
  tx
    .select({ id: todos.id, listId: todos.listId, rank: todos.rank, number })
    .from(todos)
    .where(eq(todos.userId, userId))
    .orderBy(todos.rank)

export async function defaultListOf(tx: Tx, userId: number): Promise<number> {
  const [list] = await tx
    .select({ id: todoLists.id })
    .from(todoLists)
    .where(and(eq(todoLists.userId, userId), todoLists.isDefault))
  if (!list) throw new Error('a user without a default list')
  return list.id
}

export const find = async (tx: Tx, id: number) =>
  (
    await tx
      .select({ id: todos.id, listId: todos.listId, userId: todos.userId, rank: todos.rank, number })
      .from(todos)
      .where(eq(todos.id, id))
  )[0]

/** Another place of a todo: its rank, its number, or both. */
export interface NewPlaceOf {
  readonly id: number
  readonly rank?: Rank | undefined
  readonly number?: number | undefined
}

/** Gives todos other places; those that get another number are the next version. */
export async function writePlaces(tx: Tx, places: readonly NewPlaceOf[], now: Date): Promise<void> {
  if (places.length === 0) return
  await tx.execute(sql`
    update ${todos} set
      rank = coalesce(wanted.rank, ${todos.rank}),
      sort_order = coalesce(wanted.number, ${todos.sortOrder}),
      version = version + case when wanted.number is null then 0 else 1 end,
      updated_at = case when wanted.number is null then updated_at else ${now.toISOString()}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as wanted (id integer, rank numeric, number bigint)
    where ${todos.id} = wanted.id`)
}
