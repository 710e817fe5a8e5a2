import type { Repeat } from '../recurrence/rule'

export type QuickKind = 'event' | 'todo' | 'reminder'

/** What a piece of the line says. */
export type Meaning =
  | { readonly what: 'kind'; readonly kind: QuickKind }
  /** `to` is the last day; a deadline makes a todo. */
  | {
      readonly what: 'date'
      readonly from: Temporal.PlainDate
      readonly to?: Temporal.PlainDate
      readonly isDeadline?: boolean
    }
  | { readonly what: 'time'; readonly from: Temporal.PlainTime; readonly to?: Temporal.PlainTime }
  | { readonly what: 'duration'; readonly minutes: number }
  | { readonly what: 'days'; readonly days: number }
  | { readonly what: 'place'; readonly place: string }
  /** `from` where the words name the first day too. */
  | { readonly what: 'repeat'; readonly repeat: Repeat; readonly from?: Temporal.PlainDate }
  | { readonly what: 'calendar'; readonly name: string }

/** What the meaning of a line depends on. */
export interface Surroundings {
  readonly today: Temporal.PlainDate
  readonly now: Temporal.PlainTime
  /** Whether 3/12 is 3 December or 12 March. */
  readonly dayFirst: boolean
}

export type Groups = readonly (string | undefined)[]

/** Words of a language, and what they mean. */
export interface Form {
  /** The whole of a run of words. */
  readonly is: RegExp
  readonly read: (groups: Groups, around: Surroundings) => Meaning | undefined
  /** What stands before it must not end so. */
  readonly notAfter?: RegExp
  /** It is too common a word to count alone: a date or a time must follow it. */
  readonly isWeak?: boolean
}

export interface Grammar {
  /** At the end of the line; the longest run of words that one of them reads wins. */
  readonly atEnd: readonly Form[]
  /** At the end of the line where no other form fits. */
  readonly places: readonly Form[]
  /** At the start of the line. */
  readonly atStart: readonly Form[]
}

/** Names of a language, each with what it stands for, as alternatives of a pattern. */
export const oneOf = (names: Readonly<Record<string, number>>): string =>
  Object.keys(names)
    .toSorted((a, b) => b.length - a.length)
    .join('|')

export const form = (is: string, read: Form['read'], more: Partial<Form> = {}): Form => ({
  is: new RegExp(`^(?:${is})$`, 'iu'),
  read,
  ...more,
})

/** Words that name one day. */
export type NamedDay = readonly [
  is: string,
  read: (groups: Groups, around: Surroundings) => Temporal.PlainDate | undefined,
]

export const dated =
  (read: NamedDay[1], isDeadline = false): Form['read'] =>
  (groups, around) => {
    const from = read(groups, around)
    return from && { what: 'date', from, ...(isDeadline && { isDeadline }) }
  }

/** Reads the words for one day, by the first of the given forms that fits. */
export function dayReader(days: readonly NamedDay[]) {
  const forms = days.map(([is, read]) => [new RegExp(`^(?:${is})$`, 'iu'), read] as const)
  return (words: string, around: Surroundings): Temporal.PlainDate | undefined => {
    for (const [is, read] of forms) {
      const match = is.exec(words.trim())
      const day = match && read(match.slice(1), around)
      if (day) return day
    }
    return undefined
  }
}

export const repeats = (is: string, repeat: (groups: Groups) => Repeat, more: Partial<Form> = {}): Form =>
  form(is, (groups) => ({ what: 'repeat', repeat: repeat(groups) }), more)

/** Words after a mark or a preposition that name a place; here capitals count. */
export const placed = (is: string): Form =>
  form(is, ([place = '']) => ({ what: 'place', place }), { is: new RegExp(`^(?:${is})$`, 'u') })

/** The same pattern without groups that are read. */
export const plain = (pattern: string): string => pattern.replaceAll(/\((?!\?)/g, '(?:')
