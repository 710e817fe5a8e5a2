/**
 * Why a call to another service failed, as a word for the log: `ECONNREFUSED`, `TimeoutError`. Never the message, which
 * may hold the address with its query, or a header.
 */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
