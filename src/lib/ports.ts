/** What the core needs from the outside world. Adapters implement these; tests fake the clock, the hasher and the network. */

export interface Clock {
  /** The present instant. */
  now(): Date
  /** Milliseconds since an arbitrary start; never goes backwards. For durations only. */
  monotonic(): number
  /** Resolves after `ms` milliseconds. */
  sleep(ms: number): Promise<void>
}

export interface Random {
  /** `length` cryptographically secure random bytes. */
  bytes(length: number): Uint8Array
}

export interface PasswordCheck {
  readonly ok: boolean
  /** Set when the password is right and its stored hash should be replaced by this one. */
  readonly upgradedHash?: string
}

export interface PasswordHasher {
  /** An encoded Argon2id hash (PHC string) of the NFC form of `password`. */
  hash(password: string): Promise<string>
  /**
   * Whether `password` matches `hash` (Argon2id PHC string, or legacy bcrypt). A malformed hash is a wrong password.
   * @throws {HasherBusyError} when the expected wait exceeds what the hasher accepts.
   */
  verify(password: string, hash: string): Promise<PasswordCheck>
}

/** The hasher has more work queued than it can do in reasonable time. */
export class HasherBusyError extends Error {
  override name = 'HasherBusyError'
}
