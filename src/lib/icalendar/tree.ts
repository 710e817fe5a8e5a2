/**
 * iCalendar text in parts that keep every character: folds, order and line ends (RFC 5545, section 3.1). Printing what was split
 * gives the same text, whatever it was.
 */

import { finishAtOnce, type Steps } from '../pauses'

/** A content line as written, with its folds and its line end. */
interface TextLine {
  /** In upper case; empty for a line without a name. */
  readonly name: string
  readonly raw: string
}

export interface TextComponent {
  /** In upper case. */
  readonly name: string
  /** The lines that begin and end it, as written; `end` is empty when the text has none. */
  readonly begin: string
  readonly end: string
  readonly parts: readonly TextPart[]
}

export type TextPart = TextLine | TextComponent

export const isComponent = (part: TextPart): part is TextComponent => 'parts' in part

/** Deeper components are read as lines. */
const MAX_DEPTH = 16
const PHYSICAL = /[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g
const BOUNDARY = /^(BEGIN|END)[ \t]*:[ \t]*([\w-]+)[ \t]*$/i
const MAX_BOUNDARY_LENGTH = 200
const IS_QUOTED_PRINTABLE = /^[^:]*[;=]quoted-printable[^:]*:/i
const ENDS_SOFTLY = /=(?:\r\n|\n|\r)$/

const endsSoftly = (pieces: readonly string[], blanks: string) =>
  blanks === '' && ENDS_SOFTLY.test(pieces.at(-1) ?? '')

/** The line without folds and line end. */
export const unfolded = (raw: string): string =>
  raw.replace(/(?:\r\n|\n|\r)+[ \t]/g, '').replace(/[\r\n]+$/, '')

/** Lines that are read between two steps. */
const LINES_AT_ONCE = 200

/**
 * The content lines, each with its continuations: folded ones, and those after the soft breaks of QUOTED-PRINTABLE. Empty lines
 * are lines of their own except within a fold. Yields undefined between two steps.
 */
function* linesOf(text: string): Generator<string | undefined> {
  let pieces: string[] = []
  let [blanks, isQuoted, count] = ['', false, 0]
  for (const [physical] of text.matchAll(PHYSICAL)) {
    if (++count % LINES_AT_ONCE === 0) yield undefined
    const isBroken = isQuoted && endsSoftly(pieces, blanks)
    if (!isBroken && /^[\r\n]/.test(physical)) blanks += physical
    else if (isBroken || (pieces.length > 0 && /^[ \t]/.test(physical))) {
      pieces.push(blanks, physical)
      blanks = ''
    } else {
      yield* [pieces.join(''), blanks].filter((line) => line !== '')
      ;[pieces, blanks, isQuoted] = [[physical], '', IS_QUOTED_PRINTABLE.test(physical.slice(0, 300))]
    }
  }
  yield* [pieces.join(''), blanks].filter((line) => line !== '')
}

interface OpenComponent {
  readonly name: string
  readonly begin: string
  readonly parts: TextPart[]
}

const NAME = /^[\w-]+(?=[ \t]*[;:])/

/** Most names have no fold in them. */
function nameOf(raw: string): string {
  const start = raw.slice(0, 300)
  return (NAME.exec(start) ?? NAME.exec(unfolded(start)))?.[0].toUpperCase() ?? ''
}

export const splitText = (text: string): TextPart[] => finishAtOnce(splitInSteps(text))

/** The same in steps, between which the caller can pause: a text may be long. */
export function* splitInSteps(text: string): Steps<TextPart[]> {
  const root: OpenComponent = { name: '', begin: '', parts: [] }
  const open: OpenComponent[] = []
  const innermost = () => open.at(-1) ?? root
  const close = (end: string) => {
    const { name, begin, parts } = open.pop() ?? root
    innermost().parts.push({ name, begin, end, parts })
  }
  for (const raw of linesOf(text)) {
    if (raw === undefined) {
      yield
      continue
    }
    const { keyword, name } = boundaryOf(raw)
    if (keyword === 'BEGIN' && open.length < MAX_DEPTH) open.push({ name, begin: raw, parts: [] })
    else if (keyword === 'END' && open.some((one) => one.name === name)) {
      while (innermost().name !== name) close('')
      close(raw)
    } else innermost().parts.push({ name: nameOf(raw), raw })
  }
  while (open.length > 0) close('')
  return root.parts
}

const NO_BOUNDARY = { keyword: '', name: '' }

function boundaryOf(raw: string) {
  if (raw.length > MAX_BOUNDARY_LENGTH || !'BbEe'.includes(raw.charAt(0))) return NO_BOUNDARY
  const [, keyword = '', name = ''] = BOUNDARY.exec(unfolded(raw)) ?? []
  return { keyword: keyword.toUpperCase(), name: name.toUpperCase() }
}

export const printText = (parts: readonly TextPart[]): string =>
  parts.map((part) => (isComponent(part) ? part.begin + printText(part.parts) + part.end : part.raw)).join('')

/** The components of that name directly among the parts. */
export const componentsOf = (parts: readonly TextPart[], name: string): TextComponent[] =>
  parts.filter(isComponent).filter((part) => part.name === name)

/** The line end of a text: that of its first line. */
export const lineEndOf = (text: string): string => /\r\n|\n|\r/.exec(text)?.[0] ?? '\r\n'

/**
 * Replaces the properties of these names by other lines, which take the place of the first one or else come before nested
 * components. All other parts stay as they are.
 */
export function withProperties(
  component: TextComponent,
  names: readonly string[],
  raws: readonly string[],
): TextComponent {
  const isReplaced = (part: TextPart) => !isComponent(part) && names.includes(part.name)
  const { parts } = component
  const first = parts.findIndex(isReplaced)
  const nested = parts.findIndex(isComponent)
  const place = first !== -1 ? first : nested !== -1 ? nested : parts.length
  return {
    ...component,
    parts: [
      ...parts.slice(0, place).filter((part) => !isReplaced(part)),
      ...raws.map((raw) => ({ name: nameOf(raw), raw })),
      ...parts.slice(place).filter((part) => !isReplaced(part)),
    ],
  }
}

/** Adds lines after the last property of that name, or else before nested components. */
export function withMore(component: TextComponent, name: string, raws: readonly string[]): TextComponent {
  const { parts } = component
  const last = parts.findLastIndex((part) => !isComponent(part) && part.name === name)
  if (last === -1) return withProperties(component, [name], raws)
  const more = raws.map((raw) => ({ name: nameOf(raw), raw }))
  return { ...component, parts: [...parts.slice(0, last + 1), ...more, ...parts.slice(last + 1)] }
}
