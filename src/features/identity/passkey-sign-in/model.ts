import { t } from 'elysia'
import { LoginView } from '../sign-in/model'
import { AssertionCredential } from '../webauthn/model'

export { AssertionOptionsView } from '../webauthn/model'

export const PasskeyLoginBody = t.Object({
  credential: AssertionCredential,
  unlock: t.Optional(
    t.Boolean({
      description: 'Makes the session of the cookie recent and unlocks it, instead of opening a session.',
    }),
  ),
})
export type PasskeyLoginBody = typeof PasskeyLoginBody.static

const UnlockedView = t.Object({ authenticated: t.Literal(true), unlocked: t.Literal(true) })

export const PasskeyLoginView = t.Union([UnlockedView, LoginView], {
  description: 'Unlocked, signed in, or the step that is still missing.',
})
export type PasskeyLoginView = typeof PasskeyLoginView.static
