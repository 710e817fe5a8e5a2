import { inTransaction } from '../../../db/transaction'
import type { ReadDeps, WriteDeps } from '../../../deps'
import { notFound } from '../../../lib/errors'
import { isInstantKey, readPage, type ById, toFittingPage } from '../../../lib/wire/page'
import { formatInstant } from '../../../lib/time/time'
import { lockTask, requireTask, type TaskPath } from '../tasks/service'
import type {
  CommentChanges,
  CommentsPage,
  CommentsQuery,
  CommentView,
  NewComment,
  PlacedCommentView,
} from './model'
import * as q from './queries'

/** Returns a page of the comments on a task, oldest first. @throws {AppError} 404, 422 for a cursor of another list. */
export async function listComments(
  { db, config }: ReadDeps,
  task: TaskPath,
  query: CommentsQuery,
): Promise<CommentsPage> {
  const { limit, after } = readPage(query, isInstantKey)
  await requireTask(db, task)
  const rows = await q.list(db, task.taskId, after, limit + 1)
  const { page, next_cursor } = toFittingPage(rows, limit, ({ createdAt, id }) => [
    createdAt.toISOString(),
    id,
  ])
  return { comments: page.map((row) => toView(config.timeZone, row)), next_cursor }
}

/** Returns comments on the user's tasks by id: a page of them, or those that are named. */
export async function pageCommentsById(
  { db, config }: ReadDeps,
  userId: number,
  byId: ById,
): Promise<Array<PlacedCommentView>> {
  const rows = await q.pageById(db, userId, byId)
  return rows.map((row) => ({
    project_id: row.projectId,
    task_id: row.taskId,
    ...toView(config.timeZone, row),
  }))
}

/** @throws {AppError} 404. */
export async function readComment(
  { db, config }: ReadDeps,
  task: TaskPath,
  id: number,
): Promise<CommentView> {
  await requireTask(db, task)
  return toView(config.timeZone, required(await q.find(db, task.taskId, id)))
}

/** Creates a comment with the caller as its author. @throws {AppError} 404. */
export async function createComment(
  { db, clock, config }: WriteDeps,
  task: TaskPath,
  { body }: NewComment,
): Promise<CommentView> {
  const now = clock.now()
  const row = await inTransaction(db, async (tx) => {
    await lockTask(tx, task, now)
    return q.insert(tx, {
      taskId: task.taskId,
      authorId: task.session.userId,
      body,
      createdAt: now,
      updatedAt: now,
    })
  })
  return toView(config.timeZone, row)
}

/** @throws {AppError} 404. */
export async function changeComment(
  { db, clock, config }: WriteDeps,
  task: TaskPath,
  id: number,
  { body }: CommentChanges,
): Promise<CommentView> {
  const now = clock.now()
  const row = await inTransaction(db, async (tx) => {
    await lockTask(tx, task, now)
    return required(await q.update(tx, task.taskId, id, { body, updatedAt: now }))
  })
  return toView(config.timeZone, row)
}

/** @throws {AppError} 404. */
export const deleteComment = ({ db, clock }: WriteDeps, task: TaskPath, id: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockTask(tx, task, clock.now())
    if (!(await q.remove(tx, task.taskId, id))) throw notFound('Comment')
  })

function required(row: q.CommentRow | undefined): q.CommentRow {
  if (!row) throw notFound('Comment')
  return row
}

const toView = (zone: string, row: q.CommentRow): CommentView => ({
  id: row.id,
  body: row.body,
  author_id: row.authorId,
  author_network_name: row.authorNetworkName,
  created_at: formatInstant(zone, row.createdAt),
  updated_at: formatInstant(zone, row.updatedAt),
})
