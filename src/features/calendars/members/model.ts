import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { pathId } from '../../../lib/wire/schema'

export const CalendarPath = t.Object({ id: pathId('The calendar.') })
export const MemberPath = t.Object({ ...CalendarPath.properties, member_id: pathId('The member.') })

const Permission = () =>
  t.Union([t.Literal('read'), t.Literal('write')], {
    description: '`write` also creates, changes and deletes events.',
  })

export const MembersQuery = t.Object(pageQuery)
export type MembersQuery = typeof MembersQuery.static

export const MemberView = t.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer(),
    network_name: t.String(),
    permission: Permission(),
    status: t.Union([t.Literal('pending'), t.Literal('accepted')], {
      description: 'Only an accepted member sees the calendar.',
    }),
  },
  { title: 'CalendarMember' },
)
export type MemberView = typeof MemberView.static

export const PlacedMemberView = t.Object(
  { ...MemberView.properties, calendar_id: Type.Integer() },
  { title: 'PlacedCalendarMember' },
)
export type PlacedMemberView = typeof PlacedMemberView.static

export const MembersPage = t.Object({
  members: t.Array(MemberView),
  next_cursor: t.Nullable(t.String()),
})
export type MembersPage = typeof MembersPage.static

export const NewMember = t.Object({
  user_id: Type.Integer({ description: 'A connected user.' }),
  permission: Permission(),
})
export type NewMember = typeof NewMember.static

export const MemberChanges = t.Object({ permission: t.Optional(Permission()) })
export type MemberChanges = typeof MemberChanges.static
