import type { Random } from '../lib/ports/random'

/**
 * The platform's cryptographic random generator; nothing else generates random bytes. It returns at most 65 536 bytes at once.
 */
export const systemRandom: Random = {
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
}
