import { t } from 'elysia'
import { ProofBody } from '../accounts/model'
import { AssertionCredential } from '../webauthn/model'

export { AssertionOptionsView } from '../webauthn/model'

export const PasswordlessEnableBody = t.Object(ProofBody.properties, {
  title: 'PasswordlessEnableRequest',
})

export const PasswordlessDisableBody = t.Object(
  { credential: AssertionCredential },
  { title: 'PasswordlessDisableRequest' },
)
export type PasswordlessDisableBody = typeof PasswordlessDisableBody.static

export const PasswordlessEnabledView = t.Object({
  message: t.String(),
  passwordless_enabled: t.Literal(true),
})

export const PasswordlessDisabledView = t.Object({
  message: t.String(),
  passwordless_enabled: t.Literal(false),
})
