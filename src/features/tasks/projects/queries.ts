import { and, eq, getTableColumns, gt, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { among } from '../../../db/among'
import type { Db, Tx } from '../../../db/client'
import { bytesOf, fitting, FOLLOWED, UNCUT } from '../../../db/fitting'
import {
  lastRank,
  newPosition,
  positionAmong,
  positionAmongAll,
  rankAt,
  type RankedList,
} from '../../../db/ordering'
import { projects, projectTasks } from '../../../db/schema'
import type { Rank } from '../../../lib/ordering'
import type { ById } from '../../../lib/wire/page'

/** The projects of a user, in the user's own order. */
export const listOf = (userId: number): RankedList => ({
  table: projects,
  isMember: eq(projects.userId, userId),
  tally: { kind: 'projects', ownerId: userId },
})

const own = (userId: number, id: number) => and(eq(projects.userId, userId), eq(projects.id, id))

const countOf = (tasks: SQL | undefined) =>
  sql<number>`(select count(*) from ${projectTasks} where ${tasks})::integer`

function countsIn(project: SQLWrapper) {
  const isIn = sql`${projectTasks.projectId} = ${project}`
  return {
    taskCount: countOf(isIn),
    completedTaskCount: countOf(and(isIn, eq(projectTasks.status, 'completed'))),
  }
}

interface ProjectSelection {
  readonly userId: number
  readonly where: SQL | undefined
  readonly by: 'rank' | 'id'
  readonly limit: number
}

/** The first projects of the user, as many as fit on a page, with their positions. */
function placed(db: Db | Tx, { userId, where, by, limit }: ProjectSelection) {
  const rows = db
    .select({ ...getTableColumns(projects), bytes: bytesOf(projects.name, projects.description).as('bytes') })
    .from(projects)
    .where(and(eq(projects.userId, userId), where))
    .orderBy(projects[by])
    .limit(limit)
    .as('rows')
  return withPositions(db, userId, fitting(rows, rows[by]), by)
}

function withPositions(db: Db | Tx, userId: number, rows: SQL, by: 'rank' | 'id') {
  const page = db.$with('page', { ...getTableColumns(projects), ...FOLLOWED }).as(rows)
  return db
    .with(page)
    .select({
      ...page._.selectedFields,
      position: positionAmong(listOf(userId), page),
      ...countsIn(page.id),
    })
    .from(page)
    .orderBy(page[by])
}

export interface ProjectFilter {
  readonly userId: number
  readonly status: ProjectRow['status'] | undefined
  readonly isTracked: boolean | undefined
  readonly after: Rank | undefined
}

/** Up to `limit` rows after the key, by position; fewer if their texts are long. */
export const list = async (db: Db, { userId, status, isTracked, after }: ProjectFilter, limit: number) => {
  const where = and(
    status && eq(projects.status, status),
    isTracked === undefined ? undefined : eq(projects.isTracked, isTracked),
    after === undefined ? undefined : gt(projects.rank, after),
  )
  return placed(db, { userId, where, by: 'rank', limit })
}

/** Projects of the user, by id. */
export const pageById = async (db: Db, userId: number, by: ById) =>
  'ids' in by
    ? withPositions(db, userId, named(db, userId, by.ids), 'id')
    : placed(db, { userId, where: gt(projects.id, by.afterId), by: 'id', limit: by.limit })

const named = (db: Db, userId: number, ids: readonly number[]): SQL =>
  db
    .select({ ...getTableColumns(projects), ...UNCUT })
    .from(projects)
    .where(and(eq(projects.userId, userId), among(projects.id, ids)))
    .getSQL()

/** All projects of the user, by position. */
export const listAll = (tx: Db | Tx, userId: number) =>
  tx
    .select({
      ...getTableColumns(projects),
      position: positionAmongAll(projects),
      ...countsIn(projects.id),
    })
    .from(projects)
    .where(eq(projects.userId, userId))
    .orderBy(projects.rank)

export const find = async (db: Db | Tx, userId: number, id: number) =>
  (await placed(db, { userId, where: eq(projects.id, id), by: 'id', limit: 1 }))[0]
export type ProjectRow = typeof projects.$inferSelect
export type PlacedProject = Omit<NonNullable<Awaited<ReturnType<typeof find>>>, 'isFollowed'>

export const exists = async (db: Db, userId: number, id: number): Promise<boolean> =>
  (await db.select({ id: projects.id }).from(projects).where(own(userId, id))).length > 0

export const lock = async (tx: Tx, userId: number, id: number): Promise<ProjectRow | undefined> =>
  (await tx.select().from(projects).where(own(userId, id)).for('no key update'))[0]

/** Inserts at the position, or at the end when it is undefined. */
export async function insert(
  tx: Tx,
  row: Omit<typeof projects.$inferInsert, 'rank'>,
  position: number | undefined,
): Promise<PlacedProject> {
  const owned = listOf(row.userId)
  const [created] = await tx
    .insert(projects)
    .values({ ...row, rank: position === undefined ? lastRank(owned) : await rankAt(tx, owned, position) })
    .returning({ ...getTableColumns(projects), position: newPosition(owned, position ?? null) })
  if (!created) throw new Error('insert returned no row')
  return { ...created, taskCount: 0, completedTaskCount: 0 }
}

/** The project must be locked. */
export async function update(tx: Tx, id: number, set: PgUpdateSetSource<typeof projects>): Promise<void> {
  await tx.update(projects).set(set).where(eq(projects.id, id))
}

/** Tasks and their comments are deleted by cascade. The project must be locked. */
export async function remove(tx: Tx, id: number): Promise<void> {
  await tx.delete(projects).where(eq(projects.id, id))
}
