import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { verbatim } from '../../../lib/wire/schema'
import { backupCodesField, code } from '../totp/model'

export { TotpSetupView } from '../totp/model'

const mfaToken = verbatim({
  max: 1024,
  description: 'From the sign-in or the registration that requires the second factor.',
})

export const MfaVerifyBody = t.Object({
  mfa_token: mfaToken,
  code: code('Of the authenticator, or a backup code.'),
})
export type MfaVerifyBody = typeof MfaVerifyBody.static

const mustChangePassword = t.Optional(t.Literal(true))

export const MfaVerifiedView = t.Object({
  authenticated: t.Literal(true),
  must_change_password: mustChangePassword,
  backup_codes_remaining: t.Optional(Type.Integer({ description: 'Only after a backup code was used.' })),
})
export type MfaVerifiedView = typeof MfaVerifiedView.static

export const MfaSetupBody = t.Object({ mfa_token: mfaToken })

export const MfaSetupConfirmBody = t.Object({ mfa_token: mfaToken, code: code('Of the authenticator.') })
export type MfaSetupConfirmBody = typeof MfaSetupConfirmBody.static

export const MfaSetupDoneView = t.Object({
  authenticated: t.Literal(true),
  must_change_password: mustChangePassword,
  backup_codes: backupCodesField,
})
export type MfaSetupDoneView = typeof MfaSetupDoneView.static
