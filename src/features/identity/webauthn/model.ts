import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { optionalNullable, verbatim } from '../../../lib/wire/schema'

const base64url = (max: number, description: string) =>
  verbatim({
    max,
    pattern: '^[A-Za-z0-9_\\-]+$',
    problem: 'must be base64url',
    description,
    examples: ['AA'],
  })

/** Web Authentication Level 3, section 6.1: at most 1023 bytes. */
const credential = {
  id: base64url(1364, 'The id of the credential.'),
  rawId: base64url(1364, 'The same as `id`.'),
  type: t.Literal('public-key'),
}
const clientDataJSON = base64url(8192, 'The client data that the signature covers.')

/** The result of `PublicKeyCredential.toJSON()` after `navigator.credentials.create()`. */
export const RegistrationCredential = t.Object({
  ...credential,
  response: t.Object({
    clientDataJSON,
    attestationObject: base64url(16_384, 'The new public key.'),
    transports: t.Optional(
      t.Array(verbatim({ max: 32, pattern: '^[a-z\\-]+$', examples: ['internal'] }), { maxItems: 10 }),
    ),
  }),
})
export type RegistrationCredential = typeof RegistrationCredential.static

/** The result of `PublicKeyCredential.toJSON()` after `navigator.credentials.get()`. */
export const AssertionCredential = t.Object(
  {
    ...credential,
    response: t.Object({
      clientDataJSON,
      authenticatorData: base64url(8192, 'The data of the authenticator.'),
      signature: base64url(2048, 'Covers the authenticator data and the client data.'),
      userHandle: optionalNullable(
        base64url(86, 'The handle of the user; without it the verification fails.'),
      ),
    }),
  },
  { title: 'AssertionCredential' },
)
export type AssertionCredential = typeof AssertionCredential.static

const Descriptor = t.Object(
  { id: t.String(), type: t.Literal('public-key'), transports: t.Array(t.String()) },
  { title: 'CredentialDescriptor' },
)

const timeout = Type.Integer({ description: 'Milliseconds until the challenge expires.' })

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const RegistrationOptionsView = t.Object({
  options: t.Object({
    rp: t.Object({ id: t.String(), name: t.String() }),
    user: t.Object({ id: t.String(), name: t.String(), displayName: t.String() }),
    challenge: t.String(),
    pubKeyCredParams: t.Array(t.Object({ type: t.Literal('public-key'), alg: Type.Integer() })),
    timeout,
    excludeCredentials: t.Array(Descriptor),
    authenticatorSelection: t.Object({
      residentKey: t.Literal('required'),
      requireResidentKey: t.Literal(true),
      userVerification: t.Literal('required'),
    }),
    attestation: t.Literal('none'),
  }),
})
export type RegistrationOptionsView = typeof RegistrationOptionsView.static

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const AssertionOptionsView = t.Object(
  {
    options: t.Object({
      rpId: t.String(),
      challenge: t.String(),
      timeout,
      userVerification: t.Literal('required'),
      allowCredentials: t.Array(Descriptor, {
        description: 'Empty accepts any passkey that the authenticator knows.',
      }),
    }),
  },
  { title: 'AssertionOptions' },
)
export type AssertionOptionsView = typeof AssertionOptionsView.static
