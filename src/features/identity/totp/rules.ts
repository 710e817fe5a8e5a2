/** The alphabet of Crockford's base32. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 10

/** A backup code as it is shown, `XXXXX-XXXXX`, out of ten random bytes. */
export function backupCode(bytes: Uint8Array): string {
  const letters = Array.from(bytes.slice(0, LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length))
  return `${letters.slice(0, LENGTH / 2).join('')}-${letters.slice(LENGTH / 2).join('')}`
}

/** How a backup code is read: without regard to case and dash, O for 0, I and L for 1. Undefined for what is none. */
export function readBackupCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll('-', '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return code.length === LENGTH && Array.from(code).every((letter) => ALPHABET.includes(letter))
    ? code
    : undefined
}

/** How long a secret waits for its first code. */
export const SETUP_SECONDS = 600
