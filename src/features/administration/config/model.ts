import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { strictObject } from '../../../lib/wire/schema'

export const ConfigView = t.Object({
  allow_registration: t.Boolean({ description: 'Anyone may register.' }),
  enforce_mfa_new_users: t.Boolean({
    description: 'New users must set up a second factor when they register.',
  }),
  allow_passwordless: t.Boolean({ description: 'Users may turn off sign-in by password.' }),
})
export type ConfigView = typeof ConfigView.static

export const ConfigChanges = strictObject(
  {
    allow_registration: Type.Optional(Type.Boolean()),
    enforce_mfa_new_users: Type.Optional(Type.Boolean()),
    allow_passwordless: Type.Optional(Type.Boolean()),
  },
  { minProperties: 1 },
)
export type ConfigChanges = typeof ConfigChanges.static
