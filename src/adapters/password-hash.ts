import type { PasswordCheck } from '../lib/ports/passwords'
import { CURRENT, type HashEngine } from './password-hash.engines'

const SALT_LENGTH = 16

// A stored hash with higher parameters is corrupt, and computing it would overload the machine.
const MAX_MEMORY_KIB = 262_144
const MAX_ITERATIONS = 10
const MAX_PARALLELISM = 8

/** Unpadded base64 whose unused last bits are zero; engines treat other values differently. */
const BASE64 = '((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048])?)'
const PHC = new RegExp(
  String.raw`^\$argon2id\$v=19\$m=([1-9]\d{0,9}),t=([1-9]\d{0,9}),p=([1-9]\d{0,9})\$${BASE64}\$${BASE64}$`,
)
/** The same in bcrypt's alphabet. */
const BCRYPT = /^\$2[aby]\$(?:0[4-9]|1[0-6])\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/
const BCRYPT_MAX_BYTES = 72

/** Hashed instead of a password that the library would reject, so that rejecting it takes as long as checking it. */
const STAND_IN = 'stand-in'

type StoredHash = 'current' | 'outdated' | 'bcrypt' | 'corrupt'

/** Returns the Argon2id hash of the NFC form of `password` as a PHC string. @param salt 16 fresh random bytes */
export const hashPassword = (engine: HashEngine, password: string, salt: Uint8Array): Promise<string> =>
  engine.hash(password.normalize('NFC'), salt)

/**
 * Checks whether `password` matches `hash`. Neither argument can make it throw; an unusable one does not match.
 *
 * A correct password is hashed again if its hash does not have the current parameters. A wrong one takes the same time, so that
 * the time reveals nothing.
 * @param salt 16 fresh random bytes for the new hash
 */
export async function verifyPassword(
  engine: HashEngine,
  password: string,
  hash: string,
  salt: Uint8Array,
): Promise<PasswordCheck> {
  const stored = classify(hash)
  const ok = await matches(engine, password, hash, stored)
  if (stored === 'current') return { ok }
  const upgradedHash = await hashPassword(engine, password || STAND_IN, salt)
  return ok ? { ok, upgradedHash } : { ok }
}

async function matches(
  engine: HashEngine,
  password: string,
  hash: string,
  stored: StoredHash,
): Promise<boolean> {
  switch (stored) {
    case 'current':
    case 'outdated': {
      const equal = await engine.verifyArgon2(password.normalize('NFC') || STAND_IN, hash)
      return equal && password !== ''
    }
    case 'bcrypt': {
      const bytes = new TextEncoder().encode(password)
      const possible = bytes.length > 0 && bytes.length <= BCRYPT_MAX_BYTES
      const equal = await engine.verifyBcrypt(possible ? bytes : STAND_IN, hash)
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

/** Argon2 salts have at least 8 bytes (RFC 9106, section 3.1). No one uses more than 64. */
const isPlausible = (byteLength: number) => byteLength >= 8 && byteLength <= 64

/** Length in bytes of unpadded base64. */
const decodedLength = (base64: string) => Math.floor(base64.length * 0.75)
