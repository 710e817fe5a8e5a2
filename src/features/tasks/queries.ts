import { and, eq, getTableColumns, gt, inArray, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../db/client'
import type { RankedList } from '../../db/ordering'
import { projects, projectTasks, taskComments } from '../../db/schema'
import type { Rank } from '../../lib/ordering'
import type { Stretch } from '../../lib/page'
import type { DayKey } from './rules'

/** The top-level tasks of a project, or the subtasks of one of them, in the order that the owner gave them. */
export const siblingsIn = (projectId: number, parentTaskId: number | null): RankedList => ({
  table: projectTasks,
  isMember:
    parentTaskId === null
      ? sql`${projectTasks.projectId} = ${projectId} and ${projectTasks.parentTaskId} is null`
      : eq(projectTasks.parentTaskId, parentTaskId),
})

const inProject = (projectId: number, id: number) =>
  and(eq(projectTasks.projectId, projectId), eq(projectTasks.id, id))

/** The whole lists `areLists` with the place of each task in its own. No join by id: without statistics it is quadratic. */
const placed = (db: Db | Tx, areLists: SQL) =>
  db
    .select({
      ...getTableColumns(projectTasks),
      position:
        sql<number>`(row_number() over (partition by ${projectTasks.projectId}, ${projectTasks.parentTaskId} order by ${projectTasks.rank}))::integer`.as(
          'position',
        ),
    })
    .from(projectTasks)
    .where(areLists)
    .as('placed')
type Placed = ReturnType<typeof placed>

const shown = (task: Placed) => ({
  ...task._.selectedFields,
  commentCount: sql<number>`(select count(*) from ${taskComments} where ${eq(taskComments.taskId, task.id)})::integer`,
})

/** The top-level tasks by position, `limit` rows after the key. */
export function listTopLevel(db: Db, projectId: number, after: Rank | undefined, limit: number) {
  const task = placed(db, siblingsIn(projectId, null).isMember)
  return db
    .select(shown(task))
    .from(task)
    .where(after === undefined ? sql`true` : gt(task.rank, after))
    .orderBy(task.rank)
    .limit(limit)
}

/** All of these lists, by position. */
function listWhole(db: Db | Tx, areLists: SQL) {
  const task = placed(db, areLists)
  return db.select(shown(task)).from(task).orderBy(task.rank)
}

export const listSiblings = (tx: Tx, projectId: number, parentTaskId: number | null) =>
  listWhole(tx, siblingsIn(projectId, parentTaskId).isMember)

export const listSubtasks = (db: Db | Tx, parentTaskIds: readonly number[]) =>
  listWhole(
    db,
    sql`${projectTasks.parentTaskId} = any(string_to_array(${parentTaskIds.join()}::text, ',')::integer[])`,
  )

/** Open tasks of tracked projects that are due until that day, the first due first, `limit` rows after the key. */
export function listTracked(
  db: Db,
  { userId, until, after }: { userId: number; until: string; after: DayKey | undefined },
  limit: number,
) {
  const tracked = db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.userId, userId), projects.isTracked))
  const task = placed(db, inArray(projectTasks.projectId, tracked))
  return db
    .select({ ...shown(task), projectName: projects.name })
    .from(task)
    .innerJoin(projects, eq(projects.id, task.projectId))
    .where(
      and(
        ne(task.status, 'completed'),
        lte(task.dueDate, until),
        after && sql`(${task.dueDate}, ${task.id}) > (${after[0]}::date, ${after[1]}::integer)`,
      ),
    )
    .orderBy(task.dueDate, task.id)
    .limit(limit)
}

/** The tasks and subtasks of all projects of the user, by id. */
export function stretch(db: Db, userId: number, { afterId, limit }: Stretch) {
  const own = db.select({ id: projects.id }).from(projects).where(eq(projects.userId, userId))
  const task = placed(db, inArray(projectTasks.projectId, own))
  return db.select(shown(task)).from(task).where(gt(task.id, afterId)).orderBy(task.id).limit(limit)
}

export async function find(db: Db | Tx, projectId: number, id: number) {
  const task = placed(
    db,
    sql`${projectTasks.projectId} = ${projectId} and ${projectTasks.parentTaskId} is not distinct from (
      select own.parent_task_id from ${projectTasks} as own where own.id = ${id})`,
  )
  return (await db.select(shown(task)).from(task).where(eq(task.id, id)))[0]
}
export type PlacedTask = NonNullable<Awaited<ReturnType<typeof find>>>
export type TaskRow = typeof projectTasks.$inferSelect

export const exists = async (db: Db, projectId: number, id: number): Promise<boolean> =>
  (await db.select({ id: projectTasks.id }).from(projectTasks).where(inProject(projectId, id))).length > 0

export const lock = async (tx: Tx, projectId: number, id: number): Promise<TaskRow | undefined> =>
  (await tx.select().from(projectTasks).where(inProject(projectId, id)).for('no key update'))[0]

export const hasSubtasks = async (tx: Tx, id: number): Promise<boolean> =>
  (
    await tx
      .select({ id: projectTasks.id })
      .from(projectTasks)
      .where(eq(projectTasks.parentTaskId, id))
      .limit(1)
  ).length > 0

export async function insert(tx: Tx, row: typeof projectTasks.$inferInsert): Promise<number> {
  const [created] = await tx.insert(projectTasks).values(row).returning({ id: projectTasks.id })
  if (!created) throw new Error('insert returned no row')
  return created.id
}

/** The task is locked. */
export async function update(tx: Tx, id: number, set: PgUpdateSetSource<typeof projectTasks>): Promise<void> {
  await tx.update(projectTasks).set(set).where(eq(projectTasks.id, id))
}

/** With its subtasks and the comments: they cascade. The task is locked. */
export async function remove(tx: Tx, id: number): Promise<void> {
  await tx.delete(projectTasks).where(eq(projectTasks.id, id))
}
