/** The encoding of old address books where a file is not UTF-8 and does not say what it is. */
const LEGACY = 'windows-1252'

function decode(bytes: Uint8Array, encoding: string, fatal = false): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Characters of a card or a component: more than other programs write, and as much as one slice of the event loop can take. */
export const MAX_LENGTH = 1_048_576
/** The same folded: of texts in Chinese, every 24 characters have three more. */
export const MAX_FOLDED_LENGTH = MAX_LENGTH * 1.25
export const MAX_FOLDED_LINES = 50_000
export const TOO_LARGE = 'is larger than 1 MiB'

/** UTF-8, UTF-16 where the file begins with its mark, else what Windows wrote before. */
export function decodeFile(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode(bytes, 'utf-16le') ?? ''
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode(bytes, 'utf-16be') ?? ''
  const text = decode(bytes, 'utf-8', true)
  if (text !== undefined) return text
  // Line by line: one that is broken, or from elsewhere, spoils no other.
  return [...linesOf(withWholeCharacters(bytes))].map((line) => decodeText(line, '')).join('')
}

const [TAB, LF, CR, SPACE] = [9, 10, 13, 32]

/** Without the folds within a character (RFC 5545, section 3.1): it goes on in the next line with a byte that begins none. */
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
 * The content lines of a card: folded ones in one piece, as are the soft line breaks of QUOTED-PRINTABLE and base64 that
 * nobody folded. vCard 2.1 folds at a space, which stays; later ones add one, which goes.
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

/** What `physical` adds to the line before it; undefined where it begins a line of its own. */
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

/** Longer heads are none that anybody writes; searching all of a picture for one would take its time. */
const MAX_HEAD_LENGTH = 8192

/** A name and its parameters: what stands before the first colon that is not within quotes. */
const headOf = (line: string): string =>
  /^(?:[^":]|"[^"]*")*(?=:)/.exec(line.slice(0, MAX_HEAD_LENGTH))?.[0] ?? ''

/** A content line, its name and parameters apart from its value. */
export function splitLine(line: string) {
  const head = headOf(line)
  return { head, value: line.slice(head.length + 1) }
}

/** Parameters of vCard 2.1 that stand there without their names, and what says them. */
const BARE: ReadonlyArray<readonly [value: RegExp, name: string]> = [
  [/^(?:quoted-printable|base64|8bit|7bit|b)$/i, 'ENCODING'],
  [/^(?:url|inline|content-id|cid)$/i, 'VALUE'],
]

const withName = (param: string): string =>
  param.includes('=') ? param : `${BARE.find(([value]) => value.test(param))?.[1] ?? 'TYPE'}=${param}`

/** The parameters of a head, each with its name: vCard 2.1 writes `TEL;CELL`. */
export function nameParams(head: string): string {
  const [name = '', ...params] = head.match(/(?:[^";]|"[^"]*")+/g) ?? []
  return [name.trim(), ...params.map((param) => withName(param.trim()))].join(';')
}

/** Decodes QUOTED-PRINTABLE (RFC 2045, section 6.7); what is no escape stays as it is. */
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

/** The text in the charset that is named, else in UTF-8 where it is that, else as Windows wrote before. */
export const decodeText = (bytes: Uint8Array, charset: string): string =>
  (charset === '' ? decode(bytes, 'utf-8', true) : decode(bytes, charset)) ?? decode(bytes, LEGACY) ?? ''

/** A value of vCard 2.1, where only `\;` is an escape and commas are plain, as 4.0 writes it. */
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
 * A content line in lines of at most 75 octets, the space that begins each but the first among them; no character is divided
 * (RFC 5545, section 3.1; RFC 6350, section 3.2).
 */
export function fold(line: string): string {
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
  return [...pieces, line.slice(start)].join('\r\n ')
}
