export interface Readiness {
  /** Whether this instance can serve: the database answers in time, is migrated, and no shutdown has begun. */
  isReady(): Promise<boolean>
  /** Whether a shutdown has begun. */
  isDraining(): boolean
}
