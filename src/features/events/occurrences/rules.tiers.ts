/** Who decides how many of the events there are: the user, or other users, whose invitation the user has answered or not. */
export type Tier = 'own' | 'answered' | 'unanswered'

/** What a window shows of an invitation at most; the rest is left out. Own events have limits that refuse the window instead. */
interface Share {
  readonly occurrences: number
  /** Of the response. */
  readonly bytes: number
}

export const SHARES: Readonly<Record<Exclude<Tier, 'own'>, Share>> = {
  answered: { occurrences: 2000, bytes: 3 * 1024 * 1024 },
  unanswered: { occurrences: 500, bytes: 1024 * 1024 },
}

/** The rows of differences of series that are read at once: overrides with exceptions, extra starts, and answers. */
interface Most {
  readonly overrides: number
  readonly extras: number
  readonly answers: number
}

export const MOST: Readonly<Record<Tier, Most>> = {
  own: { overrides: 5001, extras: 5001, answers: 5001 },
  answered: { overrides: 2000, extras: 2000, answers: 2000 },
  unanswered: { overrides: 2000, extras: 1000, answers: 1000 },
}

export const TIERS: readonly Tier[] = ['own', 'answered', 'unanswered']
