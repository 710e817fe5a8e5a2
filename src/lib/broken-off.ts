import { isDatabaseTrouble } from './database-failure'
import { AppError, unavailable } from './errors'

/** What an import has written before it stopped. */
interface Taken {
  readonly created: number
  readonly updated: number
}

/**
 * The error that stops an import midway, with what stays of it in its text: 409 where there is no room for more, and 503. Any
 * other is answered as it is, and so is one that came before anything was written.
 */
export function brokenOff(error: unknown, { created, updated }: Taken): unknown {
  const known = isDatabaseTrouble(error) ? unavailable(error) : error
  if (created + updated === 0 || !(known instanceof AppError)) return error
  const { kind, message, headers, cause } = known
  if (kind !== 'conflict' && kind !== 'unavailable') return error
  const detail = `${message}: ${created} created and ${updated} updated before stay, and the same import takes up the rest`
  return new AppError(kind, detail, { code: 'import_incomplete', headers, cause })
}
