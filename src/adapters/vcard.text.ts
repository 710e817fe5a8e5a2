import { decode, decodeText, headOf } from '../lib/vcard/encoding'

/**
 * The most characters in a card or a component: more than other programs write, and as much as the event loop can process at a
 * time.
 */
export const MAX_LENGTH = 1_048_576
/** The same limit for folded text: in Chinese, every 24 characters need three more. */
export const MAX_FOLDED_LENGTH = MAX_LENGTH * 1.25
export const MAX_FOLDED_LINES = 50_000
export const TOO_LARGE = 'is larger than 1 MiB'

/** Decodes UTF-8, or UTF-16 with a byte order mark, or else the former Windows encoding. */
export function decodeFile(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode(bytes, 'utf-16le') ?? ''
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode(bytes, 'utf-16be') ?? ''
  const text = decode(bytes, 'utf-8', true)
  if (text !== undefined) return text
  // Decodes line by line, so that a broken or foreign line does not affect the others.
  return [...linesOf(withWholeCharacters(bytes))].map((line) => decodeText(line, '')).join('')
}

const [TAB, LF, CR, SPACE] = [9, 10, 13, 32]

/**
 * Removes folds inside a character (RFC 5545, section 3.1). There the next line begins with a byte that cannot begin a character.
 */
function withWholeCharacters(bytes: Uint8Array): Uint8Array {
  const kept = new Uint8Array(bytes.length)
  let length = 0
  for (let i = 0; i < bytes.length; i++) {
    const [byte = 0, next, after = 0] = bytes.subarray(i, i + 3)
    if (byte === LF && (next === SPACE || next === TAB) && (after & 0xc0) === 0x80) {
      if (kept[length - 1] === CR) length -= 1
      i += 1
    } else kept[length++] = byte
  }
  return kept.subarray(0, length)
}

function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(LF, start) + 1 || bytes.length
    yield bytes.subarray(start, end)
    start = end
  }
}

const IS_QUOTED_PRINTABLE = /[;=]quoted-printable(?:;|$)/i
const IS_BASE64 = /;(?:encoding=)?(?:base64|b)(?:;|$)/i
const BASE64_ONLY = /^[A-Za-z0-9+/=]+$/

/**
 * Joins the folded lines of a component, and also lines that QUOTED-PRINTABLE soft breaks or base64 continue without folding. vCard
 * 2.1 folds at a space, which stays; later versions add a space, which is removed.
 */
export function unfold(physicals: readonly string[], isLegacy: boolean): string[] {
  const lines: Folded[] = []
  for (const physical of physicals) {
    const line = lines.at(-1)
    const more = line && continuation(line, physical, isLegacy)
    if (more !== undefined) line?.parts.push(more)
    else if (physical !== '') lines.push(startLine(physical))
  }
  return lines.map(({ parts }) => parts.join(''))
}

interface Folded {
  readonly parts: string[]
  readonly isQuotedPrintable: boolean
  readonly isBase64: boolean
}

function startLine(physical: string): Folded {
  const head = headOf(physical)
  return {
    parts: [physical],
    isQuotedPrintable: IS_QUOTED_PRINTABLE.test(head),
    isBase64: IS_BASE64.test(head),
  }
}

/** Returns what `physical` adds to the line before it; undefined when it starts a new line. */
function continuation(
  { parts, isQuotedPrintable, isBase64 }: Folded,
  physical: string,
  isLegacy: boolean,
): string | undefined {
  const last = parts.at(-1) ?? ''
  if (isQuotedPrintable && last.endsWith('=')) {
    parts[parts.length - 1] = last.slice(0, -1)
    return physical
  }
  if (/^[ \t]/.test(physical)) return isLegacy && !isBase64 ? physical : physical.slice(1)
  return isBase64 && BASE64_ONLY.test(physical) ? physical : undefined
}

/** Splits a content line into its name with parameters and its value. */
export function splitLine(line: string) {
  const head = headOf(line)
  return { head, value: line.slice(head.length + 1) }
}
