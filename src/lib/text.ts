/** Unicode code points, which is what every length in the contract counts. */
export function codePoints(text: string): number {
  let count = text.length
  // Not by the text's own iterator, which takes four times as long.
  for (let index = 1; index < text.length; index++) {
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) count--
  }
  return count
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** The first `max` code points, well-formed and without NUL, as a database column can hold them. */
export const cut = (text: string, max: number): string =>
  Array.from(text.replaceAll('\0', '').toWellFormed()).slice(0, max).join('')

/** More combining marks in a row than any script has (Stream-Safe Text Format, UAX #15, section 13). */
const LONG_RUN = /\p{M}{31}/u
const LONG_RUNS = /(\p{M}{30})\p{M}+/gu

/** Whether putting the text into a normal form may take quadratic time: half a megabyte of marks takes minutes. */
export const hasLongRuns = (text: string): boolean => LONG_RUN.test(text)

/** NFC, and of a longer run of combining marks the first 30. */
export const nfc = (text: string): string => withoutLongRuns(text).normalize('NFC')

/** The same without compatibility characters, decomposed. */
export const nfkd = (text: string): string => withoutLongRuns(text).normalize('NFKD')

const withoutLongRuns = (text: string): string => text.replace(LONG_RUNS, '$1')

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

/** Control characters (Unicode category Cc) but the tab. */
const CONTROL = /[^\P{Cc}\t]/u
const CONTROLS = /[^\P{Cc}\t]/gu

/** Whether a single-line text holds what no line may: a control character that is no tab. */
export const hasControls = (text: string): boolean => CONTROL.test(text)

/** A text of a file in one line: what no line may hold is a space. */
export const withoutControls = (text: string): string => text.replace(CONTROLS, ' ')

/** The same of a few lines, whose ends stay. */
export const linesWithoutControls = (text: string): string => text.replace(/[^\r\n]+/g, withoutControls)

const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/
const EMBEDDING = /[\u202a-\u202e]/
const ISOLATE = /[\u2066-\u2068]/
const END_OF_ISOLATE = '\u2069'
const END_OF_PARAGRAPH = /[\r\n\u2029]/

/**
 * Without the bidirectional controls that would reach beyond the text (UAX #9, section 2): isolates that never close, ends of
 * none, and embeddings and overrides outside of isolates. Marks stay.
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

/** Where isolates start that close, and where they close; a paragraph closes none. */
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

/** SHA-256 in hex, of a text that of its UTF-8 bytes. */
export async function sha256Hex(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).toHex()
}
