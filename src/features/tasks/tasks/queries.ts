import {
  and,
  eq,
  getTableColumns,
  gt,
  inArray,
  lte,
  ne,
  type Placeholder,
  type SQL,
  sql,
  type SQLWrapper,
} from 'drizzle-orm'
import { alias, type AnyPgColumn, type PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { among } from '../../../db/among'
import { idOf, isSelected, mostOf } from '../../../db/by-id'
import type { Db, Tx } from '../../../db/client'
import { bytesOf, fitting, FOLLOWED } from '../../../db/fitting'
import {
  lastRank,
  newPosition,
  positionAmong,
  positionAmongAll,
  rankAt,
  type RankedList,
} from '../../../db/ordering'
import { prepared } from '../../../db/prepared'
import { projects, projectTasks, taskComments } from '../../../db/schema'
import type { Rank } from '../../../lib/ordering'
import { type ById, USUAL_LIMIT } from '../../../lib/wire/page'
import { type DayKey, MAX_NESTED } from './rules'

/** The top-level tasks of a project, or the subtasks of one of them, in the owner's own order. */
export const siblingsIn = (projectId: number, parentTaskId: number | null): RankedList => ({
  table: projectTasks,
  isMember:
    parentTaskId === null
      ? sql`${projectTasks.projectId} = ${projectId} and ${projectTasks.parentTaskId} is null`
      : eq(projectTasks.parentTaskId, parentTaskId),
  tally:
    parentTaskId === null
      ? { kind: 'tasks', ownerId: projectId }
      : { kind: 'subtasks', ownerId: parentTaskId },
})

const inProject = (projectId: number, id: number) =>
  and(eq(projectTasks.projectId, projectId), eq(projectTasks.id, id))

/** The position of each task in its own list, for queries that select whole lists. */
const positionInEach = sql<number>`(row_number() over (partition by ${projectTasks.projectId}, ${projectTasks.parentTaskId} order by ${projectTasks.rank}))::integer`

const commentCountOf = (taskId: AnyPgColumn) =>
  sql<number>`(select count(*) from ${taskComments} where ${eq(taskComments.taskId, taskId)})::integer`

/** The top-level tasks of a project, or the subtasks of one of them, after a rank. */
export interface Siblings {
  readonly projectId: number
  readonly parentTaskId: number | null
  readonly after: Rank | undefined
}

type Texts = Readonly<Record<'title' | 'description', AnyPgColumn>>
const bytesOfTask = ({ title, description }: Texts) => bytesOf(title, description)

/** The bytes of a task with those subtasks that it is shown with. */
function bytesOfFamily(db: Db | Tx): SQL<number> {
  const child = alias(projectTasks, 'child')
  const nested = db
    .select({ bytes: bytesOfTask(child).as('bytes') })
    .from(child)
    .where(eq(child.parentTaskId, projectTasks.id))
    .orderBy(child.rank)
    .limit(MAX_NESTED)
    .as('nested')
  return sql`${bytesOfTask(projectTasks)} + coalesce((select sum(${nested.bytes}) from ${nested}), 0)`
}

/** Up to `limit` rows, by position; fewer if their texts are long. */
export async function listSiblings(db: Db | Tx, { projectId, parentTaskId, after }: Siblings, limit: number) {
  const list = siblingsIn(projectId, parentTaskId)
  const columns = getTableColumns(projectTasks)
  const rows = db
    .select({ ...columns, bytes: bytesOfFamily(db).as('bytes') })
    .from(projectTasks)
    .where(and(list.isMember, after === undefined ? undefined : gt(projectTasks.rank, after)))
    .orderBy(projectTasks.rank)
    .limit(limit)
    .as('rows')
  const page = db.$with('page', { ...columns, ...FOLLOWED }).as(fitting(rows, rows.rank))
  return db
    .with(page)
    .select({
      ...page._.selectedFields,
      position: positionAmong(list, page),
      commentCount: commentCountOf(page.id),
    })
    .from(page)
    .orderBy(page.rank)
}

/** The first `limit` subtasks of each of these tasks, by position. */
export function listSubtasks(db: Db | Tx, parentTaskIds: readonly number[], limit: number) {
  const parent = db
    .select({ id: projectTasks.id })
    .from(projectTasks)
    .where(among(projectTasks.id, parentTaskIds))
    .as('parent')
  const first = db
    .select({ ...getTableColumns(projectTasks), position: positionAmongAll(projectTasks).as('position') })
    .from(projectTasks)
    .where(eq(projectTasks.parentTaskId, parent.id))
    .orderBy(projectTasks.rank)
    .limit(limit)
    .as('first')
  return db
    .select({ ...first._.selectedFields, commentCount: commentCountOf(first.id) })
    .from(parent)
    .innerJoinLateral(first, sql`true`)
    .orderBy(first.rank)
}

/** All tasks and subtasks of these projects. */
const placed = (db: Db | Tx, projectIds: SQLWrapper) =>
  db
    .select({ ...getTableColumns(projectTasks), position: positionInEach.as('position') })
    .from(projectTasks)
    .where(inArray(projectTasks.projectId, projectIds))
    .as('placed')

interface Tracked {
  readonly userId: number | Placeholder
  readonly until: string | Placeholder
  readonly after?: DayKey | undefined
  readonly limit: number
}

function tracked(db: Db | Tx, { userId, until, after, limit }: Tracked) {
  const ofUser = db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.userId, userId), projects.isTracked))
  const task = placed(db, ofUser)
  const columns = { ...task._.selectedFields, projectName: projects.name }
  const rows = db
    .select({ ...columns, bytes: bytesOfTask(task).as('bytes') })
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
    .as('rows')
  const page = db.$with('page', { ...columns, ...FOLLOWED }).as(fitting(rows, rows.dueDate, rows.id))
  return db
    .with(page)
    .select({ ...page._.selectedFields, commentCount: commentCountOf(page.id) })
    .from(page)
    .orderBy(page.dueDate, page.id)
}

const firstTracked = prepared((db) =>
  tracked(db, {
    userId: sql.placeholder('userId'),
    until: sql.placeholder('until'),
    limit: USUAL_LIMIT,
  }).prepare('tasks_first_tracked'),
)

/**
 * Open tasks of tracked projects that are due on or before that day, by due date: up to `limit` rows after the key, fewer if their
 * texts are long.
 */
export const listTracked = async (
  db: Db,
  { userId, until, after }: { userId: number; until: string; after: DayKey | undefined },
  limit: number,
) =>
  after === undefined && limit === USUAL_LIMIT
    ? firstTracked(db).execute({ userId, until })
    : tracked(db, { userId, until, after, limit })

/** Tasks and subtasks of all projects of the user. */
export function pageById(db: Db, userId: number, by: ById) {
  const own = db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.userId, userId), 'ids' in by ? hasOneOf(db, by.ids) : undefined))
  const task = placed(db, own)
  return db
    .select({ ...task._.selectedFields, commentCount: commentCountOf(task.id) })
    .from(task)
    .where(isSelected(task.id, by))
    .orderBy(idOf(task.id))
    .limit(mostOf(by))
}

/** Whether one of these tasks is in the project. */
const hasOneOf = (db: Db, ids: readonly number[]) =>
  inArray(
    projects.id,
    db.select({ id: projectTasks.projectId }).from(projectTasks).where(among(projectTasks.id, ids)),
  )

export async function find(db: Db | Tx, projectId: number, id: number) {
  const page = db.$with('page').as(db.select().from(projectTasks).where(inProject(projectId, id)))
  const parent = sql`(select ${page.parentTaskId} from ${page})`
  const subtasks = { table: projectTasks, isMember: sql`${projectTasks.parentTaskId} = ${parent}` }
  // `case` evaluates only one of the two positions.
  const position = sql<number>`case when ${page.parentTaskId} is null then ${positionAmong(siblingsIn(projectId, null), page)} else ${positionAmong(subtasks, page)} end`
  const [found] = await db
    .with(page)
    .select({ ...page._.selectedFields, position, commentCount: commentCountOf(page.id) })
    .from(page)
  return found
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

/** Inserts at the position among its siblings, or at the end when it is undefined. */
export async function insert(
  tx: Tx,
  row: Omit<typeof projectTasks.$inferInsert, 'rank'>,
  position: number | undefined,
): Promise<PlacedTask> {
  const siblings = siblingsIn(row.projectId, row.parentTaskId ?? null)
  const [created] = await tx
    .insert(projectTasks)
    .values({
      ...row,
      rank: position === undefined ? lastRank(siblings) : await rankAt(tx, siblings, position),
    })
    .returning({ ...getTableColumns(projectTasks), position: newPosition(siblings, position ?? null) })
  if (!created) throw new Error('insert returned no row')
  return { ...created, commentCount: 0 }
}

/** The task must be locked. */
export async function update(tx: Tx, id: number, set: PgUpdateSetSource<typeof projectTasks>): Promise<void> {
  await tx.update(projectTasks).set(set).where(eq(projectTasks.id, id))
}

/** Subtasks and comments are deleted by cascade. The task must be locked. */
export async function remove(tx: Tx, id: number): Promise<void> {
  await tx.delete(projectTasks).where(eq(projectTasks.id, id))
}
