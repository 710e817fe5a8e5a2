import {
  and,
  eq,
  getTableColumns,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  lte,
  type Placeholder,
  type SQL,
  sql,
  type SQLWrapper,
} from 'drizzle-orm'
import { type PgUpdateSetSource, unionAll } from 'drizzle-orm/pg-core'
import type { TypedQueryBuilder } from 'drizzle-orm/query-builders/query-builder'
import type { Db, Tx } from '../../db/client'
import * as ordering from '../../db/ordering'
import { prepared } from '../../db/prepared'
import { todos } from '../../db/schema'
import type { Rank } from '../../lib/ordering'
import { type Stretch, USUAL_LIMIT } from '../../lib/page'
import { PRIORITY_ORDER, type Sort, type TodoKey } from './rules.sorting'

export type TodoRow = typeof todos.$inferSelect

const own = (userId: number, id: number) => and(eq(todos.id, id), eq(todos.userId, userId))

/** Of a prepared statement, given when it runs. */
const USER = sql.placeholder('userId')

/** By the first of all, which its index knows without reading any of the others. */
const anyPassed = prepared((db) =>
  db
    .select({ answer: sql<boolean>`coalesce(min(${todos.resetAt}) <= ${sql.placeholder('now')}, false)` })
    .from(todos)
    .where(eq(todos.userId, USER))
    .prepare('todos_any_passed'),
)

/** Whether any todo of the user is to open again. */
export const hasPassed = async (db: Db, userId: number, now: Date): Promise<boolean> =>
  (await anyPassed(db).execute({ userId, now: now.toISOString() }))[0]?.answer === true

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
    .where(and(eq(todos.userId, userId), lte(todos.resetAt, now)))
}

const listOf = (userId: number | Placeholder): ordering.RankedList => ({
  table: todos,
  isMember: eq(todos.userId, userId),
})

export const rankAt = (tx: Tx, userId: number, position?: number, movedId?: number): Promise<Rank> =>
  ordering.rankAt(tx, listOf(userId), position, movedId)
export const idsOf = (tx: Tx, userId: number) => ordering.idsOf(tx, listOf(userId))
export const arrange = (tx: Tx, userId: number, ids: readonly number[]) =>
  ordering.arrange(tx, listOf(userId), ids)

/** What todos are sorted by: of the table, or of rows that were read from it. */
type SortKeys = Readonly<Record<'id' | 'rank' | 'dueDate' | 'priority' | 'createdAt', SQLWrapper>>

interface Selection {
  readonly userId: number | Placeholder
  readonly where: SQL | undefined
  /** By what they are sorted; ties by id. */
  readonly by: (keys: SortKeys) => SQLWrapper
  readonly limit: number
}

/** Todos of the user with their positions. */
function placed(db: Db | Tx, { userId, where, by, limit }: Selection) {
  const rows = db
    .select()
    .from(todos)
    .where(and(eq(todos.userId, userId), where))
    .orderBy(sql`${by(todos)}`, todos.id)
    .limit(limit)
  return withPositions(db, rows, userId, by)
}

function withPositions(
  db: Db | Tx,
  rows: TypedQueryBuilder<typeof todos._.columns>,
  userId: Selection['userId'],
  by: Selection['by'],
) {
  const page = db.$with('page').as(rows)
  return db
    .with(page)
    .select({ ...page._.selectedFields, position: ordering.positionAmong(listOf(userId), page) })
    .from(page)
    .orderBy(sql`${by(page)}`, page.id)
}

const byId = ({ id }: SortKeys) => id

export const find = async (db: Db | Tx, userId: number, id: number) =>
  (await placed(db, { userId, where: eq(todos.id, id), by: byId, limit: 1 }))[0]
export type PlacedRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const listAll = (tx: Tx, userId: number): Promise<PlacedRow[]> =>
  tx
    .select({ ...getTableColumns(todos), position: ordering.positionAmongAll(todos) })
    .from(todos)
    .where(eq(todos.userId, userId))
    .orderBy(todos.rank)

const PRIORITIES = sql.raw(`array[${PRIORITY_ORDER.map((priority) => `'${priority}'`).join()}]`)

interface Order {
  readonly by: (keys: SortKeys) => SQLWrapper
  readonly type: SQL
}

const ORDER: Readonly<Record<Sort, Order>> = {
  position: { by: ({ rank }) => rank, type: sql`numeric` },
  due_date: { by: ({ dueDate }) => sql`coalesce(${dueDate}, 'infinity')`, type: sql`date` },
  priority: { by: ({ priority }) => sql`array_position(${PRIORITIES}, ${priority})`, type: sql`integer` },
  created_at: { by: ({ createdAt }) => createdAt, type: sql`timestamptz` },
}

/** A line break keeps a text that is searched for from matching across two fields. */
const has = (text: string) =>
  sql`strpos(lower(concat_ws(E'\n', ${todos.title}, ${todos.description}) collate "und-x-icu"), lower(${text} collate "und-x-icu")) > 0`

export interface TodoFilter {
  readonly completed: boolean | undefined
  readonly priority: TodoRow['priority'] | undefined
  readonly category: string | undefined
  /** Both inclusive. */
  readonly dueFrom: string | undefined
  readonly dueTo: string | undefined
  readonly text: string | undefined
}

const passes = ({ completed, priority, category, dueFrom, dueTo, text }: Partial<TodoFilter>) =>
  and(
    completed === undefined ? undefined : (completed ? isNotNull : isNull)(todos.completedAt),
    priority && eq(todos.priority, priority),
    category === undefined ? undefined : eq(todos.category, category),
    dueFrom === undefined ? undefined : gte(todos.dueDate, dueFrom),
    dueTo === undefined ? undefined : lte(todos.dueDate, dueTo),
    text === undefined ? undefined : has(text),
  )

const isAfter = (sort: Sort, value: string | Placeholder, id: number | Placeholder) =>
  sql`(${ORDER[sort].by(todos)}, ${todos.id}) > (${value}::${ORDER[sort].type}, ${id}::integer)`

/** All of a user's, or all that are completed or open, as many as usual: what is read most. */
const usual = prepared((db, sort: Sort, completed: boolean | undefined, isFurther: boolean) =>
  placed(db, {
    userId: USER,
    where: and(
      passes({ completed }),
      isFurther ? isAfter(sort, sql.placeholder('value'), sql.placeholder('id')) : undefined,
    ),
    by: ORDER[sort].by,
    limit: USUAL_LIMIT,
  }).prepare('todos_usual'),
)

export interface TodoPage {
  readonly sort: Sort
  readonly after: TodoKey | undefined
  readonly limit: number
}

/** `limit` rows after the key. */
export async function list(
  db: Db,
  userId: number,
  { completed, ...filter }: TodoFilter,
  { sort, after, limit }: TodoPage,
): Promise<PlacedRow[]> {
  const [, value = '', id = 0] = after ?? []
  if (limit === USUAL_LIMIT && Object.values(filter).every((wanted) => wanted === undefined)) {
    return usual(db, sort, completed, after !== undefined).execute({ userId, value, id })
  }
  const where = and(passes({ ...filter, completed }), after && isAfter(sort, value, id))
  return placed(db, { userId, where, by: ORDER[sort].by, limit })
}

/** In one statement, as both want their positions in the same list. */
const due = prepared((db, limit: number) => {
  const first = (isDue: SQL) =>
    db
      .select()
      .from(todos)
      .where(and(eq(todos.userId, USER), isNull(todos.completedAt), isDue))
      .orderBy(todos.dueDate, todos.id)
      .limit(limit)
  const day = sql.placeholder('day')
  const rows = unionAll(first(lt(todos.dueDate, day)), first(eq(todos.dueDate, day)))
  return withPositions(db, rows, USER, ({ dueDate }) => dueDate).prepare('todos_due')
})

/** The first `limit` open todos that are due before the day, and as many that are due on it, by due date. */
export const listDue = (db: Db, userId: number, day: string, limit: number): Promise<PlacedRow[]> =>
  due(db, limit).execute({ userId, day })

/** By id. */
export const stretch = async (db: Db, userId: number, { afterId, limit }: Stretch): Promise<PlacedRow[]> =>
  placed(db, { userId, where: gt(todos.id, afterId), by: byId, limit })

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
