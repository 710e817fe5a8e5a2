import { t } from 'elysia'
import { verbatim } from '../../lib/schema'
import { AssertionCredential } from '../webauthn/model'

export { AssertionOptionsView } from '../webauthn/model'

export const PasswordlessEnableBody = t.Object({ password: verbatim({ max: 1024 }) })

export const PasswordlessDisableBody = t.Object({ credential: AssertionCredential })
export type PasswordlessDisableBody = typeof PasswordlessDisableBody.static

export const PasswordlessEnabledView = t.Object({
  message: t.String(),
  passwordless_enabled: t.Literal(true),
})

export const PasswordlessDisabledView = t.Object({
  message: t.String(),
  passwordless_enabled: t.Literal(false),
})
