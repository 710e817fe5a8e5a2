import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { line } from '../../../lib/wire/schema'
import { RegistrationCredential } from '../webauthn/model'

export { RegistrationOptionsView } from '../webauthn/model'

const name = () => line({ max: 64, examples: ['Phone'] })

export const RegisterPasskeyBody = t.Object({
  credential: RegistrationCredential,
  name: t.Optional(name()),
})
export type RegisterPasskeyBody = typeof RegisterPasskeyBody.static

export const RenamePasskeyBody = t.Object({ name: name() })

export const PasskeyView = t.Object(
  {
    id: Type.Integer(),
    name: t.String(),
    created_at: t.String({ format: 'date-time' }),
    last_used_at: t.Nullable(t.String({ format: 'date-time' })),
    device_type: t.Union([t.Literal('singleDevice'), t.Literal('multiDevice')], {
      description: 'Whether the passkey stays on one device.',
    }),
    backed_up: t.Boolean(),
    transports: t.Array(t.String(), { description: 'How browsers communicate with the authenticator.' }),
  },
  { title: 'Passkey' },
)
export type PasskeyView = typeof PasskeyView.static

export const PasskeysView = t.Object({ passkeys: t.Array(PasskeyView) })
