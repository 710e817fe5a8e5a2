import { Type } from '@sinclair/typebox'
import { t } from 'elysia'

export const StatusView = t.Object(
  {
    authenticated: t.Boolean({ description: 'A valid session and an active user exist.' }),
    setup_required: t.Boolean({ description: 'There is no user yet.' }),
    user_id: t.Nullable(Type.Integer()),
    role: t.Nullable(t.Union([t.Literal('admin'), t.Literal('standard')])),
    username: t.Nullable(t.String()),
    registration_open: t.Boolean(),
    is_locked: t.Boolean({ description: 'The screen lock of this session.' }),
    passkey_count: Type.Integer(),
    has_passkeys: t.Boolean(),
    passwordless_enabled: t.Boolean(),
    has_password: t.Boolean({
      description:
        "Whether the caller's password proves anything here: one was set, and the identity provider is not the only way in. Where it is false, requests that take the password take recent authentication instead. One may still not sign in with it while `passwordless_enabled` is true.",
    }),
    oidc: t.Nullable(
      t.Object(
        {
          name: t.String({ description: 'For the button that begins the sign-in.' }),
          is_only: t.Boolean({ description: 'Passwords and passkeys are refused.' }),
        },
        {
          description: 'The identity provider with which people may sign in.',
        },
      ),
    ),
  },
  { description: 'Who the caller is.' },
)
export type StatusView = typeof StatusView.static

export const LockView = t.Object({ message: t.String(), is_locked: t.Literal(true) })
export type LockView = typeof LockView.static
