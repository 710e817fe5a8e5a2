import { Type } from '@sinclair/typebox'
import { t } from 'elysia'

const name = () => t.Nullable(t.String())

export const LinkCandidateView = t.Object(
  { id: Type.Integer(), first_name: name(), last_name: name(), nickname: name() },
  { title: 'LinkCandidate' },
)
export type LinkCandidate = typeof LinkCandidateView.static
