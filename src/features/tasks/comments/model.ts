import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { requiredParagraphs } from '../../../lib/wire/schema'

const body = () => requiredParagraphs({ max: 5000, examples: ['Done.\nSee the plan.'] })

const view = {
  id: Type.Integer(),
  body: t.String(),
  author_id: Type.Integer(),
  author_network_name: t.String(),
  created_at: t.String({ format: 'date-time' }),
  updated_at: t.String({ format: 'date-time' }),
}

export const CommentView = t.Object(view, { title: 'Comment' })
export type CommentView = typeof CommentView.static

export const PlacedCommentView = t.Object(
  { project_id: Type.Integer(), task_id: Type.Integer(), ...view },
  { title: 'PlacedComment' },
)
export type PlacedCommentView = typeof PlacedCommentView.static

export const CommentsQuery = t.Object(pageQuery)
export type CommentsQuery = typeof CommentsQuery.static

export const CommentsPage = t.Object({
  comments: t.Array(CommentView),
  next_cursor: t.Nullable(t.String()),
})
export type CommentsPage = typeof CommentsPage.static

export const NewComment = t.Object({ body: body() })
export type NewComment = typeof NewComment.static

export const CommentChanges = t.Object({ body: t.Optional(body()) })
export type CommentChanges = typeof CommentChanges.static
