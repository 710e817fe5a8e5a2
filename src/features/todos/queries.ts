import { and, eq, getTableColumns, gte, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../db/client'
import * as ordering from '../../db/ordering'
import { todos, users } from '../../db/schema'
import type { Rank } from '../../lib/ordering'
import { PRIORITY_ORDER, type Sort, type TodoKey } from './rules.sorting'

export type TodoRow = typeof todos.$inferSelect

const own = (userId: number, id: number) => and(eq(todos.id, id), eq(todos.userId, userId))

/** Holds the owner, before their todos. Undefined where they are gone. */
export const holdUser = async (tx: Tx, userId: number): Promise<{ id: number } | undefined> =>
  (await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update'))[0]

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

/**
 * The todos of the user with their positions, to select from. A join with the positions alone would cost the square of their
 * number wherever the planner thinks that they are few.
 */
const placed = (db: Db | Tx, userId: number) =>
  db
    .select({ ...getTableColumns(todos), position: ordering.positionIn(todos) })
    .from(todos)
    .where(eq(todos.userId, userId))
    .as('placed')
type Placed = ReturnType<typeof placed>

export const find = async (db: Db | Tx, userId: number, id: number) => {
  const todo = placed(db, userId)
  return (await db.select().from(todo).where(eq(todo.id, id)))[0]
}
export type PlacedRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const listAll = (tx: Tx, userId: number): Promise<PlacedRow[]> => {
  const all = placed(tx, userId)
  return tx.select().from(all).orderBy(all.rank)
}

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

const ORDER: Readonly<Record<Sort, { readonly by: (todo: Placed) => SQL; readonly type: SQL }>> = {
  position: { by: ({ rank }) => sql`${rank}`, type: sql`numeric` },
  due_date: { by: ({ dueDate }) => sql`coalesce(${dueDate}, 'infinity')`, type: sql`date` },
  priority: { by: ({ priority }) => sql`array_position(${PRIORITIES}, ${priority})`, type: sql`integer` },
  created_at: { by: ({ createdAt }) => sql`${createdAt}`, type: sql`timestamptz` },
}

/** A line break keeps a text that is searched for from matching across two fields. */
const has = ({ title, description }: Placed, text: string) =>
  sql`strpos(lower(concat_ws(E'\n', ${title}, ${description}) collate "und-x-icu"), lower(${text} collate "und-x-icu")) > 0`

/** `limit` rows after the key. */
export function list(db: Db, userId: number, filter: TodoFilter, limit: number): Promise<PlacedRow[]> {
  const { completed, priority, category, dueFrom, dueTo, text, sort, after } = filter
  const todo = placed(db, userId)
  const { by, type } = ORDER[sort]
  return db
    .select()
    .from(todo)
    .where(
      and(
        // Always a condition, whatever the filter leaves out.
        sql`true`,
        completed === undefined ? undefined : (completed ? isNotNull : isNull)(todo.completedAt),
        priority && eq(todo.priority, priority),
        category === undefined ? undefined : eq(todo.category, category),
        dueFrom === undefined ? undefined : gte(todo.dueDate, dueFrom),
        dueTo === undefined ? undefined : lte(todo.dueDate, dueTo),
        text === undefined ? undefined : has(todo, text),
        after && sql`(${by(todo)}, ${todo.id}) > (${after[1]}::${type}, ${after[2]}::integer)`,
      ),
    )
    .orderBy(by(todo), todo.id)
    .limit(limit)
}

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
