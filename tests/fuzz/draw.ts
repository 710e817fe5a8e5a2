import * as fc from 'fast-check'

/** Draws one request's worth of chance from fast-check; the same seed draws the same again. */
export interface Draw {
  /** A whole number from 0 to `max`, all as likely. */
  nat(max: number): number
  /** True in so many of a hundred. */
  percent(of: number): boolean
  /** Some integer of the range, its ends more often than chance would have it. */
  integer(min: number, max: number): number
  pick<T>(from: readonly [T, ...T[]]): T
  /** One of them, or undefined where there is none. */
  oneOf<T>(from: readonly T[]): T | undefined
  /** A text of so many code points, of all kinds but NUL and lone surrogates. */
  text(min: number, max: number): string
  matching(pattern: string): string
  json(): unknown
}

const unbiased = (max: number) => fc.noBias(fc.nat({ max }))
const between = (min: number, max: number) => fc.integer({ min, max })
/** Whitespace at the ends is trimmed and decomposed letters are composed, either of which changes a length. */
const texts = (minLength: number, maxLength: number) =>
  fc.string({
    unit: fc.constantFrom(...Array.from('abcxyzABCXYZ0189-_.;,:%\'"<>&ßéñ日本語😀\u05d0')),
    minLength,
    maxLength,
  })
const patterns = new Map<string, fc.Arbitrary<string>>()

const matches = (pattern: string) => {
  const known = patterns.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'))
  patterns.set(pattern, known)
  return known
}

export function drawing(seed: number): Draw {
  const [generate] = fc.sample(fc.gen(), { seed, numRuns: 1 })
  if (!generate) throw new Error('nothing drawn')
  const nat = (max: number) => generate(unbiased, max)
  const oneOf = <T>(from: readonly T[]): T | undefined =>
    from.length === 0 ? undefined : from[nat(from.length - 1)]
  return {
    nat,
    percent: (of) => nat(99) < of,
    integer: (min, max) => generate(between, min, max),
    pick: (from) => oneOf(from) ?? from[0],
    oneOf,
    text: (min, max) => generate(texts, min, max),
    matching: (pattern) => generate(matches, pattern),
    json: () => generate(fc.jsonValue),
  }
}

/** A seed for each thing that has a name, so that a new operation leaves the requests of the others as they were. */
export function seedOf(seed: number, ...names: ReadonlyArray<string | number>): number {
  let hash = seed | 0
  for (const character of names.join(' '))
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash
}
