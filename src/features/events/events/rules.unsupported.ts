import { conflict } from '../../../lib/errors'

/**
 * Refuses a change of the times or the rule of an event whose text says more than its columns (contract: events.text).
 * @throws {AppError} 409.
 */
export function refuseUnsupported({
  recurrenceUnsupported,
}: {
  readonly recurrenceUnsupported: boolean
}): void {
  if (recurrenceUnsupported) throw conflict('Change this in the program that made it')
}
