import type { Language } from '../messages/messages'
import { ENGLISH } from './grammar.en'
import { GERMAN } from './grammar.de'
import type { Form, Grammar, Meaning, Surroundings } from './grammar'

/** A run of words that was understood. It can be rejected by its key, and is text then. */
export interface Piece {
  readonly key: string
  readonly words: string
  readonly start: number
  readonly end: number
  readonly meaning: Meaning
}

export interface LineContext extends Surroundings {
  readonly language: Language
  /** Keys of pieces that the user wants to be text. */
  readonly rejected: ReadonlySet<string>
}

/** No form has more words; a place may. */
const MOST_WORDS = 9
const LABEL: Form = {
  is: /^#(\p{L}[\p{L}\d_-]*)$/u,
  read: ([name = '']) => ({ what: 'calendar', name }),
}

/**
 * Finds what a line says: forms at its start and, one after the other, at its end. Only where the end says neither a day nor
 * a time, a day with a time beside it counts in the middle too. A rejected piece is passed over, as if it were understood.
 */
export function piecesOf(line: string, asked: LineContext): readonly Piece[] {
  const grammar = asked.language === 'de' ? GERMAN : ENGLISH
  const head = atStart(line, grammar, asked)
  const begin = head?.end ?? 0
  const tail = leftwards({ line, begin, end: line.length, grammar, asked, isTail: true })
  const hasTime = tail.some(isOfTime)
  const found = [
    ...(head ? [head] : []),
    ...(hasTime ? [] : inMiddle({ line, begin, end: tail.at(-1)?.start ?? line.length, grammar, asked })),
    ...tail,
  ]
  const understood = found.filter(({ key }) => !asked.rejected.has(key)).toSorted((a, b) => a.start - b.start)
  return titleOf(line, understood) === '' ? [] : understood
}

/** What remains of the line: all its words that were not understood. */
export function titleOf(line: string, pieces: readonly Piece[]): string {
  let title = ''
  let at = 0
  for (const { start, end } of pieces) {
    // A comma before what is taken out stands for nothing any more.
    title = joined(title, line.slice(at, start).trim().replace(/[,;]$/, ''))
    at = end
  }
  return joined(title, line.slice(at).trim())
}

const joined = (left: string, right: string) => (left && right ? `${left} ${right}` : left || right)

interface LineSearch {
  readonly line: string
  readonly begin: number
  readonly end: number
  readonly grammar: Grammar
  readonly asked: LineContext
  /** In the middle of a line only days and times count. */
  readonly isTail: boolean
}

const isOfTime = ({ meaning: { what } }: Piece) => what === 'date' || what === 'time' || what === 'repeat'

function atStart(line: string, { atStart: forms }: Grammar, asked: LineContext): Piece | undefined {
  for (const { is, read } of forms) {
    const match = new RegExp(is.source.replace(/\$$/, ''), is.flags).exec(line)
    const meaning = match && read(match.slice(1), asked)
    if (meaning) return piece(line, { start: 0, end: match[0].length, meaning })
  }
  return undefined
}

/** Understands the line from its end towards its beginning, until nothing fits. */
function leftwards(search: LineSearch): Piece[] {
  const found: Piece[] = []
  let { end } = search
  for (;;) {
    const next = lastPiece({ ...search, end }, found)
    if (!next || found.some(({ meaning }) => meaning.what === next.meaning.what)) return found
    found.push(next)
    end = next.start
  }
}

function lastPiece(search: LineSearch, right: readonly Piece[]): Piece | undefined {
  const { line, begin, end, grammar, isTail } = search
  const whole = line.slice(begin, end).trimEnd()
  const text = whole.replace(/[,;]$/, '')
  const starts = [...text.matchAll(/(?<=^|\s)\S/g)].map(({ index }) => index).slice(-MOST_WORDS)
  const follower = right.at(-1)
  const hasFollower = follower !== undefined && isOfTime(follower)
  const groups = isTail ? [[LABEL, ...grammar.atEnd], grammar.places] : [grammar.atEnd]
  for (const forms of groups) {
    for (const start of starts) {
      const meaning = meaningOf(text, start, { forms, hasFollower, asked: search.asked })
      if (meaning) return piece(line, { start: begin + start, end: begin + whole.length, meaning })
    }
  }
  return undefined
}

interface Tried {
  readonly forms: readonly Form[]
  readonly hasFollower: boolean
  readonly asked: LineContext
}

function meaningOf(text: string, start: number, { forms, hasFollower, asked }: Tried): Meaning | undefined {
  const words = text.slice(start).replaceAll(/\s+/g, ' ')
  const before = text.slice(0, start).trimEnd()
  for (const { is, read, notAfter, isWeak = false } of forms) {
    if ((isWeak && !hasFollower) || notAfter?.test(before)) continue
    const match = is.exec(words)
    const meaning = match && read(match.slice(1), asked)
    if (meaning) return meaning
  }
  return undefined
}

function inMiddle(search: Omit<LineSearch, 'isTail'>): Piece[] {
  const { line, begin, end: last } = search
  const ends = [...line.matchAll(/\S(?=\s)/g)]
    .map(({ index }) => index + 1)
    .filter((end) => end > begin && end <= last)
  for (const end of ends.toReversed()) {
    const found = leftwards({ ...search, end, isTail: false })
    const whats = found.map(({ meaning }) => meaning.what)
    if (whats.includes('time') && (whats.includes('date') || whats.includes('repeat'))) return found
  }
  return []
}

function piece(line: string, { start, end, meaning }: Pick<Piece, 'start' | 'end' | 'meaning'>): Piece {
  const words = line.slice(start, end).trim().replace(/[,;]$/, '')
  return { key: `${meaning.what} ${words.toLowerCase()}`, words, start, end, meaning }
}
