import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { line, paragraphs, optionalNullable } from '../../../lib/wire/schema'
import { ConnectionView } from '../connections/model'
import { LinkCandidateView } from '../linked-people/model'

const networkName = () =>
  line({ max: 32, description: 'The complete name, regardless of case.', examples: ['ada'] })

export const SearchBody = t.Object({ network_name: networkName() })
export type SearchBody = typeof SearchBody.static

export const SearchView = t.Object({
  found: t.Boolean(),
  network_name: t.String({ description: 'The name as it was asked for.' }),
  preferred_name: t.Optional(t.String({ description: 'Absent if it is not shared.' })),
})
export type SearchView = typeof SearchView.static

export const NewRequestBody = t.Object({
  network_name: networkName(),
  message: optionalNullable(paragraphs({ max: 500 })),
})
export type NewRequestBody = typeof NewRequestBody.static

const Direction = t.Union([t.Literal('incoming'), t.Literal('outgoing')])
const Status = t.Union([
  t.Literal('pending'),
  t.Literal('accepted'),
  t.Literal('rejected'),
  t.Literal('cancelled'),
])

export const RequestsQuery = t.Object({
  direction: t.Optional(Direction),
  status: t.Optional(Status),
  ...pageQuery,
})
export type RequestsQuery = typeof RequestsQuery.static

export const RequestView = t.Object(
  {
    id: Type.Integer(),
    direction: Direction,
    status: Status,
    user: t.Object(
      {
        id: t.Nullable(
          Type.Integer({ description: 'Null once the request is settled, unless the two are connected.' }),
        ),
        network_name: t.String(),
        preferred_name: t.Nullable(t.String({ description: 'Null if it is not shared.' })),
      },
      {
        description:
          'The other user; once the request is settled, with the names that they had at that moment.',
      },
    ),
    message: t.Nullable(t.String()),
    created_at: t.String({ format: 'date-time' }),
    responded_at: t.Nullable(t.String({ format: 'date-time' })),
  },
  { title: 'ConnectionRequest' },
)
export type RequestView = typeof RequestView.static

export const RequestsPage = t.Object({
  requests: t.Array(RequestView),
  next_cursor: t.Nullable(t.String()),
})
export type RequestsPage = typeof RequestsPage.static

export const AcceptedView = t.Object({
  request: RequestView,
  connection: ConnectionView,
  link_candidates: t.Array(LinkCandidateView, {
    description:
      "The caller's own unlinked people with the e-mail that the other user shares, at most 50. `PUT /api/people/{id}/link` links one of them.",
  }),
})
export type AcceptedView = typeof AcceptedView.static
