import { t } from 'elysia'
import { Type } from '@sinclair/typebox'

export const StreamQuery = t.Object({
  since: t.Optional(
    Type.String({
      minLength: 1,
      description:
        'A `next` of `GET /api/changes`, or the `id` of an event; without it, the stream begins now.',
    }),
  ),
})

export const EventStream = t.String({
  contentMediaType: 'text/event-stream',
  description: 'Server-sent events (HTML, section 9.2).',
})

export const StreamHeaders = t.Object({
  'last-event-id': t.Optional(
    t.String({ description: 'The `id` of the last event that arrived; it wins over `since`.' }),
  ),
})
