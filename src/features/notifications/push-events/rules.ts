import type { Times } from '../../events/events/rules.times'
import { addDaysTo, DAY_MS, midnightOf } from '../../../lib/time/wall-time'
import { offsetMs } from '../../../lib/time/zone'
import { zoneNamed } from '../../../lib/time/zone-names'

/** The part of a source to examine. */
export interface Extent {
  readonly users: readonly number[]
  /** Only these items. */
  readonly ids: readonly number[] | undefined
  /** `from` exclusive, `to` inclusive. */
  readonly window: { readonly from: Date; readonly to: Date }
  /** The range of days for items that have a day and no time. */
  readonly firstDay: string
  readonly lastDay: string
}

/** The longest lead that an event can have of its own. */
export const MAX_LEAD_DAYS = 28
/** The most occurrences of a series to examine; one a minute over two days is fewer. */
export const MAX_OCCURRENCES = 6000

/** The range of the users' default leads, in minutes before the start, for events without a lead of their own. */
export interface Leads {
  readonly least: number
  readonly most: number
}

/** The range of starts of a series whose messages may fall into the window, widened only as far as clock changes require. */
export function wallsOf(zone: string | null, { window, firstDay, lastDay }: Extent, { least, most }: Leads) {
  if (zone === null) {
    // All-day events have a message on the day itself, too. `lastDay` allows for the longest lead; `most` may be shorter.
    const to = addDaysTo(lastDay, Math.ceil(most / 1440) - MAX_LEAD_DAYS)
    return { from: midnightOf(firstDay), to: midnightOf(to) }
  }
  const [from, to] = [+window.from + least * 60_000, +window.to + most * 60_000]
  return { from: from + Math.min(...offsetsAbout(zone, from)), to: to + Math.max(...offsetsAbout(zone, to)) }
}

/** The event of an unknown zone is broken and has no messages. */
const offsetsAbout = (zone: string, at: number): number[] =>
  zoneNamed(zone) === undefined ? [0] : [-DAY_MS, 0, DAY_MS].map((ms) => offsetMs(zone, at + ms))

type Response = 'Going' | 'Tentative' | 'Declined'

/** A guest gets messages only for events that they accepted or may attend; all others for events that they have not declined. */
export const isTold = (response: Response | null, isGuest: boolean): boolean =>
  isGuest ? response === 'Going' || response === 'Tentative' : response !== 'Declined'

export const later = (one: Date, other: Date | null): Date => (other !== null && other > one ? other : one)

/** An event or one occurrence of it, as one user sees it. */
export interface Happening {
  readonly id: number
  readonly title: string
  readonly location: string | null
  readonly reminderMinutes: number | null
  /** Original start of the occurrence; empty unless the event repeats. */
  readonly occurrence: string
  /** The same as clients name it: an instant, or a day if the event is all-day. */
  readonly named: string
  readonly times: Times
  /** When the event, or the share or invitation that shows it to the user, last changed. */
  readonly enteredAt: Date
  /** Null unless the user sees the event by the invitation alone. */
  readonly invitedAt: Date | null
}

/** An invitation as far as it decides where its event shows. */
interface Placement {
  /** The calendar that the invitee chose for it. */
  readonly displayCalendarId: number | null
}

/**
 * Whether an event shows to a user of whose calendars `shown` are visible. An invitation shows in the calendar that the invitee
 * chose, and without one also while the shared calendar that contains the event is hidden. The queries of windows say the same.
 */
export const isShown = (
  shown: ReadonlySet<number>,
  { calendarId }: { readonly calendarId: number },
  invitation: Placement | null,
): boolean =>
  invitation === null || invitation.displayCalendarId !== null
    ? shown.has(invitation?.displayCalendarId ?? calendarId)
    : true
