import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../db/client'
import { positionAmongAll, positionIn, type RankedList } from '../../db/ordering'
import { projects, projectTasks } from '../../db/schema'
import type { Rank } from '../../lib/ordering'
import type { Stretch } from '../../lib/page'

/** The projects of a user, in the order that they gave them. */
export const listOf = (userId: number): RankedList => ({
  table: projects,
  isMember: eq(projects.userId, userId),
})

const own = (userId: number, id: number) => and(eq(projects.userId, userId), eq(projects.id, id))

const countOf = (tasks: SQL | undefined) =>
  sql<number>`(select count(*) from ${projectTasks} where ${tasks})::integer`

const isIn = eq(projectTasks.projectId, projects.id)
const shown = (position: SQL<number>) => ({
  ...getTableColumns(projects),
  position,
  taskCount: countOf(isIn),
  completedTaskCount: countOf(and(isIn, eq(projectTasks.status, 'completed'))),
})

export interface ProjectFilter {
  readonly userId: number
  readonly status: ProjectRow['status'] | undefined
  readonly isTracked: boolean | undefined
  readonly after: Rank | undefined
}

/** By position, `limit` rows after the key. */
export const list = (db: Db, { userId, status, isTracked, after }: ProjectFilter, limit: number) =>
  db
    .select(shown(positionIn(listOf(userId))))
    .from(projects)
    .where(
      and(
        eq(projects.userId, userId),
        status && eq(projects.status, status),
        isTracked === undefined ? undefined : eq(projects.isTracked, isTracked),
        after === undefined ? undefined : gt(projects.rank, after),
      ),
    )
    .orderBy(projects.rank)
    .limit(limit)

/** By id. */
export const stretch = (db: Db, userId: number, { afterId, limit }: Stretch) =>
  db
    .select(shown(positionIn(listOf(userId))))
    .from(projects)
    .where(and(eq(projects.userId, userId), gt(projects.id, afterId)))
    .orderBy(projects.id)
    .limit(limit)

/** All of them, by position. */
export const listAll = (tx: Tx, userId: number) =>
  tx
    .select(shown(positionAmongAll(projects)))
    .from(projects)
    .where(eq(projects.userId, userId))
    .orderBy(projects.rank)

export const find = async (db: Db | Tx, userId: number, id: number) =>
  (
    await db
      .select(shown(positionIn(listOf(userId))))
      .from(projects)
      .where(own(userId, id))
  )[0]
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
