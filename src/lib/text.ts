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

const encoder = new TextEncoder()

/** SHA-256 of the UTF-8 bytes of `text`, in hex. */
export async function sha256Hex(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))).toHex()
}
