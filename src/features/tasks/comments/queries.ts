import { and, eq, sql } from 'drizzle-orm'
import { idOf, isSelected, mostOf } from '../../../db/by-id'
import type { Db, Tx } from '../../../db/client'
import { bytesOf, fitting, FOLLOWED } from '../../../db/fitting'
import { projects, projectTasks, taskComments, users } from '../../../db/schema'
import type { InstantKey, ById } from '../../../lib/wire/page'

const columns = {
  id: taskComments.id,
  body: taskComments.body,
  authorId: taskComments.authorId,
  authorNetworkName: users.networkName,
  createdAt: taskComments.createdAt,
  updatedAt: taskComments.updatedAt,
}

const select = (db: Db | Tx) =>
  db.select(columns).from(taskComments).innerJoin(users, eq(users.id, taskComments.authorId))

const ofTask = (taskId: number, id: number) => and(eq(taskComments.taskId, taskId), eq(taskComments.id, id))

/** Up to `limit` rows after the key, oldest first; fewer if their texts are long. */
export function list(db: Db, taskId: number, after: InstantKey | undefined, limit: number) {
  const rows = db
    .select({ ...columns, bytes: bytesOf(taskComments.body).as('bytes') })
    .from(taskComments)
    .innerJoin(users, eq(users.id, taskComments.authorId))
    .where(
      and(
        eq(taskComments.taskId, taskId),
        after &&
          sql`(${taskComments.createdAt}, ${taskComments.id}) > (${after[0]}::timestamptz, ${after[1]}::integer)`,
      ),
    )
    .orderBy(taskComments.createdAt, taskComments.id)
    .limit(limit)
    .as('rows')
  const page = db.$with('page', { ...columns, ...FOLLOWED }).as(fitting(rows, rows.createdAt, rows.id))
  return db.with(page).select().from(page).orderBy(page.createdAt, page.id)
}

/** The comments on all tasks of the user, by id, each with its task and project. */
export const pageById = (db: Db, userId: number, by: ById) =>
  db
    .select({ ...columns, taskId: taskComments.taskId, projectId: projectTasks.projectId })
    .from(taskComments)
    .innerJoin(users, eq(users.id, taskComments.authorId))
    .innerJoin(projectTasks, eq(projectTasks.id, taskComments.taskId))
    .innerJoin(projects, eq(projects.id, projectTasks.projectId))
    .where(and(eq(projects.userId, userId), isSelected(taskComments.id, by)))
    .orderBy(idOf(taskComments.id))
    .limit(mostOf(by))

export const find = async (db: Db | Tx, taskId: number, id: number) =>
  (await select(db).where(ofTask(taskId, id)))[0]
export type CommentRow = NonNullable<Awaited<ReturnType<typeof find>>>

export async function insert(tx: Tx, row: typeof taskComments.$inferInsert): Promise<CommentRow> {
  const [created] = await tx.insert(taskComments).values(row).returning({ id: taskComments.id })
  const comment = created && (await find(tx, row.taskId, created.id))
  if (!comment) throw new Error('insert returned no row')
  return comment
}

interface CommentChange {
  readonly body: string | undefined
  readonly updatedAt: Date
}

/** Returns the changed comment, or undefined when it does not exist. */
export async function update(
  tx: Tx,
  taskId: number,
  id: number,
  set: CommentChange,
): Promise<CommentRow | undefined> {
  await tx.update(taskComments).set(set).where(ofTask(taskId, id))
  return find(tx, taskId, id)
}

/** Returns false when the comment does not exist. */
export async function remove(tx: Tx, taskId: number, id: number): Promise<boolean> {
  const removed = await tx.delete(taskComments).where(ofTask(taskId, id)).returning({ id: taskComments.id })
  return removed.length > 0
}
