import { Type } from '@sinclair/typebox'
import { t } from 'elysia'

export const AuthMethod = t.Union([
  t.Literal('password'),
  t.Literal('totp'),
  t.Literal('backup_code'),
  t.Literal('passkey'),
  t.Literal('setup'),
  t.Literal('registration'),
  t.Literal('oidc'),
])

export const SessionView = t.Object(
  {
    id: t.String({ description: 'For ending the session; cannot be used as a credential.' }),
    created_at: t.String({ format: 'date-time' }),
    last_seen_at: t.String({ format: 'date-time', description: 'Accurate to ten minutes.' }),
    expires_at: t.String({ format: 'date-time' }),
    ip_address: t.Nullable(t.String()),
    user_agent: t.Nullable(t.String()),
    auth_method: AuthMethod,
    is_current: t.Boolean({ description: 'Whether this is the session of the request.' }),
    is_locked: t.Boolean(),
  },
  { title: 'Session' },
)
export type SessionView = typeof SessionView.static

export const SessionsView = t.Object({ sessions: t.Array(SessionView) })

export const RevokedView = t.Object({
  message: t.String(),
  revoked: Type.Integer({ description: 'How many sessions ended.' }),
})

/** May be omitted, which counts as an empty object. */
export const EndOthersBody = t.Object(
  {
    everything: Type.Optional(
      Type.Boolean({ description: 'Whether calendar feeds and access tokens end too.' }),
    ),
  },
  { 'x-omittable': true },
)
export type EndOthersBody = typeof EndOthersBody.static

export const EndedView = t.Object({
  ...RevokedView.properties,
  feeds_ended: Type.Optional(Type.Integer({ description: 'How many feeds ended; only with `everything`.' })),
  tokens_revoked: Type.Optional(
    Type.Integer({ description: 'How many access tokens were revoked; only with `everything`.' }),
  ),
})
export type EndedView = typeof EndedView.static
