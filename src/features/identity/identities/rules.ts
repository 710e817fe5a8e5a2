import type { ProvedIdentity } from '../../../lib/ports/identity-provider'
import { cut, withoutControls } from '../../../lib/text'

const MAX_NAME = 200
const MAX_EMAIL = 254

const tidied = (text: string | null, max: number) =>
  text === null ? null : cut(withoutControls(text), max).trim() || null

/** What an identity is shown by, from what the provider said. */
export const shownOf = ({ name, username, email }: ProvedIdentity) => ({
  name: tidied(name ?? username, MAX_NAME),
  email: tidied(email, MAX_EMAIL),
})
