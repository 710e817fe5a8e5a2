import { Type } from '@sinclair/typebox'
import { t } from 'elysia'

export const IdentityView = t.Object(
  {
    id: Type.Integer(),
    issuer: t.String({ description: 'The provider.' }),
    name: t.Nullable(t.String({ description: 'As the provider last said.' })),
    email: t.Nullable(t.String({ description: 'As the provider last said; verified or not.' })),
    created_at: t.String({ format: 'date-time' }),
    last_used_at: t.Nullable(t.String({ format: 'date-time' })),
  },
  { title: 'Identity' },
)
export type IdentityView = typeof IdentityView.static

export const IdentitiesView = t.Object({ identities: t.Array(IdentityView) })
