import { t } from 'elysia'
import { day, email, line, optionalNullable, verbatim } from '../../lib/schema'

const HANDLE = '^[A-Za-z0-9][A-Za-z0-9._\\-]{1,30}[A-Za-z0-9]$'
const HANDLE_PROBLEM =
  'must be letters, digits, dots, underscores and hyphens, with a letter or digit at both ends'

/** 3–32 of `A–Z a–z 0–9 . _ -`, first and last alphanumeric. */
const handle = (description: string) =>
  line({ min: 3, max: 32, pattern: HANDLE, problem: HANDLE_PROBLEM, description })

export const SetupBody = t.Object({
  username: handle('Unique without regard to case.'),
  password: verbatim({
    max: 1024,
    description: 'At least 12 characters by default; none of the common ones.',
  }),
  email: optionalNullable(email()),
  date_of_birth: optionalNullable(day()),
  network_name: optionalNullable(handle('The public handle; the username in lower case unless given.')),
  preferred_name: optionalNullable(line({ max: 200 })),
})
export type SetupBody = typeof SetupBody.static

export const SetupView = t.Object({ message: t.String(), authenticated: t.Literal(true) })
