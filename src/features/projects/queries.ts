import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../db/client'
import { positionIn, type RankedList } from '../../db/ordering'
import { projects, projectTasks } from '../../db/schema'
import type { Rank } from '../../lib/ordering'
import type { Stretch } from '../../lib/page'

/** The projects of a user, in the order that they gave them. */
export const listOf = (userId: number): RankedList => ({
  table: projects,
  isMember: eq(projects.userId, userId),
})

const own = (userId: number, id: number) => and(eq(projects.userId, userId), eq(projects.id, id))

/** The whole list with the place of each project. No join by id: without statistics it is quadratic. */
const placed = (db: Db | Tx, userId: number) =>
  db
    .select({ ...getTableColumns(projects), position: positionIn(projects) })
    .from(projects)
    .where(listOf(userId).isMember)
    .as('placed')
type Placed = ReturnType<typeof placed>

const countOf = (tasks: SQL | undefined) =>
  sql<number>`(select count(*) from ${projectTasks} where ${tasks})::integer`

function shown(project: Placed) {
  const isIn = eq(projectTasks.projectId, project.id)
  return {
    ...project._.selectedFields,
    taskCount: countOf(isIn),
    completedTaskCount: countOf(and(isIn, eq(projectTasks.status, 'completed'))),
  }
}

export interface ProjectFilter {
  readonly userId: number
  readonly status: ProjectRow['status'] | undefined
  readonly isTracked: boolean | undefined
  readonly after: Rank | undefined
}

/** By position, `limit` rows after the key. */
export function list(db: Db, { userId, status, isTracked, after }: ProjectFilter, limit: number) {
  const project = placed(db, userId)
  return db
    .select(shown(project))
    .from(project)
    .where(
      and(
        eq(project.userId, userId),
        status && eq(project.status, status),
        isTracked === undefined ? undefined : eq(project.isTracked, isTracked),
        after === undefined ? undefined : gt(project.rank, after),
      ),
    )
    .orderBy(project.rank)
    .limit(limit)
}

/** By id. */
export function stretch(db: Db, userId: number, { afterId, limit }: Stretch) {
  const project = placed(db, userId)
  return db
    .select(shown(project))
    .from(project)
    .where(gt(project.id, afterId))
    .orderBy(project.id)
    .limit(limit)
}

/** All of them, by position. */
export function listAll(tx: Tx, userId: number) {
  const project = placed(tx, userId)
  return tx.select(shown(project)).from(project).orderBy(project.rank)
}

export async function find(db: Db | Tx, userId: number, id: number) {
  const project = placed(db, userId)
  return (await db.select(shown(project)).from(project).where(eq(project.id, id)))[0]
}
export type PlacedProject = NonNullable<Awaited<ReturnType<typeof find>>>
export type ProjectRow = typeof projects.$inferSelect

export const exists = async (db: Db, userId: number, id: number): Promise<boolean> =>
  (await db.select({ id: projects.id }).from(projects).where(own(userId, id))).length > 0

export const lock = async (tx: Tx, userId: number, id: number): Promise<ProjectRow | undefined> =>
  (await tx.select().from(projects).where(own(userId, id)).for('no key update'))[0]

export async function insert(tx: Tx, row: typeof projects.$inferInsert): Promise<number> {
  const [created] = await tx.insert(projects).values(row).returning({ id: projects.id })
  if (!created) throw new Error('insert returned no row')
  return created.id
}

/** The project is locked. */
export async function update(tx: Tx, id: number, set: PgUpdateSetSource<typeof projects>): Promise<void> {
  await tx.update(projects).set(set).where(eq(projects.id, id))
}

/** With its tasks and their comments: they cascade. The project is locked. */
export async function remove(tx: Tx, id: number): Promise<void> {
  await tx.delete(projects).where(eq(projects.id, id))
}
