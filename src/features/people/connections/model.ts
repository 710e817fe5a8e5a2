import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { optionalNullable } from '../../../lib/wire/schema'
import { SharedProfileView, shareFields } from '../sharing/model'

export const ConnectionsQuery = t.Object(pageQuery)
export type ConnectionsQuery = typeof ConnectionsQuery.static

const view = {
  id: Type.Integer(),
  user_id: Type.Integer({ description: 'The other user.' }),
  network_name: t.String(),
  preferred_name: t.Nullable(t.String({ description: 'Null if it is not shared.' })),
  person_id: t.Nullable(
    Type.Integer({
      description:
        "The person record of the other user; null if it was deleted, or if the caller's quota of people was used up.",
    }),
  ),
  shared_profile: SharedProfileView,
  created_at: t.String({ format: 'date-time' }),
}

export const ConnectionView = t.Object(view, { title: 'Connection' })
export type ConnectionView = typeof ConnectionView.static

export const ConnectionsPage = t.Object({
  connections: t.Array(ConnectionView),
  next_cursor: t.Nullable(t.String()),
})
export type ConnectionsPage = typeof ConnectionsPage.static

const shown = () => t.Nullable(t.Boolean())

export const ConnectionSharingView = t.Object(
  {
    ...shareFields(shown),
  },
  { title: 'ConnectionSharing', description: 'Null follows the setting of the same name.' },
)
export type ConnectionSharingView = typeof ConnectionSharingView.static

export const SharingConnectionView = t.Object(
  { ...view, sharing: ConnectionSharingView },
  { title: 'SharingConnection' },
)
export type SharingConnectionView = typeof SharingConnectionView.static

const toggle = () => optionalNullable(Type.Boolean())

export const ConnectionSharingChanges = t.Object(shareFields(toggle))
export type ConnectionSharingChanges = typeof ConnectionSharingChanges.static
