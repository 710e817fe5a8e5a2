import { addHours } from '../../../lib/time/time'

const TEMPORARY_HOURS = 72

/** Letters and digits that nobody takes for others; 32 of them, so that five bits of a random byte choose one evenly. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

/** How many characters a temporary password has (contract: accounts.temporary-passwords), and random bytes it takes. */
export const TEMPORARY_LENGTH = 16

export const toTemporaryPassword = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')

export const temporaryUntil = (now: Date): Date => addHours(now, TEMPORARY_HOURS)
