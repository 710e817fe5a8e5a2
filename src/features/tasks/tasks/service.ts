import type { Db, Tx } from '../../../db/client'
import { arrange, idsOf, lastRank, rankAt } from '../../../db/ordering'
import { projectTasks } from '../../../db/schema'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps, WriteDeps } from '../../../deps'
import { conflict, notFound } from '../../../lib/errors'
import { isWholeOrder } from '../../../lib/ordering'
import { type ById, type PageQuery, readPage, toFittingPage, toPage } from '../../../lib/wire/page'
import { dayIn, formatInstant } from '../../../lib/time/time'
import { type ExpectedVersions, isExpected, stale } from '../../../lib/wire/versions'
import { isRankKey } from '../projects/rules'
import { lockProject, requireProject } from '../projects/service'
import { listVersions } from '../../../access/versions/service'
import type { SessionKey } from '../../../access/sessions/service'
import { type Owner } from '../../../access/sessions/service'
import { zoneOf } from '../../../access/reader/service'
import type {
  NewTask,
  SubtaskView,
  TaskChanges,
  TaskHistory,
  TaskOrder,
  TasksPage,
  TasksQuery,
  TaskView,
  TrackedTasksPage,
  TrackedTasksQuery,
} from './model'
import * as q from './queries'
import { isDayKey, lastDayWithin, MAX_NESTED, refusalOfParent } from './rules'

/** A project as a path names it, with the caller's session. */
export interface ProjectPath {
  readonly session: SessionKey
  readonly projectId: number
}

export interface TaskPath extends ProjectPath {
  readonly taskId: number
}

/**
 * Returns a page of top-level tasks by position, each with its first subtasks, or of the subtasks of one task.
 * @throws {AppError} 404 for the project and the parent, 422 for a cursor of another list.
 */
export async function listTasks(
  { db, config }: ReadDeps,
  { session, projectId }: ProjectPath,
  { parent_task_id, ...paging }: TasksQuery,
): Promise<TasksPage> {
  const parentTaskId = parent_task_id ?? null
  const { limit, after } = readPage(paging, isRankKey)
  await requireProject(db, session.userId, projectId)
  if (parentTaskId !== null && !(await q.exists(db, projectId, parentTaskId))) throw notFound('Task')
  return pageOf(db, config.timeZone, { projectId, parentTaskId, after: after?.[0] }, limit)
}

async function pageOf(db: Db | Tx, zone: string, siblings: q.Siblings, limit: number): Promise<TasksPage> {
  const rows = await q.listSiblings(db, siblings, limit + 1)
  const { page, next_cursor } = toFittingPage(rows, limit, ({ rank }) => [rank])
  return { tasks: await withSubtasks(db, zone, page), next_cursor }
}

/** The owner of the tasks; their settings determine when their day begins. */
interface Reader {
  readonly userId: number
  readonly owner?: Owner
}

/**
 * Returns open tasks of tracked projects, whatever the projects' status, that are overdue or due within `days` of `today`, by due
 * date.
 * @throws {AppError} 422 for a cursor of another list.
 */
export async function listTrackedTasks(
  { db, clock, config }: WriteDeps,
  { userId, owner }: Reader,
  { days = 7, ...paging }: TrackedTasksQuery,
  today = dayIn(zoneOf(config, owner), clock.now()),
): Promise<TrackedTasksPage> {
  const { limit, after } = readPage(paging, isDayKey)
  const until = lastDayWithin(today, days)
  const rows = await q.listTracked(db, { userId, until, after }, limit + 1)
  const { page, next_cursor } = toFittingPage(rows, limit, ({ dueDate, id }) => [dueDate ?? '', id])
  const tasks = page.map((row) => ({ ...toView(config.timeZone, row), project_name: row.projectName }))
  return { tasks, next_cursor }
}

/** Returns tasks and subtasks of the user as a flat list by id: a page of them, or those that are named. */
export const pageTasksById = async (
  { db, config }: ReadDeps,
  userId: number,
  byId: ById,
): Promise<SubtaskView[]> => (await q.pageById(db, userId, byId)).map((row) => toView(config.timeZone, row))

/** @throws {AppError} 404. */
export async function readTask({ db, config }: ReadDeps, path: TaskPath): Promise<TaskView> {
  await requireProject(db, path.session.userId, path.projectId)
  return read(db, config.timeZone, path)
}

/** Returns a page of the task's versions, without subtasks. @throws {AppError} 404, 422 for a cursor of another list. */
export async function listTaskVersions(
  deps: WriteDeps,
  { session, projectId, taskId }: TaskPath,
  query: PageQuery,
): Promise<TaskHistory> {
  await requireProject(deps.db, session.userId, projectId)
  return listVersions(deps, session, query, {
    table: projectTasks,
    row: required(await q.find(deps.db, projectId, taskId)),
    toViews: (rows) => rows.map((row) => toView(deps.config.timeZone, row)),
  })
}

/**
 * Creates a task, at the end of its list unless a position is given.
 * @throws {AppError} 404 for the project or the parent, 409 for a parent that is a subtask.
 */
export function createTask(
  { db, clock, config }: WriteDeps,
  { session, projectId }: ProjectPath,
  { title, parent_task_id: parentTaskId = null, position, ...fields }: NewTask,
): Promise<TaskView> {
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    await lockProject(tx, session, now, { id: projectId, expected: undefined })
    if (parentTaskId !== null) await refuseParent(tx, projectId, parentTaskId, null)
    const task = { ...toColumns(fields), projectId, parentTaskId, title, createdAt: now, updatedAt: now }
    const row = await q.insert(tx, task, position)
    return { ...toView(config.timeZone, row), subtasks: [], subtasks_next_cursor: null }
  })
}

/**
 * Changes the given fields. A task that moves to another parent goes to the end unless a position is given.
 * @throws {AppError} 404 for the project, the task or the parent, 412 for another version than the expected one, 409 for a second
 * level of subtasks.
 */
export function changeTask(
  { db, clock, config }: WriteDeps,
  path: TaskPath,
  expected: ExpectedVersions,
  changes: TaskChanges,
): Promise<TaskView> {
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    const stored = await lockTask(tx, path, now, expected)
    const place = await placeOf(tx, stored, changes)
    await q.update(tx, stored.id, {
      ...toColumns(changes),
      ...place,
      version: stored.version + 1,
      updatedAt: now,
    })
    return read(tx, config.timeZone, path)
  })
}

/** Returns the new parent and rank, or nothing when the task stays where it is. @throws {AppError} 404, 409. */
async function placeOf(
  tx: Tx,
  stored: q.TaskRow,
  { parent_task_id: parentTaskId = stored.parentTaskId, position }: TaskChanges,
) {
  const { id, projectId } = stored
  const changesParent = parentTaskId !== stored.parentTaskId
  if (!changesParent && position === undefined) return {}
  if (changesParent && parentTaskId !== null) await refuseParent(tx, projectId, parentTaskId, id)
  const siblings = q.siblingsIn(projectId, parentTaskId)
  const rank = position === undefined ? lastRank(siblings, id) : await rankAt(tx, siblings, position, id)
  return { parentTaskId, rank }
}

/** `taskId` is null for a new task. @throws {AppError} 404 for a parent that is not in the project, 409 for a second level. */
async function refuseParent(
  tx: Tx,
  projectId: number,
  parentTaskId: number,
  taskId: number | null,
): Promise<void> {
  const parent = required(await q.lock(tx, projectId, parentTaskId))
  const task = taskId === null ? null : { id: taskId, hasSubtasks: await q.hasSubtasks(tx, taskId) }
  const refusal = refusalOfParent(parent, task)
  if (refusal) throw refusal
}

/** Deletes a task with its subtasks and comments. @throws {AppError} 404, 412 for another version than the expected one. */
export const deleteTask = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  path: TaskPath,
  expected: ExpectedVersions,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockTask(tx, path, clock.now(), expected)
    await q.remove(tx, path.taskId)
  })

/**
 * Gives siblings a new order and returns them as `listTasks` does.
 * @throws {AppError} 404, 409 unless the ids are exactly those of the siblings.
 */
export const reorderTasks = (
  { db, clock, config }: WriteDeps,
  { session, projectId }: ProjectPath,
  { parent_task_id: parentTaskId = null, task_ids: ids }: TaskOrder,
): Promise<TasksPage> =>
  inTransaction(db, async (tx) => {
    await lockProject(tx, session, clock.now(), { id: projectId, expected: undefined })
    if (parentTaskId !== null) required(await q.lock(tx, projectId, parentTaskId))
    const list = q.siblingsIn(projectId, parentTaskId)
    if (!isWholeOrder(ids, await idsOf(tx, list))) throw conflict('The list of tasks is out of date')
    await arrange(tx, list, ids)
    return pageOf(tx, config.timeZone, { projectId, parentTaskId, after: undefined }, ids.length)
  })

/** Reads what `reorderTasks` has answered, as it is now. @throws {AppError} 404. */
export async function listReordered(
  { db, config }: ReadDeps,
  { session, projectId }: ProjectPath,
  { parent_task_id: parentTaskId = null, task_ids: ids }: TaskOrder,
): Promise<TasksPage> {
  await requireProject(db, session.userId, projectId)
  return pageOf(db, config.timeZone, { projectId, parentTaskId, after: undefined }, ids.length)
}

/** @throws {AppError} 404 unless the user owns the project and the task is in it. */
export async function requireTask(db: Db, { session, projectId, taskId }: TaskPath): Promise<void> {
  await requireProject(db, session.userId, projectId)
  if (!(await q.exists(db, projectId, taskId))) throw notFound('Task')
}

/**
 * Locks the owner, the project and the task, in this order.
 * @throws {AppError} 401 when the session has ended meanwhile, 404, 412 for another version than the expected one.
 */
export async function lockTask(
  tx: Tx,
  { session, projectId, taskId }: TaskPath,
  now: Date,
  expected?: ExpectedVersions,
): Promise<q.TaskRow> {
  await lockProject(tx, session, now, { id: projectId, expected: undefined })
  const task = required(await q.lock(tx, projectId, taskId))
  if (!isExpected(task.version, expected)) throw stale()
  return task
}

function required<T>(task: T | undefined): T {
  if (task === undefined) throw notFound('Task')
  return task
}

/** Undefined leaves a column as it is. */
const toColumns = (changes: TaskChanges) => ({
  title: changes.title,
  description: changes.description,
  status: changes.status,
  priority: changes.priority,
  dueDate: changes.due_date,
})

async function read(
  db: Db | Tx,
  zone: string,
  { projectId, taskId }: Omit<TaskPath, 'session'>,
): Promise<TaskView> {
  const row = required(await q.find(db, projectId, taskId))
  return required((await withSubtasks(db, zone, [row]))[0])
}

async function withSubtasks(db: Db | Tx, zone: string, rows: readonly q.PlacedTask[]): Promise<TaskView[]> {
  const ids = rows.map(({ id }) => id)
  const found = await q.listSubtasks(db, ids, MAX_NESTED + 1)
  const subtasks = Map.groupBy(found, ({ parentTaskId }) => parentTaskId)
  return rows.map((row) => {
    const { page, next_cursor } = toPage(subtasks.get(row.id) ?? [], MAX_NESTED, ({ rank }) => [rank])
    return {
      ...toView(zone, row),
      subtasks: page.map((subtask) => toView(zone, subtask)),
      subtasks_next_cursor: next_cursor,
    }
  })
}

const toView = (zone: string, task: q.PlacedTask): SubtaskView => ({
  id: task.id,
  project_id: task.projectId,
  parent_task_id: task.parentTaskId,
  title: task.title,
  description: task.description,
  status: task.status,
  priority: task.priority,
  due_date: task.dueDate,
  position: task.position,
  rank: task.rank,
  comment_count: task.commentCount,
  version: task.version,
  created_at: formatInstant(zone, task.createdAt),
  updated_at: formatInstant(zone, task.updatedAt),
})
