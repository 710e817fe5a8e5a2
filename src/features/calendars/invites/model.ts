import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { pathId } from '../../../lib/wire/schema'

export { CalendarView } from '../calendars/model'

export const InvitePath = t.Object({ id: pathId('The invite.') })

export const InvitesQuery = t.Object(pageQuery)
export type InvitesQuery = typeof InvitesQuery.static

export const InviteView = t.Object(
  {
    id: Type.Integer(),
    calendar_id: Type.Integer(),
    calendar_name: t.String(),
    owner_network_name: t.String(),
    permission: t.Union([t.Literal('read'), t.Literal('write')]),
    created_at: t.String({ format: 'date-time' }),
  },
  { title: 'CalendarInvite' },
)
export type InviteView = typeof InviteView.static

export const InvitesPage = t.Object({
  invites: t.Array(InviteView),
  next_cursor: t.Nullable(t.String()),
})
export type InvitesPage = typeof InvitesPage.static
