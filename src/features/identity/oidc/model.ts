import { t } from 'elysia'
import { file, keyword, verbatim } from '../../../lib/wire/schema'
import { OIDC_PURPOSES } from './rules'

const parameter = (description: string) => t.Optional(verbatim({ min: 0, max: 8192, description }))

export const BeginQuery = t.Object({
  next: parameter('The path of this service to which the browser comes back; anything else is ignored.'),
  purpose: t.Optional(keyword(OIDC_PURPOSES, 'Signing in, by default.')),
})

/** Also what a provider adds of its own. */
export const CallbackQuery = t.Object({
  state: parameter('As it was sent to the provider.'),
  code: parameter('What the provider exchanges for its tokens.'),
  iss: parameter('The provider (RFC 9207).'),
  error: parameter('Why the provider proves nobody.'),
})

export const LogoutForm = file(
  'application/x-www-form-urlencoded',
  'One field, `logout_token` (OpenID Connect Back-Channel Logout 1.0, section 2.5).',
)
