/**
 * The outline of a calendar or a card as text (RFC 5545, section 3.1; RFC 6350, section 3.2): its components and lines, each
 * with its raw text, so that what is kept stays byte for byte.
 */

/** A content line. */
export interface OutlineLine {
  /** In upper case, without the group of a vCard's property; empty for a blank line. */
  readonly name: string
  /** The name with its parameters, unfolded. */
  readonly head: string
  /** Unfolded, still escaped. */
  readonly value: string
  /** As it stands in the text, with its folds and its line end. */
  readonly raw: string
}

/** A component, from the line that begins it to the line that ends it; the whole text is one without a name. */
export interface Outline {
  /** In upper case. */
  readonly name: string
  readonly begin: string
  /** Lines and components in the order of the text. */
  readonly entries: ReadonlyArray<OutlineLine | Outline>
  readonly lines: readonly OutlineLine[]
  readonly parts: readonly Outline[]
  readonly end: string
}

interface GrowingOutline extends Outline {
  readonly entries: Array<OutlineLine | Outline>
  readonly lines: OutlineLine[]
  readonly parts: Outline[]
  end: string
}

/** Components nested deeper are lines like all others. */
const MAX_DEPTH = 8

const grow = (name: string, begin: string): GrowingOutline => ({
  name,
  begin,
  entries: [],
  lines: [],
  parts: [],
  end: '',
})

const FOLD = /(?:\r\n|[\r\n])[ \t]/g
const LINE_END = /[\r\n]+$/

/** The index of the first colon outside quotes; of the first one at all when quotes do not match. */
function colonOf(line: string): number {
  const first = line.indexOf(':')
  const quote = line.indexOf('"')
  if (quote === -1 || quote > first) return first
  let isQuoted = false
  for (let at = quote; at < line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted
    else if (line[at] === ':' && !isQuoted) return at
  }
  return first
}

function nameOf(head: string): string {
  const end = head.indexOf(';')
  const whole = end === -1 ? head : head.slice(0, end)
  return whole
    .slice(whole.lastIndexOf('.') + 1)
    .trim()
    .toUpperCase()
}

function readLine(raw: string, isFolded: boolean): OutlineLine {
  const line = (isFolded ? raw.replace(FOLD, '') : raw).replace(LINE_END, '').replace('\uFEFF', '')
  const colon = colonOf(line)
  const head = colon === -1 ? line : line.slice(0, colon)
  return { name: nameOf(head), head, value: colon === -1 ? '' : line.slice(colon + 1), raw }
}

/** The logical lines of a text. Lines end with CR LF or LF; a text without any LF is from an old Mac and ends them with CR. */
function* linesOf(text: string): Generator<OutlineLine> {
  const mark = text.includes('\n') ? '\n' : '\r'
  let start = 0
  let isFolded = false
  for (let at = 0; at < text.length;) {
    const found = text.indexOf(mark, at)
    at = found === -1 ? text.length : found + 1
    if (text[at] === ' ' || text[at] === '\t') {
      isFolded = true
      continue
    }
    yield readLine(text.slice(start, at), isFolded)
    start = at
    isFolded = false
  }
}

/** Reads a text of any content: what is no component is a line of the root. */
export function readOutline(text: string): Outline {
  const root = grow('', '')
  const open = [root]
  let ignored = 0
  for (const line of linesOf(text)) {
    const innermost = open.at(-1) ?? root
    if (line.name === 'BEGIN' && open.length <= MAX_DEPTH) {
      const part = grow(line.value.trim().toUpperCase(), line.raw)
      innermost.entries.push(part)
      innermost.parts.push(part)
      open.push(part)
    } else if (line.name === 'END' && open.length > 1 && ignored === 0) {
      innermost.end = line.raw
      open.pop()
    } else {
      if (line.name === 'BEGIN') ignored++
      else if (line.name === 'END') ignored = Math.max(0, ignored - 1)
      innermost.entries.push(line)
      innermost.lines.push(line)
    }
  }
  return root
}

export const isComponent = (entry: OutlineLine | Outline): entry is Outline => 'entries' in entry

/** The text of a component as it was read. */
export const rawOf = (entry: OutlineLine | Outline): string =>
  isComponent(entry) ? entry.begin + entry.entries.map(rawOf).join('') + entry.end : entry.raw

export const lineNamed = ({ lines }: Outline, wanted: string): OutlineLine | undefined =>
  lines.find(({ name }) => name === wanted)

/** The line end that the text of a line or component uses. */
export const lineEndOf = (raw: string): string =>
  raw.includes('\r\n') || !raw.includes('\n') ? '\r\n' : '\n'

/** The head of a line with its colon, as it stands in the text. */
export function rawHeadOf({ raw }: OutlineLine): string {
  const colon = colonOf(raw)
  return colon === -1 ? raw.replace(LINE_END, '') : raw.slice(0, colon + 1)
}

const CARETS: Readonly<Record<string, string>> = { n: '\n', '^': '^', "'": '"' }

/** A value of a parameter without its quotes and escapes (RFC 6868). */
const plainValue = (text: string): string =>
  text.replaceAll('"', '').replace(/\^([n^'])/g, (_, escaped: string) => CARETS[escaped] ?? '')

/** The values of each parameter by its name in upper case; a value without a name is a TYPE, as in vCard 2.1. */
export function paramsOf({ head }: OutlineLine): ReadonlyMap<string, readonly string[]> {
  const params = new Map<string, string[]>()
  if (!head.includes(';')) return params
  const [, ...written] = head.match(/(?:[^";]|"[^"]*"?)+/g) ?? []
  for (const one of written) {
    const equals = one.indexOf('=')
    const name = equals === -1 ? 'TYPE' : one.slice(0, equals).trim().toUpperCase()
    const values = one.slice(equals + 1).match(/(?:[^",]|"[^"]*"?)+/g) ?? ['']
    params.getOrInsertComputed(name, () => []).push(...values.map(plainValue))
  }
  return params
}
