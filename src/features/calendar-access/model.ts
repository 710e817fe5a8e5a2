import { Type } from '@sinclair/typebox'
import { t } from 'elysia'

export const MemberView = t.Object(
  {
    id: Type.Integer(),
    calendar_id: Type.Integer(),
    user_id: Type.Integer(),
    network_name: t.String(),
    permission: t.Union([t.Literal('read'), t.Literal('write')]),
    status: t.Union([t.Literal('pending'), t.Literal('accepted')]),
  },
  { title: 'ExportedMember' },
)
export type MemberView = typeof MemberView.static
