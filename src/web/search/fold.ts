/** Letters that no normal form takes apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', ħ: 'h', ŧ: 't', ς: 'σ', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th',
} // prettier-ignore

/** Without accents and case, as the service compares words (contract: overview.search). */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\u00ad|[\u0300-\u036f]|[\ufe00-\ufe0f]/g, '')
    .replaceAll(/[øłđðıħŧςßæœþ]/g, (letter) => LETTERS[letter] ?? letter)

const LETTER = String.raw`[\p{L}\p{M}\p{N}\p{So}]`
const WORD = new RegExp(`${LETTER}+`, 'gu')
/** Only the first words of a search count. */
const MAX_WORDS = 8

/** The words that are searched, folded. */
export const wordsOf = (text: string): readonly string[] =>
  [...new Set(fold(text).match(WORD))].slice(0, MAX_WORDS)

/** Where one of the words begins a word; undefined when there are no words. */
export function beginningsOf(words: readonly string[]): RegExp | undefined {
  if (words.length === 0) return undefined
  const longestFirst = words.toSorted((a, b) => b.length - a.length)
  return new RegExp(`(?<!${LETTER})(?:${longestFirst.join('|')})`, 'gu')
}

/**
 * Whether a search would say something: two letters in a row, or one of a script whose letters are whole words, or a symbol.
 * A single letter would find nearly everything.
 */
export const isSearchable = (text: string): boolean => /[\p{L}\p{M}\p{N}]{2}|[\p{Lo}\p{So}]/u.test(text)
