import { and, eq, getTableColumns, gt, lte, type Placeholder, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../db/client'
import { outsideOperation } from '../../../db/outside-operation'
import { lastRank, newPosition, type RankedList } from '../../../db/ordering'
import { prepared } from '../../../db/prepared'
import { sortNumber, todoLists, todos } from '../../../db/schema'
import { numberAt, STEP } from '../todo-order/rules'

export type TodoRow = typeof todos.$inferSelect

export type PlacedRow = TodoRow & { readonly position: number }

const own = (userId: number, id: number) => and(eq(todos.id, id), eq(todos.userId, userId))

/** An instant, in ISO 8601. */
export type Instant = string | Placeholder

/**
 * Whether a todo of the user is due to reopen. The earliest `resetAt` decides, and the index returns it without reading the other
 * rows.
 */
export const passed = (db: Db | Tx, userId: number | Placeholder, now: Instant) =>
  db
    .select({ anyPassed: sql<boolean>`coalesce(min(${todos.resetAt}) <= ${now}, false)`.as('any_passed') })
    .from(todos)
    .where(eq(todos.userId, userId))

export const anyPassed = async (tx: Tx, userId: number, now: Date): Promise<boolean> =>
  (await passed(tx, userId, now.toISOString()))[0]?.anyPassed === true

/**
 * Reopens the completed todos of the user whose `resetAt` has passed, which is no part of what the user does. A second call finds
 * them open and changes nothing.
 */
export const reactivate = (tx: Tx, userId: number, now: Date): Promise<void> =>
  outsideOperation(tx, () => reopen(tx, userId, now))

async function reopen(tx: Tx, userId: number, now: Date): Promise<void> {
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

/** The todos of a user, in the user's own order. */
export const listOf = (userId: number | Placeholder): RankedList => ({
  table: todos,
  isMember: eq(todos.userId, userId),
  tally: { kind: 'todos', ownerId: userId },
})

/**
 * Locks the row, because a change depends on what is stored. Also reports whether any todo of the user, perhaps this one, is due
 * to reopen.
 */
export const lock = async (tx: Tx, userId: number, id: number, now: Date) =>
  (
    await tx
      .select({
        ...getTableColumns(todos),
        anyPassed: sql<boolean>`${passed(tx, userId, now.toISOString())}`,
      })
      .from(todos)
      .where(own(userId, id))
      .for('no key update')
  )[0]

const USER = sql.placeholder('userId')
const given = (name: string) => sql`${sql.placeholder(name)}`

const create = prepared((db) => {
  const owned = listOf(USER)
  const byDefault = db
    .select({ id: todoLists.id })
    .from(todoLists)
    .where(and(eq(todoLists.userId, USER), todoLists.isDefault))
  const listId = sql`coalesce(${given('listId')}::integer, (${byDefault}))`
  // After all others of its list (contract: todos.order).
  const [last, latest] = [sql`max(${sortNumber(todos)})`, sql`${given('latest')}::bigint`]
  const lastNumber = sql`(select case when ${last} >= ${latest} then ${last} + ${sql.raw(String(STEP))} end from ${todos} where ${eq(todos.listId, listId)})`
  return db
    .insert(todos)
    .values({
      userId: USER,
      listId,
      title: given('title'),
      description: given('description'),
      priority: given('priority'),
      dueDate: given('dueDate'),
      dueDay: given('dueDay'),
      dueTime: given('dueTime'),
      category: given('category'),
      completedAt: given('completedAt'),
      recurrence: given('recurrence'),
      resetAt: given('resetAt'),
      nextDueDate: given('nextDueDate'),
      rank: sql`coalesce(${given('rank')}::numeric, ${lastRank(owned)})`,
      sortOrder: sql`case when ${given('rank')}::numeric is null then ${lastNumber} else ${given('sortOrder')}::bigint end`,
      createdAt: given('now'),
      updatedAt: given('now'),
    })
    .returning({
      ...getTableColumns(todos),
      position: newPosition(owned, sql.placeholder('position')),
    })
    .prepare('todos_create')
})

export type NewTodoRow = Omit<
  TodoRow,
  | 'id'
  | 'listId'
  | 'openedAt'
  | 'rank'
  | 'sortOrder'
  | 'version'
  | 'createdAt'
  | 'updatedAt'
  | 'uid'
  | 'objectName'
  | 'recurrenceUnsupported'
> & {
  /** Null for the default list. */
  readonly listId: number | null
}

/** Where a todo is inserted; at the end where it has no place. */
export interface NewPlace {
  readonly position: number
  readonly rank: string
  readonly sortOrder: number | undefined
}

export async function insert(
  tx: Tx,
  { completedAt, resetAt, ...row }: NewTodoRow,
  place: NewPlace | undefined,
  now: Date,
): Promise<PlacedRow> {
  const [created] = await create(tx).execute({
    ...row,
    completedAt: completedAt && completedAt.toISOString(),
    resetAt: resetAt && resetAt.toISOString(),
    rank: place?.rank ?? null,
    sortOrder: place?.sortOrder ?? null,
    position: place?.position ?? null,
    latest: numberAt(now),
    now: now.toISOString(),
  })
  if (!created) throw new Error('insert returned no row')
  return created
}

/** Writes the next version. The todo must be locked. */
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

/** Up to `limit` users after a user who have todos that are due to reopen, by id. */
export async function usersWithPassed(
  db: Db,
  now: Date,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<number[]> {
  const rows = await db
    .select({ userId: todos.userId })
    .from(todos)
    .where(and(lte(todos.resetAt, now), gt(todos.userId, after)))
    .groupBy(todos.userId)
    .orderBy(todos.userId)
    .limit(limit)
  return rows.map(({ userId }) => userId)
}

/** The todo must be locked. */
export const remove = async (tx: Tx, { id }: TodoRow): Promise<void> => {
  await tx.delete(todos).where(eq(todos.id, id))
}
