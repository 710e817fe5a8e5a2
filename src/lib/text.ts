/** Counts Unicode code points, the unit of every length in the contract. */
export function codePoints(text: string): number {
  let count = text.length
  // The string's own iterator takes four times as long.
  for (let index = 1; index < text.length; index++) {
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) count--
  }
  return count
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** Returns the first `max` code points, well-formed and without NUL, so that the database can store them. */
export const cut = (text: string, max: number): string =>
  Array.from(text.replaceAll('\0', '').toWellFormed()).slice(0, max).join('')

/** More consecutive combining marks than any script uses (Stream-Safe Text Format, UAX #15, section 13). */
const LONG_RUN = /\p{M}{31}/u
const LONG_RUNS = /(\p{M}{30})\p{M}+/gu

/** Whether normalising the text may take quadratic time: half a megabyte of combining marks takes minutes. */
export const hasLongRuns = (text: string): boolean => LONG_RUN.test(text)

/** NFC; of a longer run of combining marks only the first 30 are kept. */
export const nfc = (text: string): string => withoutLongRuns(text).normalize('NFC')

/** NFKD, with the same limit: compatibility characters are replaced, and all characters decomposed. */
export const nfkd = (text: string): string => withoutLongRuns(text).normalize('NFKD')

const withoutLongRuns = (text: string): string => text.replace(LONG_RUNS, '$1')

/** Whether PostgreSQL can store the text: no U+0000 and no lone surrogates. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** UTF-8 bytes of the text in `JSON.stringify`, without the quotes. */
export function jsonBytes(text: string): number {
  let bytes = 0
  for (let index = 0; index < text.length; index++) bytes += unitBytes(text.charCodeAt(index))
  return bytes
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
/** Backspace, tab, line feed, form feed and carriage return. */
const SHORT_ESCAPES = new Set([8, 9, 10, 12, 13])

/** The bytes of one code unit; each of a surrogate pair counts half of the pair's four bytes. */
function unitBytes(unit: number): number {
  if (unit >= 0x80) return unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3
  if (unit < 0x20) return SHORT_ESCAPES.has(unit) ? 2 : 6
  return unit === QUOTE || unit === BACKSLASH ? 2 : 1
}

/** Control characters (Unicode category Cc) except the tab. */
const CONTROL = /[^\P{Cc}\t]/u
const CONTROLS = /[^\P{Cc}\t]/gu

/** Whether a text contains a control character other than a tab. */
export const hasControls = (text: string): boolean => CONTROL.test(text)

/** Replaces control characters by spaces. */
export const withoutControls = (text: string): string => text.replace(CONTROLS, ' ')

/** Replaces control characters within the lines, but keeps line ends. */
export const linesWithoutControls = (text: string): string => text.replace(/[^\r\n]+/g, withoutControls)

const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/
const EMBEDDING = /[\u202a-\u202e]/
const ISOLATE = /[\u2066-\u2068]/
const END_OF_ISOLATE = '\u2069'
const END_OF_PARAGRAPH = /[\r\n\u2029]/

/**
 * Removes the bidirectional controls that would affect text around this one (UAX #9, section 2): isolates that are never
 * closed, ends without a start, and embeddings and overrides outside of isolates. Keeps directional marks.
 */
export function withoutStrayDirections(text: string): string {
  if (!DIRECTIONS.test(text)) return text
  const characters = Array.from(text)
  const balanced = balancedIsolates(characters)
  let depth = 0
  const kept = characters.filter((character, at) => {
    if (EMBEDDING.test(character)) return depth > 0
    const isStart = ISOLATE.test(character)
    if (!isStart && character !== END_OF_ISOLATE) return true
    if (!balanced.has(at)) return false
    depth += isStart ? 1 : -1
    return true
  })
  return kept.join('')
}

/** The indexes of isolates' starts and ends that match; an isolate still open at the end of a paragraph has no match. */
function balancedIsolates(characters: readonly string[]): ReadonlySet<number> {
  const balanced = new Set<number>()
  let open: number[] = []
  for (const [at, character] of characters.entries()) {
    if (ISOLATE.test(character)) open.push(at)
    else if (END_OF_PARAGRAPH.test(character)) open = []
    else if (character === END_OF_ISOLATE) {
      const start = open.pop()
      if (start !== undefined) balanced.add(start).add(at)
    }
  }
  return balanced
}

const encoder = new TextEncoder()

/** SHA-256 in hex; a text is encoded as UTF-8. */
export async function sha256Hex(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).toHex()
}
