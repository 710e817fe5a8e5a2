import { nfkd } from '../../../lib/text'
import { MAX_WORDS } from './rules'

const LONGEST = 160
/** How much of what stands before the hit is shown. */
const BEFORE = 40
const WORD = /[\p{L}\p{M}\p{N}\p{So}]+/gu

const LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ς: 'σ',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}

/** Without accents and case, much as `search_words` of the database has it: what differs costs no more than a snippet. */
const fold = (text: string): string =>
  nfkd(text)
    .toLowerCase()
    .replaceAll(/\u00ad|[\u0300-\u036f]|[\ufe00-\ufe0f]/g, '')
    .replaceAll(/[øłđðıħŧςßæœþ]/g, (letter) => LETTERS[letter] ?? letter)

const wordsOf = (text: string): string[] => fold(text).match(WORD) ?? []

/** What stands around the first word of the texts that begins as one of those that were searched; null where none does. */
export function snippetOf(texts: ReadonlyArray<string | null>, searched: string): string | null {
  const wanted = [...new Set(wordsOf(searched))].slice(0, MAX_WORDS)
  for (const text of texts) {
    const snippet = text === null ? undefined : around(text.replaceAll(/\s+/g, ' ').trim(), wanted)
    if (snippet !== undefined) return snippet
  }
  return null
}

const hasHit = (text: string, wanted: readonly string[]): boolean =>
  wordsOf(text).some((word) => wanted.some((one) => word.startsWith(one)))

/** Word by word only where there is a hit: to fold each by itself takes ten times as long as to fold all at once. */
function around(text: string, wanted: readonly string[]): string | undefined {
  if (!hasHit(text, wanted)) return undefined
  for (const { index, 0: word } of text.matchAll(WORD)) if (hasHit(word, wanted)) return cut(text, index)
  return undefined
}

function cut(text: string, hit: number): string {
  if (text.length <= LONGEST) return text
  const start = Math.min(hit, wordStart(text, Math.max(0, hit - BEFORE)))
  const end = text.length - start <= LONGEST ? text.length : start + LONGEST - 2
  const shown = text.slice(start, end)
  const whole = end === text.length ? shown : withoutTorn(shown)
  return `${start > 0 ? '…' : ''}${whole}${end < text.length ? '…' : ''}`
}

/** The beginning of the first whole word from there on. */
function wordStart(text: string, from: number): number {
  if (from === 0) return 0
  const space = text.indexOf(' ', from - 1)
  return space === -1 ? text.length : space + 1
}

/** Without the word that the cut has torn, nor half a character where one word is all there is. */
function withoutTorn(text: string): string {
  const space = text.lastIndexOf(' ')
  return space > BEFORE ? text.slice(0, space) : text.replace(/[\ud800-\udbff]$/, '')
}
