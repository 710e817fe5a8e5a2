import type { Random } from '../lib/ports'

/** The platform's cryptographic generator: the only place that draws. Gives at most 65 536 bytes at once. */
export const systemRandom: Random = {
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
}
