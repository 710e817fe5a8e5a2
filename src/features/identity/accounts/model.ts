import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { day, email, line, optionalNullable, verbatim } from '../../../lib/wire/schema'

const HANDLE = '^[A-Za-z0-9][A-Za-z0-9._\\-]{1,30}[A-Za-z0-9]$'
const HANDLE_PROBLEM =
  'must be letters, digits, dots, underscores and hyphens, with a letter or digit at both ends'

/** 3–32 of `A–Z a–z 0–9 . _ -`, first and last alphanumeric. */
export const handle = (description: string) =>
  line({ min: 3, max: 32, pattern: HANDLE, problem: HANDLE_PROBLEM, description, examples: ['ada'] })

/** Fields of every new account, for set-up, registration and administrators. */
export const newAccount = {
  username: handle('Unique, regardless of case.'),
  password: verbatim({
    max: 1024,
    description: 'At least 12 characters by default; must not be a common password.',
  }),
  network_name: optionalNullable(handle('The public handle; by default the username in lower case.')),
}

const preferredName = optionalNullable(line({ max: 200 }))

export const SetupBody = t.Object({
  ...newAccount,
  preferred_name: preferredName,
  email: optionalNullable(email()),
  date_of_birth: optionalNullable(day()),
})
export type SetupBody = typeof SetupBody.static

export const SetupView = t.Object({ message: t.String(), authenticated: t.Literal(true) })

export const RegisterBody = t.Object({
  ...newAccount,
  preferred_name: preferredName,
  email: email(),
  date_of_birth: day(),
})
export type RegisterBody = typeof RegisterBody.static

export const RegisterView = t.Union(
  [
    t.Object({ message: t.String(), authenticated: t.Literal(true) }),
    t.Object({
      message: t.String(),
      authenticated: t.Literal(false),
      mfa_setup_required: t.Literal(true),
      mfa_token: t.String({ description: 'For setting up the second factor only.' }),
      expires_in: Type.Integer({ description: 'Seconds until the token expires.' }),
    }),
  ],
  { description: 'Signed in, or a second factor must be set up first.' },
)
export type RegisterView = typeof RegisterView.static

/** The caller's own password, where nothing else will do. */
export const PasswordBody = t.Object({ password: verbatim({ max: 1024 }) })

const ownPassword = t.Optional(
  verbatim({
    max: 1024,
    description:
      "The caller's own. Required while `has_password` of the status is true; otherwise it is ignored, and the session must have proved itself within 15 minutes.",
  }),
)

/** The caller's own password, for actions that take a proof (contract: accounts.proof). */
export const ProofBody = t.Object({ password: ownPassword })

export const VerifiedView = t.Object({ verified: t.Literal(true) })

export const ChangePasswordBody = t.Object({
  old_password: ownPassword,
  new_password: verbatim({ max: 1024, description: 'The same rules as for a first password.' }),
  keep_feeds: Type.Optional(
    Type.Boolean({ description: 'Whether calendar feeds continue; they end unless this is true.' }),
  ),
  revoke_tokens: Type.Optional(
    Type.Boolean({
      description: 'Whether all access tokens are revoked; they continue unless this is true.',
    }),
  ),
})
export type ChangePasswordBody = typeof ChangePasswordBody.static

export const PasswordChangedView = t.Object({
  message: t.String(),
  sessions_revoked: Type.Integer({ description: 'How many other sessions ended.' }),
})
