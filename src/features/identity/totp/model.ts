import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { verbatim } from '../../../lib/wire/schema'
import { ProofBody } from '../accounts/model'

/** A code of an authenticator or, where the description says so, a backup code. */
export const code = (description: string) => verbatim({ max: 64, description, examples: ['123456'] })

export const TotpSetupView = t.Object(
  {
    secret: t.String({ description: '32 characters of base32, for typing in.' }),
    otpauth_uri: t.String({ description: 'For a QR code.' }),
    expires_in: Type.Integer({ description: 'Seconds until the secret must be confirmed.' }),
  },
  { title: 'TotpSetup' },
)
export type TotpSetupView = typeof TotpSetupView.static

export const TotpConfirmBody = t.Object({ code: code('Of the authenticator.') })

export const backupCodesField = t.Array(t.String(), {
  description: 'Ten codes of `XXXXX-XXXXX`, each valid once; shown only once.',
})

export const TotpEnabledView = t.Object({
  message: t.String(),
  totp_enabled: t.Literal(true),
  backup_codes: backupCodesField,
})

export const TotpDisableBody = t.Object({
  ...ProofBody.properties,
  code: code('Of the authenticator, or a backup code.'),
})
export type TotpDisableBody = typeof TotpDisableBody.static

export const BackupCodesBody = t.Object({
  ...ProofBody.properties,
  code: t.Optional(
    code('Of the authenticator; not needed in a session that has proved itself within 15 minutes.'),
  ),
})

export type BackupCodesBody = typeof BackupCodesBody.static

export const TotpStatusView = t.Object({
  enabled: t.Boolean(),
  confirmed_at: t.Nullable(t.String({ format: 'date-time' })),
  backup_codes_remaining: Type.Integer(),
  required: t.Boolean({ description: 'An administrator requires a second factor.' }),
})
export type TotpStatusView = typeof TotpStatusView.static

export const BackupCodesView = t.Object({ backup_codes: backupCodesField })
