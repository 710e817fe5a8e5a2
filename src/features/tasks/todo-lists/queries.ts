import { and, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { among } from '../../../db/among'
import type { Db, Tx } from '../../../db/client'
import { lastRank, positionAmong, rankAt, type RankedList } from '../../../db/ordering'
import { todoLists } from '../../../db/schema'
import type { Rank } from '../../../lib/ordering'
import type { ById } from '../../../lib/wire/page'

/** The lists of a user, in the user's own order. */
export const listOf = (userId: number): RankedList => ({
  table: todoLists,
  isMember: eq(todoLists.userId, userId),
  tally: { kind: 'todo_lists', ownerId: userId },
})

const own = (userId: number, id: number) => and(eq(todoLists.userId, userId), eq(todoLists.id, id))

interface ListSelection {
  readonly userId: number
  readonly where: SQL | undefined
  readonly by: 'rank' | 'id'
  /** All of them by default. */
  readonly limit?: number
}

/** Lists of the user with their positions. */
function placed(db: Db | Tx, { userId, where, by, limit }: ListSelection) {
  const rows = db
    .select()
    .from(todoLists)
    .where(and(eq(todoLists.userId, userId), where))
    .orderBy(todoLists[by])
  const page = db.$with('page').as(limit === undefined ? rows : rows.limit(limit))
  return db
    .with(page)
    .select({ ...page._.selectedFields, position: positionAmong(listOf(userId), page) })
    .from(page)
    .orderBy(page[by])
}

/** Up to `limit` rows after the key, by position. */
export const list = (db: Db, userId: number, after: Rank | undefined, limit: number) =>
  placed(db, {
    userId,
    where: after === undefined ? undefined : gt(todoLists.rank, after),
    by: 'rank',
    limit,
  })

/** Lists of the user, by id. */
export const pageById = (db: Db, userId: number, by: ById) =>
  'ids' in by
    ? placed(db, { userId, where: among(todoLists.id, by.ids), by: 'id' })
    : placed(db, { userId, where: gt(todoLists.id, by.afterId), by: 'id', limit: by.limit })

export const find = async (db: Db | Tx, userId: number, id: number) =>
  (await placed(db, { userId, where: eq(todoLists.id, id), by: 'id' }))[0]

export type TodoListRow = typeof todoLists.$inferSelect
export type PlacedList = NonNullable<Awaited<ReturnType<typeof find>>>

export const exists = async (db: Db | Tx, userId: number, id: number): Promise<boolean> =>
  (await db.select({ id: todoLists.id }).from(todoLists).where(own(userId, id))).length > 0

/** The names of the user's lists, but for one. */
export async function names(tx: Tx, userId: number, exceptId = 0): Promise<string[]> {
  const rows = await tx
    .select({ name: todoLists.name })
    .from(todoLists)
    .where(and(eq(todoLists.userId, userId), ne(todoLists.id, exceptId)))
  return rows.map(({ name }) => name)
}

export const lock = async (tx: Tx, userId: number, id: number): Promise<TodoListRow | undefined> =>
  (await tx.select().from(todoLists).where(own(userId, id)).for('update'))[0]

/** Inserts at the position, or at the end when it is undefined. Returns the id. */
export async function insert(
  tx: Tx,
  row: Omit<typeof todoLists.$inferInsert, 'rank'>,
  position: number | undefined,
): Promise<number> {
  const owned = listOf(row.userId)
  const [created] = await tx
    .insert(todoLists)
    .values({ ...row, rank: position === undefined ? lastRank(owned) : await rankAt(tx, owned, position) })
    .returning({ id: todoLists.id })
  if (!created) throw new Error('insert returned no row')
  return created.id
}

/** Makes the default list one like the others. */
export async function clearDefault(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx
    .update(todoLists)
    .set({ isDefault: false, version: sql`${todoLists.version} + 1`, updatedAt: now })
    .where(and(eq(todoLists.userId, userId), todoLists.isDefault))
}

/** Writes the next version. The list must be locked. */
export async function update(
  tx: Tx,
  { id, version }: TodoListRow,
  set: PgUpdateSetSource<typeof todoLists>,
): Promise<void> {
  await tx
    .update(todoLists)
    .set({ ...set, version: version + 1 })
    .where(eq(todoLists.id, id))
}

/** A trigger deletes its todos before. The list must be locked. */
export async function remove(tx: Tx, { id }: TodoListRow): Promise<void> {
  await tx.delete(todoLists).where(eq(todoLists.id, id))
}
