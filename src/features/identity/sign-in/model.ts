import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { line, verbatim } from '../../../lib/wire/schema'

export const LoginBody = t.Object({
  username: line({ max: 1024 }),
  password: verbatim({ max: 1024 }),
})
export type LoginBody = typeof LoginBody.static

const mfaToken = {
  mfa_token: t.String({ description: 'Short-lived; only for the next step.' }),
  expires_in: Type.Integer({ description: 'Seconds until the token expires.' }),
}

export const LoginView = t.Union(
  [
    t.Object({ authenticated: t.Literal(true), must_change_password: t.Optional(t.Literal(true)) }),
    t.Object({ authenticated: t.Literal(false), totp_required: t.Literal(true), ...mfaToken }),
    t.Object({ authenticated: t.Literal(false), mfa_setup_required: t.Literal(true), ...mfaToken }),
  ],
  { description: 'Signed in, or the step that is still missing.' },
)
export type LoginView = typeof LoginView.static
