/**
 * Returns a word for the log that says why a call to another service failed: `ECONNREFUSED`, `TimeoutError`. It is never the
 * message, which may contain the address with its query, or a header.
 */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
