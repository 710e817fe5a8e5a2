import { headOf, MAX_HEAD_LENGTH } from './encoding'

/** vCards as content lines that keep their bytes: folds, order, groups and line ends. */

export type VCardVersion = '2.1' | '3.0' | '4.0'

/** How a line goes on: by folding, of 2.1 without the space, by soft line breaks, or in base64 without any mark. */
type Wrapping = 'folded' | 'legacy' | 'quoted-printable' | 'base64'

export interface ContentLine {
  /** As it was written, with its folds and its end. */
  readonly raw: string
  /** The name with its group and parameters, unfolded; empty for what is no content line. */
  readonly head: string
  /** As it was written; empty without a group. */
  readonly group: string
  /** In upper case; empty for what is no content line, which is kept all the same. */
  readonly name: string
  readonly wrapping: Wrapping
}

export interface Param {
  /** In lower case. 2.1 may leave it out: `TEL;CELL`. */
  readonly name: string
  /** Without quotes. */
  readonly values: readonly string[]
  /** As it was written. */
  readonly text: string
}

const VERSION = /(?<![^\r\n])VERSION[^:\r\n]{0,100}:[ \t]*([\d.]+)/i

/** The version of a card's text; 3.0 where it names none. */
export function versionOf(text: string): VCardVersion {
  const named = VERSION.exec(text)?.[1]
  return named === '2.1' || named === '4.0' ? named : '3.0'
}

/** A line while it is read: from where, to where without its last end, and with it. */
interface OpenLine {
  readonly start: number
  end: number
  next: number
  readonly wrapping: Wrapping
  readonly isAgent: boolean
  /** How many cards are open in the card of an agent, which 2.1 nests. */
  depth: number
}

const [TAB, LF, CR, SPACE, EQUALS] = [9, 10, 13, 32, 0x3d]

/** A byte order mark before the first line is a line of its own. */
const MARK = '\uFEFF'
const MARK_LINE: ContentLine = { raw: MARK, head: '', group: '', name: '', wrapping: 'folded' }

/**
 * Splits a text into content lines; joined, these are the text again.
 * @param most stop after so many lines: the text of the rest is in none.
 */
export function splitLines(text: string, most = Number.MAX_SAFE_INTEGER): ContentLine[] {
  const isLegacy = versionOf(text) === '2.1'
  const lines: ContentLine[] = text.startsWith(MARK) ? [MARK_LINE] : []
  let open: OpenLine | undefined
  for (let start = lines.length; start < text.length && lines.length < most;) {
    const { end, next } = lineAt(text, start)
    if (open && goesOn(text, open, start, end)) [open.end, open.next] = [end, next]
    else {
      if (open) lines.push(close(text, open))
      open = begin(text, { start, end, next }, isLegacy)
    }
    start = next
  }
  return open ? [...lines, close(text, open)] : lines
}

const BREAK = /\r\n|\n|\r/g

/** Where the line that starts there ends, without its end and with it. */
function lineAt(text: string, start: number) {
  BREAK.lastIndex = start
  const found = BREAK.exec(text)
  return found
    ? { end: found.index, next: found.index + found[0].length }
    : { end: text.length, next: text.length }
}

/** The text of the lines. */
export const joinLines = (lines: readonly ContentLine[]): string => lines.map(({ raw }) => raw).join('')

const IS_QUOTED_PRINTABLE = /[;=]quoted-printable(?:;|$)/i
const IS_BASE64 = /;(?:encoding=)?(?:base64|b)(?:;|$)/i
const BASE64_ONLY = /^[A-Za-z0-9+/=]+$/
const IS_AGENT = /^(?:[\w-]+\.)?AGENT(?:;[^:]*)?:[ \t]*$/i
const BEGINS = /^BEGIN[ \t]*:[ \t]*VCARD[ \t]*$/i
const ENDS = /^END[ \t]*:[ \t]*VCARD[ \t]*$/i
const MAX_BOUNDARY_LENGTH = 100
/** `B` and `E` in both cases. */
const FIRST_OF_BOUNDARY = new Set([0x42, 0x45, 0x62, 0x65])

function begin(text: string, at: Pick<OpenLine, 'start' | 'end' | 'next'>, isLegacy: boolean): OpenLine {
  const first = text.slice(at.start, Math.min(at.end, at.start + MAX_HEAD_LENGTH))
  const head = headOf(first)
  const wrapping = IS_QUOTED_PRINTABLE.test(head)
    ? 'quoted-printable'
    : IS_BASE64.test(head)
      ? 'base64'
      : isLegacy
        ? 'legacy'
        : 'folded'
  return { ...at, wrapping, isAgent: IS_AGENT.test(first), depth: 0 }
}

/** Whether the text from `start` to `end` belongs to the line that is open. */
function goesOn(text: string, open: OpenLine, start: number, end: number): boolean {
  const code = start < end ? text.charCodeAt(start) : LF
  const boundary = FIRST_OF_BOUNDARY.has(code) ? boundaryOf(text, start, end) : 0
  if (boundary > 0 ? open.isAgent : open.depth > 0) {
    open.depth += boundary
    return true
  }
  if (boundary !== 0) return false
  return code === SPACE || code === TAB || isWrapped(text, open, start, end)
}

/** Whether the open line goes on without folding. */
function isWrapped(text: string, { wrapping, end: last }: OpenLine, start: number, end: number): boolean {
  if (wrapping === 'quoted-printable') return text.charCodeAt(last - 1) === EQUALS
  return wrapping === 'base64' && BASE64_ONLY.test(text.slice(start, end))
}

/** How many more cards are open after the line. */
function boundaryOf(text: string, start: number, end: number): number {
  if (end - start > MAX_BOUNDARY_LENGTH) return 0
  const line = text.slice(start, end)
  return Number(BEGINS.test(line)) - Number(ENDS.test(line))
}

const NAMED = /^[ \t]*(?:([\w-]+)\.)?([\w-]+)[ \t]*(?:;|$)/

function close(text: string, { start, next, wrapping }: OpenLine): ContentLine {
  const raw = text.slice(start, next)
  const whole = unfoldAs(raw.slice(0, MAX_HEAD_LENGTH), wrapping === 'legacy' ? 'legacy' : 'folded')
  const found = headOf(whole)
  const [, group = '', name = ''] = NAMED.exec(found) ?? []
  return { raw, head: name === '' ? '' : found, group, name: name.toUpperCase(), wrapping }
}

const LAST_END = /(?:\r\n|\n|\r)$/
const FOLDS: Readonly<Record<Wrapping, RegExp>> = {
  folded: /(?:\r\n|\n|\r)[ \t]/g,
  // 2.1 folds at a space, which stays.
  legacy: /(?:\r\n|\n|\r)(?=[ \t])/g,
  'quoted-printable': /=(?:\r\n|\n|\r)|(?:\r\n|\n|\r)[ \t]/g,
  base64: /(?:\r\n|\n|\r)[ \t]?/g,
}

const unfoldAs = (raw: string, wrapping: Wrapping): string => {
  const last = raw.charCodeAt(raw.length - 1)
  const text =
    last === LF || last === CR ? raw.slice(0, -(LAST_END.exec(raw.slice(-2))?.[0].length ?? 0)) : raw
  return text.replace(FOLDS[wrapping], '')
}

/** The line without its folds and its end. */
export const unfolded = ({ raw, wrapping }: ContentLine): string => unfoldAs(raw, wrapping)

/** The value without folds, still with escapes and in its transfer encoding. */
export const rawValue = (line: ContentLine): string => unfolded(line).slice(line.head.length + 1)

/** What ends the line: CRLF for a line that has no end. */
export const endOf = ({ raw }: Pick<ContentLine, 'raw'>): string =>
  LAST_END.exec(raw.slice(-2))?.[0] ?? '\r\n'

/** Values of 2.1 that are written without the parameter's name, and that name. */
const BARE: ReadonlyArray<readonly [value: RegExp, name: string]> = [
  [/^(?:quoted-printable|base64|8bit|7bit|b)$/i, 'encoding'],
  [/^(?:url|inline|content-id|cid)$/i, 'value'],
]

export function paramsOf({ head }: Pick<ContentLine, 'head'>): Param[] {
  const [, ...texts] = head.match(/(?:[^";]|"[^"]*")+/g) ?? []
  return texts.map((written) => {
    const text = written.trim()
    const at = text.indexOf('=')
    if (at < 0) {
      const name = BARE.find(([value]) => value.test(text))?.[1] ?? 'type'
      return { name, values: [text], text }
    }
    return { name: text.slice(0, at).trim().toLowerCase(), values: valuesOf(text.slice(at + 1)), text }
  })
}

const valuesOf = (list: string): string[] =>
  (list.match(/(?:[^",]|"[^"]*")+/g) ?? []).map((value) => value.trim().replace(/^"([^"]*)"$/, '$1'))

/** All values of the parameters with the name. */
export const valuesNamed = (params: readonly Param[], wanted: string): string[] =>
  params.filter(({ name }) => name === wanted).flatMap(({ values }) => [...values])
