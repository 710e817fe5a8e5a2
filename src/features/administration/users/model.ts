import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { day, email, optionalNullable, strictObject } from '../../../lib/wire/schema'
import { newAccount } from '../../identity/accounts/model'
import { Role } from '../directory/model'

export const NewUserBody = strictObject({
  ...newAccount,
  role: Type.Optional(Role),
  email: optionalNullable(email()),
  date_of_birth: optionalNullable(day()),
  must_change_password: Type.Optional(
    Type.Boolean({ description: 'Whether the user must choose another password first; false by default.' }),
  ),
})
export type NewUserBody = typeof NewUserBody.static

export const RoleBody = strictObject({ role: Role })
export const ActiveBody = strictObject({ is_active: Type.Boolean() })
export const EnforceMfaBody = strictObject({ enforce: Type.Boolean() })
export const PasswordlessBody = strictObject(
  { enabled: Type.Boolean({ description: 'Only false: users enable it themselves.' }) },
  { title: 'TogglePasswordlessRequest' },
)

export const TemporaryPasswordView = t.Object({
  temporary_password: t.String({ description: 'Shown only once.' }),
  expires_at: t.String({ format: 'date-time', description: 'From then on the password is refused.' }),
})
export type TemporaryPasswordView = typeof TemporaryPasswordView.static

export const TokensRevokedView = t.Object({
  message: t.String(),
  revoked: Type.Integer({ description: 'How many access tokens that had not expired were revoked.' }),
})

export { RevokedView } from '../../identity/active-sessions/model'
export { UserPath, UserView } from '../directory/model'
