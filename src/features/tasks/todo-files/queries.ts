import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { lastRank } from '../../../db/ordering'
import { todos, todoTexts } from '../../../db/schema'

/** The UID of a todo for other programs. */
const uid = sql<string>`dav_uid(${todos.uid}, 'todo', ${todos.id}, ${todos.createdAt})`

const sourced = (db: Db | Tx) =>
  db
    .select({ ...getTableColumns(todos), uid, text: todoTexts.text, said: todoTexts.said })
    .from(todos)
    .leftJoin(todoTexts, eq(todoTexts.todoId, todos.id))

/** A todo with what another program wrote of it. */
export type TodoSource = Awaited<ReturnType<typeof findSources>>[number]

export const findSources = (db: Db | Tx, ids: readonly number[]) =>
  sourced(db)
    .where(inArray(todos.id, [...ids]))
    .orderBy(todos.id)

/** The todo of the user, locked. */
export const lockSource = async (tx: Tx, userId: number, id: number): Promise<TodoSource | undefined> =>
  (
    await sourced(tx)
      .where(and(eq(todos.userId, userId), eq(todos.id, id)))
      .for('no key update', { of: todos })
  )[0]

type TodoColumns = typeof todos.$inferInsert

interface TodoVersion {
  readonly id: number
  readonly version: number
}

const written = { id: todos.id, version: todos.version }

const one = ([row]: readonly TodoVersion[]): TodoVersion => {
  if (!row) throw new Error('the todo was not written')
  return row
}

/** Inserts a todo, without a rank at the end of the user's. */
export async function insert(
  tx: Tx,
  { rank: given, ...row }: Omit<TodoColumns, 'rank'> & { readonly rank?: string },
): Promise<TodoVersion> {
  const { userId } = row
  const isMember = eq(todos.userId, userId)
  const rank = given ?? lastRank({ table: todos, isMember, tally: { kind: 'todos', ownerId: userId } })
  return one(
    await tx
      .insert(todos)
      .values({ ...row, rank })
      .returning(written),
  )
}

/** Writes the next version. The todo must be locked. */
export const update = async (tx: Tx, id: number, set: Partial<TodoColumns>): Promise<TodoVersion> =>
  one(
    await tx
      .update(todos)
      .set({ ...set, version: sql`${todos.version} + 1` })
      .where(eq(todos.id, id))
      .returning(written),
  )

/** Keeps the text of a todo, in the place of a former one. */
export async function putText(tx: Tx, row: typeof todoTexts.$inferInsert): Promise<void> {
  await tx
    .insert(todoTexts)
    .values(row)
    .onConflictDoUpdate({
      target: todoTexts.todoId,
      set: { text: sql`excluded.text`, said: sql`excluded.said` },
    })
}
