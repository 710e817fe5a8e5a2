import type { Times } from '../../events/events/rules.times'
import { addDaysTo, DAY_MS, midnightOf } from '../../../lib/time/wall-time'
import { offsetMs } from '../../../lib/time/zone'
import { zoneNamed } from '../../../lib/time/zone-names'

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

/** Of those who are told: how many minutes before the start of an event that says nothing itself. */
export interface Leads {
  readonly least: number
  readonly most: number
}

/** The starts of a series that may be told of, and no more of others than clocks that change make necessary. */
export function wallsOf(zone: string | null, { window, firstDay, lastDay }: Extent, { least, most }: Leads) {
  if (zone === null) {
    // Days are told of on themselves, too. The last is that of the longest lead.
    const to = addDaysTo(lastDay, Math.ceil(most / 1440) - MAX_LEAD_DAYS)
    return { from: midnightOf(firstDay), to: midnightOf(to) }
  }
  const [from, to] = [+window.from + least * 60_000, +window.to + most * 60_000]
  return { from: from + Math.min(...offsetsAbout(zone, from)), to: to + Math.max(...offsetsAbout(zone, to)) }
}

/** Of a zone that nobody knows: its event is broken, and nothing of it is told. */
const offsetsAbout = (zone: string, at: number): number[] =>
  zoneNamed(zone) === undefined ? [0] : [-DAY_MS, 0, DAY_MS].map((ms) => offsetMs(zone, at + ms))

type Response = 'Going' | 'Tentative' | 'Declined'

/** A guest is told only of what they said that they may come to, everybody else of all but what they declined. */
export const isTold = (response: Response | null, isGuest: boolean): boolean =>
  isGuest ? response === 'Going' || response === 'Tentative' : response !== 'Declined'

export const later = (one: Date, other: Date | null): Date => (other !== null && other > one ? other : one)

/** An event or one occurrence of it, as somebody sees it. */
export interface Happening {
  readonly id: number
  readonly title: string
  readonly location: string | null
  readonly reminderMinutes: number | null
  /** Original start of the occurrence; empty unless the event repeats. */
  readonly occurrence: string
  readonly times: Times
  /** When the event, or what shows it to them, last changed. */
  readonly enteredAt: Date
  /** Null unless they see it by the invitation alone. */
  readonly invitedAt: Date | null
}
