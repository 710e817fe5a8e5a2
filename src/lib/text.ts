/** Unicode code points, which is what every length in the contract counts. */
export const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** The first `max` code points, well-formed and without NUL, as a database column can hold them. */
export const cut = (text: string, max: number): string =>
  Array.from(text.replaceAll('\0', '').toWellFormed()).slice(0, max).join('')

/** What PostgreSQL can store as text: no U+0000 and no lone surrogates. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** UTF-8 bytes of what `JSON.stringify` writes between the quotes. */
export function jsonBytes(text: string): number {
  let bytes = 0
  for (let index = 0; index < text.length; index++) bytes += unitBytes(text.charCodeAt(index))
  return bytes
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
/** Backspace, tab, line feed, form feed and carriage return. */
const SHORT_ESCAPES = new Set([8, 9, 10, 12, 13])

/** A code unit's share; each of the two that stand for one code point has half of its four bytes. */
function unitBytes(unit: number): number {
  if (unit >= 0x80) return unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3
  if (unit < 0x20) return SHORT_ESCAPES.has(unit) ? 2 : 6
  return unit === QUOTE || unit === BACKSLASH ? 2 : 1
}

const encoder = new TextEncoder()

/** SHA-256 of the UTF-8 bytes of `text`, in hex. */
export async function sha256Hex(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))).toHex()
}
