import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { line, pathId } from '../../../lib/wire/schema'

const TokenScope = t.Union(
  [
    t.Literal('calendars:read'),
    t.Literal('calendars:write'),
    t.Literal('tasks:read'),
    t.Literal('tasks:write'),
    t.Literal('people:read'),
    t.Literal('people:write'),
    t.Literal('overview:read'),
    t.Literal('notifications:write'),
    t.Literal('mcp'),
    t.Literal('dav'),
  ],
  { description: 'What a token allows. `write` includes `read`; a token with `dav` is an app password.' },
)

export const TokenPath = t.Object({ id: pathId('The access token.') })

export const NewTokenBody = t.Object({
  name: line({ max: 100, examples: ['Backup script'] }),
  scopes: t.Array(TokenScope, {
    minItems: 1,
    description:
      '`dav` needs a scope of calendars, tasks or people beside it, and `mcp` that of an area. Repetitions count once.',
  }),
  expires_in_days: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 3650 }), Type.Null()], {
      description: 'A year by default; null for a token that never expires.',
    }),
  ),
})
export type NewTokenBody = typeof NewTokenBody.static

const token = {
  id: Type.Integer(),
  name: t.String(),
  scopes: t.Array(TokenScope),
  prefix: t.String({ description: 'The first characters after `org_`, by which to know the token again.' }),
  created_at: t.String({ format: 'date-time' }),
  expires_at: t.Nullable(t.String({ format: 'date-time', description: 'Null: never.' })),
  last_used_at: t.Nullable(t.String({ format: 'date-time', description: 'Accurate to a minute.' })),
  last_used_ip: t.Nullable(t.String()),
}

export const TokenView = t.Object(token, { title: 'AccessToken' })
export type TokenView = typeof TokenView.static

export const TokensView = t.Object({ tokens: t.Array(TokenView) })

export const NewTokenView = t.Object(
  {
    ...token,
    token: t.String({ description: 'The token itself; shown only once.' }),
    dav_url: t.Optional(t.String({ description: 'Where an app password is to be used.' })),
  },
  { title: 'NewAccessToken' },
)
export type NewTokenView = typeof NewTokenView.static
