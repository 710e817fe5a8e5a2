import type { Db, Tx } from '../../../db/client'
import { arrange, idsOf, rankAt } from '../../../db/ordering'
import { projects } from '../../../db/schema'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps, WriteDeps } from '../../../deps'
import { conflict, notFound } from '../../../lib/errors'
import { isWholeOrder } from '../../../lib/ordering'
import { type ById, type PageQuery, readPage, toFittingPage } from '../../../lib/wire/page'
import { formatInstant } from '../../../lib/time/time'
import { isExpected, stale, type Target } from '../../../lib/wire/versions'
import { listVersions } from '../../../access/versions/service'
import { lockUserOf, type SessionKey } from '../../../access/sessions/service'
import type {
  NewProject,
  ProjectChanges,
  ProjectHistory,
  ProjectsPage,
  ProjectsQuery,
  ProjectView,
} from './model'
import * as q from './queries'
import { isRankKey } from './rules'

/** Returns a page of the caller's projects, by position. @throws {AppError} 422 for a cursor of another list. */
export async function listProjects(
  { db, config }: ReadDeps,
  userId: number,
  { status, is_tracked: isTracked, ...paging }: ProjectsQuery,
): Promise<ProjectsPage> {
  const { limit, after } = readPage(paging, isRankKey)
  const rows = await q.list(db, { userId, status, isTracked, after: after?.[0] }, limit + 1)
  const { page, next_cursor } = toFittingPage(rows, limit, ({ rank }) => [rank])
  return { projects: page.map((row) => toView(config.timeZone, row)), next_cursor }
}

/** Returns the user's projects by id: a page of them, or those that are named. */
export const pageProjectsById = async (
  { db, config }: ReadDeps,
  userId: number,
  byId: ById,
): Promise<ProjectView[]> => (await q.pageById(db, userId, byId)).map((row) => toView(config.timeZone, row))

/** @throws {AppError} 404. */
export const readProject = async (
  { db, config }: ReadDeps,
  userId: number,
  id: number,
): Promise<ProjectView> => toView(config.timeZone, required(await q.find(db, userId, id)))

/** Returns a page of the project's versions. @throws {AppError} 404, 422 for a cursor of another list. */
export const listProjectVersions = async (
  deps: WriteDeps,
  session: SessionKey,
  id: number,
  query: PageQuery,
): Promise<ProjectHistory> =>
  listVersions(deps, session, query, {
    table: projects,
    row: required(await q.find(deps.db, session.userId, id)),
    toViews: (rows) => rows.map((row) => toView(deps.config.timeZone, row)),
  })

/** Creates a project, at the end of the list unless a position is given. */
export function createProject(
  { db, clock, config }: WriteDeps,
  session: SessionKey,
  { name, position, ...fields }: NewProject,
): Promise<ProjectView> {
  const { userId } = session
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    await lockUserOf(tx, session, now)
    const project = { ...toColumns(fields), userId, name, createdAt: now, updatedAt: now }
    return toView(config.timeZone, await q.insert(tx, project, position))
  })
}

/** Changes the given fields. @throws {AppError} 404, 412 for another version than the expected one. */
export function changeProject(
  { db, clock, config }: WriteDeps,
  session: SessionKey,
  target: Target,
  { position, ...changes }: ProjectChanges,
): Promise<ProjectView> {
  const { userId } = session
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    const { id, version } = await lockProject(tx, session, now, target)
    const rank = position === undefined ? undefined : await rankAt(tx, q.listOf(userId), position, id)
    await q.update(tx, id, { ...toColumns(changes), rank, version: version + 1, updatedAt: now })
    return toView(config.timeZone, required(await q.find(tx, userId, id)))
  })
}

/** Deletes a project with its tasks and comments. @throws {AppError} 404, 412 for another version than the expected one. */
export const deleteProject = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  session: SessionKey,
  target: Target,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { id } = await lockProject(tx, session, clock.now(), target)
    await q.remove(tx, id)
  })

/** Gives all projects of the caller a new order. @throws {AppError} 409 unless `ids` lists each of them exactly once. */
export const reorderProjects = (
  { db, clock, config }: WriteDeps,
  session: SessionKey,
  ids: readonly number[],
): Promise<ProjectView[]> =>
  inTransaction(db, async (tx) => {
    const { userId } = session
    await lockUserOf(tx, session, clock.now())
    const list = q.listOf(userId)
    if (!isWholeOrder(ids, await idsOf(tx, list))) throw conflict('The list of projects is out of date')
    await arrange(tx, list, ids)
    return (await q.listAll(tx, userId)).map((row) => toView(config.timeZone, row))
  })

/** Returns all projects in their order. */
export const listInOrder = async ({ db, config }: ReadDeps, userId: number): Promise<ProjectView[]> =>
  (await q.listAll(db, userId)).map((row) => toView(config.timeZone, row))

/** @throws {AppError} 404 unless the user owns the project. */
export async function requireProject(db: Db, userId: number, id: number): Promise<void> {
  if (!(await q.exists(db, userId, id))) throw notFound('Project')
}

/**
 * Locks the owner and then the project. Everything that changes a project's contents locks in this order.
 * @throws {AppError} 401 when the session has ended meanwhile, 404, 412 for another version than the expected one.
 */
export async function lockProject(
  tx: Tx,
  session: SessionKey,
  now: Date,
  { id, expected }: Target,
): Promise<q.ProjectRow> {
  await lockUserOf(tx, session, now)
  const project = await q.lock(tx, session.userId, id)
  if (!project) throw notFound('Project')
  if (!isExpected(project.version, expected)) throw stale()
  return project
}

function required(row: q.PlacedProject | undefined): q.PlacedProject {
  if (!row) throw notFound('Project')
  return row
}

/** Undefined leaves a column as it is. */
const toColumns = (changes: Omit<ProjectChanges, 'position'>) => ({
  name: changes.name,
  description: changes.description,
  color: changes.color,
  status: changes.status,
  dueDate: changes.due_date,
  isTracked: changes.is_tracked,
})

const toView = (zone: string, project: q.PlacedProject): ProjectView => ({
  id: project.id,
  name: project.name,
  description: project.description,
  color: project.color,
  status: project.status,
  due_date: project.dueDate,
  is_tracked: project.isTracked,
  position: project.position,
  rank: project.rank,
  task_count: project.taskCount,
  completed_task_count: project.completedTaskCount,
  version: project.version,
  created_at: formatInstant(zone, project.createdAt),
  updated_at: formatInstant(zone, project.updatedAt),
})
