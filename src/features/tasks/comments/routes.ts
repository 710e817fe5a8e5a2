import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { pathId } from '../../../lib/wire/schema'
import { CommentChanges, CommentsPage, CommentsQuery, CommentView, NewComment } from './model'
import * as comments from './service'

const path = { id: pathId('Of the project.'), task_id: pathId('Of the task or subtask.') }
const CommentsPath = t.Object(path)
const CommentPath = t.Object({ ...path, comment_id: pathId('Of the comment.') })

interface CallerSession {
  readonly id: string
  readonly userId: number
}

/** @throws {AppError} 404. */
const readTaskPath = (session: CallerSession, { id, task_id }: typeof CommentsPath.static) => ({
  session,
  projectId: readId(id, 'Project'),
  taskId: readId(task_id, 'Task'),
})

export const commentRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({
    name: 'comments.routes',
    prefix: '/api/projects/:id/tasks/:task_id/comments',
    tags: ['Tasks'],
  })
    .use(guard)
    .get(
      '',
      ({ session, params, query }) => comments.listComments(deps, readTaskPath(session, params), query),
      {
        session: { scope: 'tasks:read' },
        params: CommentsPath,
        query: CommentsQuery,
        response: { 200: CommentsPage, 404: ErrorBody },
        detail: {
          operationId: 'listComments',
          summary: 'List the comments on a task',
          description: 'Oldest first.',
        },
      },
    )
    .post(
      '',
      async ({ session, params, body, status }) =>
        status(201, await comments.createComment(deps, readTaskPath(session, params), body)),
      {
        session: { scope: 'tasks:write' },
        params: CommentsPath,
        body: NewComment,
        response: { 201: CommentView, 404: ErrorBody, 409: ErrorBody },
        detail: { operationId: 'createComment', summary: 'Comment on a task' },
      },
    )
    .get(
      '/:comment_id',
      ({ session, params }) => {
        const task = readTaskPath(session, params)
        return comments.readComment(deps, task, readId(params.comment_id, 'Comment'))
      },
      {
        session: { scope: 'tasks:read' },
        params: CommentPath,
        response: { 200: CommentView, 404: ErrorBody },
        detail: { operationId: 'getComment', summary: 'Read a comment' },
      },
    )
    .put(
      '/:comment_id',
      ({ session, params, body }) => {
        const task = readTaskPath(session, params)
        return comments.changeComment(deps, task, readId(params.comment_id, 'Comment'), body)
      },
      {
        session: { scope: 'tasks:write' },
        params: CommentPath,
        body: CommentChanges,
        response: { 200: CommentView, 404: ErrorBody },
        detail: { operationId: 'changeComment', summary: 'Change a comment' },
      },
    )
    .delete(
      '/:comment_id',
      async ({ session, params, status }) => {
        const task = readTaskPath(session, params)
        await comments.deleteComment(deps, task, readId(params.comment_id, 'Comment'))
        return status(204, undefined)
      },
      {
        session: { scope: 'tasks:write' },
        params: CommentPath,
        response: { 204: t.Void(), 404: ErrorBody },
        detail: { operationId: 'deleteComment', summary: 'Delete a comment' },
      },
    )
