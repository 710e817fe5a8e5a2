/** Encodings of values and the folding of lines, which vCards and iCalendar files have in common. */

/** The encoding of old address books, used for a file that is not UTF-8 and declares no encoding. */
const LEGACY = 'windows-1252'

/** Returns undefined for an unknown encoding, and with `fatal` for bytes that are not in it. */
export function decode(bytes: Uint8Array, encoding: string, fatal = false): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Decodes QUOTED-PRINTABLE (RFC 2045, section 6.7). Invalid escapes stay as they are. */
export function quotedPrintable(text: string): Uint8Array {
  const encoded = new TextEncoder().encode(text)
  const bytes = new Uint8Array(encoded.length)
  let length = 0
  for (let at = 0; at < encoded.length; at++) {
    const hex = encoded[at] === 0x3d ? String.fromCharCode(encoded[at + 1] ?? 0, encoded[at + 2] ?? 0) : ''
    const isEscape = /^[0-9A-Fa-f]{2}$/.test(hex)
    bytes[length++] = isEscape ? Number.parseInt(hex, 16) : (encoded[at] ?? 0)
    if (isEscape) at += 2
  }
  return bytes.subarray(0, length)
}

/** Decodes with the given charset, or else as UTF-8 if it is valid, or else as the former Windows encoding. */
export const decodeText = (bytes: Uint8Array, charset: string): string =>
  (charset === '' ? decode(bytes, 'utf-8', true) : decode(bytes, charset)) ?? decode(bytes, LEGACY) ?? ''

/** Rewrites a value of vCard 2.1, where `\;` is the only escape and commas are plain, for 4.0. */
export const escapeLegacy = (value: string): string =>
  value
    .replace(/\\(?![;,nN\\])/g, '\\\\')
    .replace(/(?<!\\),/g, '\\,')
    .replace(/\r\n|\n|\r/g, '\\n')

const MAX_OCTETS = 75

const octetsOf = (codePoint: number): number => {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}

/**
 * Folds a content line into lines of at most 75 octets, including the leading space of each further line. It never splits a
 * character (RFC 5545, section 3.1; RFC 6350, section 3.2).
 */
export function fold(line: string, lineBreak = '\r\n'): string {
  const pieces: string[] = []
  let [start, octets] = [0, 0]
  for (let at = 0; at < line.length;) {
    const codePoint = line.codePointAt(at) ?? 0
    const size = octetsOf(codePoint)
    if (octets + size > MAX_OCTETS) {
      pieces.push(line.slice(start, at))
      start = at
      octets = 1
    }
    octets += size
    at += codePoint > 0xffff ? 2 : 1
  }
  return [...pieces, line.slice(start)].join(`${lineBreak} `)
}

/** No program writes longer heads, and searching a whole picture for one would take long. */
export const MAX_HEAD_LENGTH = 8192

/** The name and its parameters: everything before the first colon outside quotes. */
export const headOf = (line: string): string =>
  /^(?:[^":]|"[^"]*")*(?=:)/.exec(line.slice(0, MAX_HEAD_LENGTH))?.[0] ?? ''
