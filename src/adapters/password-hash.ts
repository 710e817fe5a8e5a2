import { argon2id, argon2Verify, bcryptVerify } from 'hash-wasm'
import type { PasswordCheck } from '../lib/ports'

/** What new hashes are made with: the least that OWASP's Password Storage Cheat Sheet asks of Argon2id. */
const CURRENT = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 } as const
const SALT_LENGTH = 16

// A stored hash that asks for more than this is corrupt: computing it would eat the machine.
const MAX_MEMORY_KIB = 262_144
const MAX_ITERATIONS = 10
const MAX_PARALLELISM = 8

const PHC =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,9}),t=([1-9]\d{0,9}),p=([1-9]\d{0,9})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
const BCRYPT = /^\$2[aby]\$(?:0[4-9]|1[0-6])\$[./A-Za-z0-9]{53}$/
const BCRYPT_MAX_BYTES = 72

/** Stands in for a password that the library would refuse, so that refusing it takes as long as checking it. */
const STAND_IN = 'stand-in'

type StoredHash = 'current' | 'outdated' | 'bcrypt' | 'corrupt'

/**
 * The Argon2id hash of the NFC form of `password` as a PHC string.
 * @param salt 16 fresh random bytes
 */
export const hashPassword = (password: string, salt: Uint8Array): Promise<string> =>
  argon2id({ ...CURRENT, password: password.normalize('NFC'), salt, outputType: 'encoded' })

/**
 * Whether `password` matches `hash`. Never fails because of either argument; what cannot be right is wrong.
 *
 * A right password under a hash that is not made with the current parameters is hashed anew, and a wrong one
 * pays for that work too, so that the time tells nothing.
 * @param salt 16 fresh random bytes for the new hash
 */
export async function verifyPassword(
  password: string,
  hash: string,
  salt: Uint8Array,
): Promise<PasswordCheck> {
  const stored = classify(hash)
  const ok = await matches(password, hash, stored)
  if (stored === 'current') return { ok }
  const upgradedHash = await hashPassword(password || STAND_IN, salt)
  return ok ? { ok, upgradedHash } : { ok }
}

async function matches(password: string, hash: string, stored: StoredHash): Promise<boolean> {
  switch (stored) {
    case 'current':
    case 'outdated': {
      const equal = await argon2Verify({ password: password.normalize('NFC') || STAND_IN, hash })
      return equal && password !== ''
    }
    case 'bcrypt': {
      const bytes = new TextEncoder().encode(password)
      const possible = bytes.length > 0 && bytes.length <= BCRYPT_MAX_BYTES
      const equal = await bcryptVerify({ password: possible ? bytes : STAND_IN, hash })
      return equal && possible
    }
    case 'corrupt':
      return false
  }
}

function classify(hash: string): StoredHash {
  if (BCRYPT.test(hash)) return 'bcrypt'
  const [, memory, iterations, parallelism, salt = '', digest = ''] = PHC.exec(hash) ?? []
  const shape = {
    memorySize: Number(memory),
    iterations: Number(iterations),
    parallelism: Number(parallelism),
    saltLength: decodedLength(salt),
    hashLength: decodedLength(digest),
  }
  if (!isComputable(shape)) return 'corrupt'
  return isCurrent(shape) ? 'current' : 'outdated'
}

interface Argon2Shape {
  readonly memorySize: number
  readonly iterations: number
  readonly parallelism: number
  readonly saltLength: number
  readonly hashLength: number
}

const isComputable = ({ memorySize, iterations, parallelism, saltLength, hashLength }: Argon2Shape) =>
  memorySize >= 8 * parallelism &&
  memorySize <= MAX_MEMORY_KIB &&
  iterations <= MAX_ITERATIONS &&
  parallelism <= MAX_PARALLELISM &&
  isPlausible(saltLength) &&
  isPlausible(hashLength)

const isCurrent = ({ memorySize, iterations, parallelism, saltLength, hashLength }: Argon2Shape) =>
  memorySize === CURRENT.memorySize &&
  iterations === CURRENT.iterations &&
  parallelism === CURRENT.parallelism &&
  saltLength >= SALT_LENGTH &&
  hashLength === CURRENT.hashLength

/** Argon2 salts have at least 8 bytes (RFC 9106, section 3.1); nothing in use has more than 64. */
const isPlausible = (byteLength: number) => byteLength >= 8 && byteLength <= 64

/** Bytes in unpadded base64, or 0 when it has no valid length. */
const decodedLength = (base64: string) => (base64.length % 4 === 1 ? 0 : Math.floor(base64.length * 0.75))
