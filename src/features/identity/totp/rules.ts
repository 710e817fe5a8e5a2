/** The alphabet of Crockford's base32. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 10

/** Builds a backup code as users see it, `XXXXX-XXXXX`, from ten random bytes. */
export function backupCode(bytes: Uint8Array): string {
  const letters = Array.from(bytes.slice(0, LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length))
  return `${letters.slice(0, LENGTH / 2).join('')}-${letters.slice(LENGTH / 2).join('')}`
}

/**
 * Normalises a backup code: ignores case and dashes, reads O as 0, I and L as 1. Undefined when the text is not a backup
 * code.
 */
export function readBackupCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll('-', '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return code.length === LENGTH && Array.from(code).every((letter) => ALPHABET.includes(letter))
    ? code
    : undefined
}

/** How long a new secret waits for its first code. */
export const SETUP_SECONDS = 600
