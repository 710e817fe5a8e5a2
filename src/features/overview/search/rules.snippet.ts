import { codePoints, nfkd } from '../../../lib/text'
import { MAX_WORDS, SHOWN_LENGTH } from './rules'

const LONGEST = 160
/** The most characters shown before the hit. */
const BEFORE = 40
const LETTER = '[\\p{L}\\p{M}\\p{N}\\p{So}]'
const WORD = new RegExp(`${LETTER}+`, 'gu')
const ASCII = /^[\0-\x7f]*$/

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

/** Removes accents and case, nearly as `search_words` in the database does. A difference only costs a snippet. */
const fold = (text: string): string => (ASCII.test(text) ? text.toLowerCase() : foldAny(text))

const foldAny = (text: string): string =>
  nfkd(text)
    .toLowerCase()
    .replaceAll(/\u00ad|[\u0300-\u036f]|[\ufe00-\ufe0f]/g, '')
    .replaceAll(/[øłđðıħŧςßæœþ]/g, (letter) => LETTERS[letter] ?? letter)

/** Returns the text around the first word that begins with one of the searched words, or null when there is none. */
export function snippetsFor(searched: string): (texts: ReadonlyArray<string | null>) => string | null {
  const wanted = [...new Set(fold(searched).match(WORD))].slice(0, MAX_WORDS)
  if (wanted.length === 0) return () => null
  const hit = new RegExp(`(?<!${LETTER})(?:${wanted.join('|')})`, 'u')
  const hasHit = (text: string) => hit.test(fold(text))
  return (texts) => {
    const text = texts.map((one) => beginningOf(one ?? '')).find(hasHit)
    return text === undefined ? null : around(text.replaceAll(/\s+/g, ' ').trim(), hasHit)
  }
}

/** A text longer than `SHOWN_LENGTH` was cut by the query, so it gets an ellipsis. */
const beginningOf = (text: string): string =>
  text.length > SHOWN_LENGTH && codePoints(text) > SHOWN_LENGTH
    ? `${text.slice(0, -1).replace(/[\ud800-\udbff]$/, '')}…`
    : text

/** Folds word by word only in a text with a hit, because that takes ten times as long as folding the text at once. */
function around(text: string, hasHit: (word: string) => boolean): string | null {
  for (const { index, 0: word } of text.matchAll(WORD)) if (hasHit(word)) return cut(text, index)
  return null
}

function cut(text: string, hit: number): string {
  if (text.length <= LONGEST) return text
  const start = Math.min(hit, wordStart(text, Math.max(0, hit - BEFORE)))
  const end = text.length - start <= LONGEST ? text.length : start + LONGEST - 2
  const shown = text.slice(start, end)
  const whole = end === text.length ? shown : withoutTorn(shown)
  return `${start > 0 ? '…' : ''}${whole}${end < text.length ? '…' : ''}`
}

/** Index of the first word that starts at `from` or later. */
function wordStart(text: string, from: number): number {
  if (from === 0) return 0
  const space = text.indexOf(' ', from - 1)
  return space === -1 ? text.length : space + 1
}

/** Removes the last word, which the cut may have torn. If the text is a single word, it only removes half a surrogate pair. */
function withoutTorn(text: string): string {
  const space = text.lastIndexOf(' ')
  return space > BEFORE ? text.slice(0, space) : text.replace(/[\ud800-\udbff]$/, '')
}
