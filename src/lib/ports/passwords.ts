export interface PasswordCheck {
  readonly ok: boolean
  /** Set when the password is right and its stored hash should be replaced by this one. */
  readonly upgradedHash?: string
}

/** The account that a hash is for; undefined while there is none yet. */
export interface HashOwner {
  /**
   * The user's id, or the name given at sign-in when it is unknown. The hasher works on at most two hashes of one account at a
   * time.
   */
  readonly account?: number | string | undefined
  /** Part of the hasher's capacity is reserved for sign-ins. */
  readonly isSignIn?: boolean
  /** The network that a sign-in comes from: sign-ins of one network wait for each other. */
  readonly client?: string
}

export interface PasswordHasher {
  /** An encoded Argon2id hash (PHC string) of the NFC form of `password`. */
  hash(password: string, owner?: HashOwner): Promise<string>
  /**
   * Whether `password` matches `hash` (Argon2id PHC string, or legacy bcrypt). A malformed hash is a wrong password.
   * @throws {HasherBusyError} when the expected wait exceeds what the hasher accepts.
   */
  verify(password: string, hash: string, owner?: HashOwner): Promise<PasswordCheck>
}

/** The queue of the hasher is too long. */
export class HasherBusyError extends Error {
  override name = 'HasherBusyError'
}

export interface CommonPasswords {
  has(password: string): boolean
}
