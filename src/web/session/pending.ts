/** A step of signing in that the service asked for. Its token lives in memory only: a reload leads back to the sign-in. */
export interface Pending {
  readonly step: 'code' | 'set-up'
  readonly token: string
}
