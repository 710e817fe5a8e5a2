import { type AppError, invalidField } from '../../../lib/errors'

const MAX_LENGTH = 32
const CANDIDATES = 100

/** The handles to try for a username, best first: the username in lower case, then with numeric suffixes. */
export function networkNameCandidates(username: string): [string, ...string[]] {
  const base = username.toLowerCase()
  const withSuffix = (suffix: string) => `${base.slice(0, MAX_LENGTH - suffix.length)}${suffix}`
  return [base, ...Array.from({ length: CANDIDATES }, (_, index) => withSuffix(String(index + 2)))]
}

/** Returns a 422 for a date of birth after `today`; both as `YYYY-MM-DD`. */
export const refusalOfFutureBirth = (
  birth: string | null | undefined,
  today: string,
): AppError | undefined =>
  (birth ?? '') > today ? invalidField('date_of_birth', 'must not be in the future') : undefined
