/** What of a source is looked at. */
export interface Extent {
  readonly users: readonly number[]
  /** Only these items. */
  readonly ids: readonly number[] | undefined
  /** `from` exclusive, `to` inclusive. */
  readonly window: { readonly from: Date; readonly to: Date }
  /** The days that may matter, for what has days. */
  readonly firstDay: string
  readonly lastDay: string
}

/** The longest lead of an event of its own. */
export const MAX_LEAD_DAYS = 28
/** The most occurrences that are looked at; one a minute over two days is fewer. */
export const MAX_OCCURRENCES = 6000

type Response = 'Going' | 'Tentative' | 'Declined'

/** A guest is told only of what they said that they may come to, everybody else of all but what they declined. */
export const isTold = (response: Response | null, isGuest: boolean): boolean =>
  isGuest ? response === 'Going' || response === 'Tentative' : response !== 'Declined'

export const later = (one: Date, other: Date | null): Date => (other !== null && other > one ? other : one)
