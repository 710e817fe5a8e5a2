import { AppError } from './errors'

/** Crockford's base32 in lower case. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const MARK = 'org_'
/** Random bytes of a token. */
export const SECRET_BYTES = 20
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 4
const PREFIX_LENGTH = 8
const FORM = new RegExp(`^${MARK}[${ALPHABET}]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

/** Builds the text of a token from 20 random bytes (contract: tokens.form). */
export function toTokenText(secret: Uint8Array): string {
  const text = MARK + base32(secret)
  return text + checksumOf(text)
}

/** Whether the text has the form of a token and its checksum, so that only slips of the pen and forgeries are refused. */
export const isTokenText = (text: string): boolean =>
  FORM.test(text) && text.slice(-CHECKSUM_LENGTH) === checksumOf(text.slice(0, -CHECKSUM_LENGTH))

/** The beginning of the secret part, by which an owner knows a token again. */
export const prefixOf = (text: string): string => text.slice(MARK.length, MARK.length + PREFIX_LENGTH)

/** Five bits a character, the highest first; the length is a multiple of five bytes. */
function base32(bytes: Uint8Array): string {
  let bits = 0n
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte)
  return lettersOf(bits, (bytes.length * 8) / 5)
}

/** The lowest 20 bits of the text's CRC-32. */
const checksumOf = (text: string): string => lettersOf(BigInt(crc32(text)), CHECKSUM_LENGTH)

/** The lowest `count` groups of five bits, the highest first. */
const lettersOf = (bits: bigint, count: number): string =>
  Array.from({ length: count }, (_, place) => {
    const group = (bits >> BigInt(5 * (count - 1 - place))) & 31n
    return ALPHABET.charAt(Number(group))
  }).join('')

/** CRC-32 of ISO 3309, as in zlib and PNG, of an ASCII text. */
function crc32(text: string): number {
  let crc = ~0
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1))
  }
  return ~crc >>> 0
}

const CHALLENGE = 'Bearer realm="organiser"'

/** The 401 of every request whose access token lets nobody in; it does not say why (contract: tokens.use). */
export const invalidToken = () =>
  new AppError('unauthenticated', 'Invalid or expired access token', {
    headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` },
  })

/** The 403 of a token without the scope; `scope` is undefined where none would help (contract: tokens.scopes). */
export const insufficientScope = (scope?: string) =>
  new AppError('forbidden', 'This access token may not do that', {
    code: 'insufficient_scope',
    headers: {
      'www-authenticate': `${CHALLENGE}, error="insufficient_scope"${scope === undefined ? '' : `, scope="${scope}"`}`,
    },
  })
