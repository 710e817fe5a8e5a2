import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { ChangeView } from '../changes/model'

export const UndoView = t.Object(
  {
    operation_id: t.String({ format: 'uuid', description: 'The undoing, which can be undone itself.' }),
    changes: t.Array(ChangeView, { description: 'What is as before, as the caller sees it now.' }),
    has_more: Type.Boolean({
      description: 'Whether there is more than these 500, which GET /api/changes has.',
    }),
  },
  { title: 'Undone' },
)
export type UndoView = typeof UndoView.static

export const OperationsQuery = t.Object(pageQuery)
export type OperationsQuery = typeof OperationsQuery.static

const TouchedType = t.Union([
  t.Literal('calendar'),
  t.Literal('event'),
  t.Literal('event_template'),
  t.Literal('todo_list'),
  t.Literal('todo'),
  t.Literal('reminder'),
  t.Literal('project'),
  t.Literal('task'),
  t.Literal('comment'),
  t.Literal('person'),
  t.Literal('address_book'),
  t.Literal('settings'),
])

const OperationView = t.Object(
  {
    id: t.String({ format: 'uuid' }),
    operation: t.String({ description: 'Its `operationId` in this document.' }),
    title: t.Nullable(t.String({ description: 'Of the first item, as it was or is.' })),
    items: t.Array(t.Object({ type: TouchedType, id: Type.Integer() }), {
      description: 'What it changed, at most 20 items.',
    }),
    created_at: t.String({ format: 'date-time' }),
    undoable: t.Boolean({
      description: 'As far as can be told without trying: others may have changed it since.',
    }),
    credential: t.Object({
      type: t.Union([t.Literal('session'), t.Literal('token')]),
      id: t.Nullable(t.Union([t.String(), Type.Integer()]), { description: 'Null when it has ended.' }),
      name: t.Nullable(
        t.String({ description: 'The name of the access token, or the program of the session.' }),
      ),
    }),
  },
  { title: 'Operation' },
)
export type OperationView = typeof OperationView.static

export const OperationsPage = t.Object({
  operations: t.Array(OperationView),
  next_cursor: t.Nullable(t.String()),
})
export type OperationsPage = typeof OperationsPage.static
