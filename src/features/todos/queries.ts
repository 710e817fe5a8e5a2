import { and, eq, getTableColumns, gt, gte, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../db/client'
import * as ordering from '../../db/ordering'
import { todos } from '../../db/schema'
import type { Rank } from '../../lib/ordering'
import type { Stretch } from '../../lib/page'
import { PRIORITY_ORDER, type Sort, type TodoKey } from './rules.sorting'

export type TodoRow = typeof todos.$inferSelect

const own = (userId: number, id: number) => and(eq(todos.id, id), eq(todos.userId, userId))

const isPassed = (userId: number, now: Date) => and(eq(todos.userId, userId), lte(todos.resetAt, now))

/** Whether any todo of the user is to open again. */
export const hasPassed = async (db: Db, userId: number, now: Date): Promise<boolean> =>
  (await db.select({ id: todos.id }).from(todos).where(isPassed(userId, now)).limit(1)).length > 0

/** Opens the completed todos of the user whose time has come; whoever comes second finds them open. */
export async function reactivate(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx
    .update(todos)
    .set({
      dueDate: sql`${todos.nextDueDate}`,
      completedAt: null,
      openedAt: sql`${todos.resetAt}`,
      resetAt: null,
      nextDueDate: null,
      version: sql`${todos.version} + 1`,
      updatedAt: now,
    })
    .where(isPassed(userId, now))
}

const listOf = (userId: number): ordering.RankedList => ({ table: todos, isMember: eq(todos.userId, userId) })

export const rankAt = (tx: Tx, userId: number, position?: number, movedId?: number): Promise<Rank> =>
  ordering.rankAt(tx, listOf(userId), position, movedId)
export const idsOf = (tx: Tx, userId: number) => ordering.idsOf(tx, listOf(userId))
export const arrange = (tx: Tx, userId: number, ids: readonly number[]) =>
  ordering.arrange(tx, listOf(userId), ids)

const columns = getTableColumns(todos)
const placed = (userId: number) => ({ ...columns, position: ordering.positionIn(listOf(userId)) })

export const find = async (db: Db | Tx, userId: number, id: number) =>
  (await db.select(placed(userId)).from(todos).where(own(userId, id)))[0]
export type PlacedRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const listAll = (tx: Tx, userId: number): Promise<PlacedRow[]> =>
  tx
    .select({ ...columns, position: ordering.positionAmongAll(todos) })
    .from(todos)
    .where(eq(todos.userId, userId))
    .orderBy(todos.rank)

export interface TodoFilter {
  readonly completed: boolean | undefined
  readonly priority: TodoRow['priority'] | undefined
  readonly category: string | undefined
  /** Both inclusive. */
  readonly dueFrom: string | undefined
  readonly dueTo: string | undefined
  readonly text: string | undefined
  readonly sort: Sort
  readonly after: TodoKey | undefined
}

const PRIORITIES = sql.raw(`array[${PRIORITY_ORDER.map((priority) => `'${priority}'`).join()}]`)

const ORDER: Readonly<Record<Sort, { readonly by: SQL; readonly type: SQL }>> = {
  position: { by: sql`${todos.rank}`, type: sql`numeric` },
  due_date: { by: sql`coalesce(${todos.dueDate}, 'infinity')`, type: sql`date` },
  priority: { by: sql`array_position(${PRIORITIES}, ${todos.priority})`, type: sql`integer` },
  created_at: { by: sql`${todos.createdAt}`, type: sql`timestamptz` },
}

/** A line break keeps a text that is searched for from matching across two fields. */
const has = (text: string) =>
  sql`strpos(lower(concat_ws(E'\n', ${todos.title}, ${todos.description}) collate "und-x-icu"), lower(${text} collate "und-x-icu")) > 0`

/** `limit` rows after the key. */
export function list(db: Db, userId: number, filter: TodoFilter, limit: number): Promise<PlacedRow[]> {
  const { completed, priority, category, dueFrom, dueTo, text, sort, after } = filter
  const { by, type } = ORDER[sort]
  return db
    .select(placed(userId))
    .from(todos)
    .where(
      and(
        eq(todos.userId, userId),
        completed === undefined ? undefined : (completed ? isNotNull : isNull)(todos.completedAt),
        priority && eq(todos.priority, priority),
        category === undefined ? undefined : eq(todos.category, category),
        dueFrom === undefined ? undefined : gte(todos.dueDate, dueFrom),
        dueTo === undefined ? undefined : lte(todos.dueDate, dueTo),
        text === undefined ? undefined : has(text),
        after && sql`(${by}, ${todos.id}) > (${after[1]}::${type}, ${after[2]}::integer)`,
      ),
    )
    .orderBy(by, todos.id)
    .limit(limit)
}

export interface DueFilter {
  /** Both inclusive. */
  readonly from?: string
  readonly to: string
}

/** The first `limit` open todos that are due in a span of days, by due date. */
export const listDue = (
  db: Db,
  userId: number,
  { from, to }: DueFilter,
  limit: number,
): Promise<PlacedRow[]> =>
  db
    .select(placed(userId))
    .from(todos)
    .where(
      and(
        eq(todos.userId, userId),
        isNull(todos.completedAt),
        from === undefined ? undefined : gte(todos.dueDate, from),
        lte(todos.dueDate, to),
      ),
    )
    .orderBy(todos.dueDate, todos.id)
    .limit(limit)

/** By id. */
export const stretch = (db: Db, userId: number, { afterId, limit }: Stretch): Promise<PlacedRow[]> =>
  db
    .select(placed(userId))
    .from(todos)
    .where(and(eq(todos.userId, userId), gt(todos.id, afterId)))
    .orderBy(todos.id)
    .limit(limit)

/** Takes the row lock: what a change makes of a todo depends on what is stored. */
export const lock = async (tx: Tx, userId: number, id: number): Promise<TodoRow | undefined> =>
  (await tx.select().from(todos).where(own(userId, id)).for('no key update'))[0]

export async function insert(tx: Tx, row: typeof todos.$inferInsert): Promise<number> {
  const [created] = await tx.insert(todos).values(row).returning({ id: todos.id })
  if (!created) throw new Error('insert returned no row')
  return created.id
}

/** Writes the next version of a todo that is locked. */
export const update = async (
  tx: Tx,
  { id, version }: TodoRow,
  set: PgUpdateSetSource<typeof todos>,
): Promise<void> => {
  await tx
    .update(todos)
    .set({ ...set, version: version + 1 })
    .where(eq(todos.id, id))
}

/** `todo` is locked. */
export const remove = async (tx: Tx, { id }: TodoRow): Promise<void> => {
  await tx.delete(todos).where(eq(todos.id, id))
}
