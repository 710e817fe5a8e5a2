import { argon2id, argon2Verify, bcryptVerify } from 'hash-wasm'

/** Parameters of new hashes: the minimum that OWASP's Password Storage Cheat Sheet requires for Argon2id. */
export const CURRENT = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 } as const

/** Computes hashes. Each engine can verify the hashes of the other. */
export interface HashEngine {
  /**
   * Returns the Argon2id hash of `password`, which must not be empty, as a PHC string with the current parameters.
   * @param salt 16 fresh random bytes, unless the engine generates its own
   */
  readonly hash: (password: string, salt: Uint8Array) => Promise<string>
  readonly verifyArgon2: (password: string, hash: string) => Promise<boolean>
  readonly verifyBcrypt: (password: string | Uint8Array, hash: string) => Promise<boolean>
}

export type HashEngineName = 'wasm' | 'native'

const wasm: HashEngine = {
  hash: (password, salt) => argon2id({ ...CURRENT, password, salt, outputType: 'encoded' }),
  verifyArgon2: (password, hash) => argon2Verify({ password, hash }),
  verifyBcrypt: (password, hash) => bcryptVerify({ password, hash }),
}

/**
 * Bun's own implementation, with one lane, a hash of 32 bytes, and a salt of 32 bytes that it generates itself. It hashes on the
 * calling thread: its processes do nothing else, and only that thread has their low priority.
 */
const native: HashEngine = {
  hash: async (password) =>
    Bun.password.hashSync(password, {
      algorithm: 'argon2id',
      memoryCost: CURRENT.memorySize,
      timeCost: CURRENT.iterations,
    }),
  verifyArgon2: async (password, hash) => Bun.password.verifySync(password, hash, 'argon2id'),
  verifyBcrypt: async (password, hash) => Bun.password.verifySync(password, hash, 'bcrypt'),
}

/** @throws {Error} in one sentence when the runtime has no native engine. */
export function hashEngine(name: HashEngineName): HashEngine {
  if (name === 'wasm') return wasm
  if (typeof Bun === 'undefined')
    throw new Error(
      'HASHER=native needs Bun, whose own password hashes it uses: set HASHER=wasm on other runtimes.',
    )
  return native
}
