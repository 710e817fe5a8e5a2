import { isDatabaseTrouble } from './database-failure'
import { AppError, unavailable } from './errors'

/** The number of records that an import wrote before it stopped. */
interface Taken {
  readonly created: number
  readonly updated: number
}

/**
 * Adds what was already imported to the error that stopped the import: a 409 because there is no room for more, or a 503.
 * Returns all other errors unchanged, as well as those before anything was written.
 */
export function brokenOff(error: unknown, { created, updated }: Taken): unknown {
  const known = isDatabaseTrouble(error) ? unavailable(error) : error
  if (created + updated === 0 || !(known instanceof AppError)) return error
  const { kind, message, headers, cause } = known
  if (kind !== 'conflict' && kind !== 'unavailable') return error
  const detail = `${message}: ${created} created and ${updated} updated before stay, and the same import takes up the rest`
  return new AppError(kind, detail, { code: 'import_incomplete', headers, cause })
}
