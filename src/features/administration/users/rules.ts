import { addHours } from '../../../lib/time/time'

const TEMPORARY_HOURS = 72

/** Letters and digits that are hard to confuse. There are 32, so that five bits of a random byte choose one uniformly. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

/** The length of a temporary password in characters (contract: accounts.temporary-passwords), and in random bytes. */
export const TEMPORARY_LENGTH = 16

export const toTemporaryPassword = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')

export const temporaryUntil = (now: Date): Date => addHours(now, TEMPORARY_HOURS)
