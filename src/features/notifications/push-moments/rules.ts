import { addDaysTo, dayOf, instantOf, wallFromText, wallIn } from '../../../lib/time/wall-time'

export type Kind = 'event' | 'birthday' | 'reminder' | 'todo' | 'project' | 'task' | 'connection'

/** The recipient's settings for the times of messages (contract: push.moments). Times of day are `HH:MM` or `HH:MM:SS`. */
export interface Schedule {
  /** IANA name. */
  readonly timeZone: string
  /** Time of day for messages about items that have a day but no time. */
  readonly dayAt: string
  readonly eventLeadMinutes: number
  readonly todoLeadDays: number
  readonly projectLeadDays: number
}

/** A span of time: `from` exclusive, `to` inclusive. */
export interface Window {
  readonly from: Date
  readonly to: Date
}

/** An instant at which an item has a message. */
export interface Slot {
  readonly at: Date
  /** The item's own time that the message is about; settings change `at`, but not this. */
  readonly about: string
}

/** The item that a message is about. */
export interface Subject {
  readonly kind: Kind
  readonly itemId: number
  /** Original start of the occurrence; empty unless the item repeats. */
  readonly occurrence: string
  /**
   * True when the item had ended before it was last entered: no new message is planned, but one that is already waiting is
   * sent.
   */
  readonly wasOver?: boolean
  /** The calendar of an event. */
  readonly calendarId?: number
}

/** The content of a message. */
export interface Content {
  readonly title: string
  readonly message: string
  /** 1 to 5, as in ntfy. */
  readonly priority: number
  readonly tags: readonly string[]
  /** Relative to `PUBLIC_URL`. */
  readonly path: string
}

/** A message that is due at an instant. */
export interface Moment extends Subject, Slot {
  readonly key: string
  readonly content: Content
}

/** Identifies a message among those of a user; moving the item changes the key. */
const keyOf = ({ kind, itemId, occurrence }: Subject, at: Date): string =>
  [kind, itemId, occurrence || '-', at.toISOString()].join(':')

const isWithin = ({ from, to }: Window, at: Date): boolean => at > from && at <= to

/** Returns the moments of the slots that lie in the window. */
export const momentsAt = (
  subject: Subject,
  slots: readonly Slot[],
  window: Window,
  contentOf: (slot: Slot) => Content,
): Moment[] =>
  slots
    .filter(({ at }) => isWithin(window, at))
    .map((slot) => ({ ...subject, ...slot, key: keyOf(subject, slot.at), content: contentOf(slot) }))

/** Returns the instant of a time of day on a day in `zone`. */
export const instantOn = (zone: string, day: string, time: string): Date =>
  instantOf(zone, wallFromText(`${day}T${time}`))

/**
 * The messages of an item with a day: at `dayAt`, both `leadDays` days before and on the day itself; with a time of day
 * also at that time. Messages at the same instant become one.
 */
export function slotsOfDay(
  { timeZone, dayAt }: Schedule,
  day: string,
  leadDays: number,
  time: string | null = null,
): Slot[] {
  const slots = [
    ...(leadDays > 0
      ? [{ at: instantOn(timeZone, addDaysTo(day, -leadDays), dayAt), about: `${day} ahead` }]
      : []),
    { at: instantOn(timeZone, day, dayAt), about: day },
    ...(time === null ? [] : [{ at: instantOn(timeZone, day, time), about: `${day}T${time}` }]),
  ]
  return [...new Map(slots.toReversed().map((slot) => [+slot.at, slot])).values()].toReversed()
}

/** Returns the range of days whose messages may fall into the window, if each comes at most `leadDays` before its day. */
export function daysOf(
  { from, to }: Window,
  leadDays: number,
): { readonly first: string; readonly last: string } {
  // No zone is a whole day from UTC.
  return { first: addDaysTo(dayOf(+from), -1), last: addDaysTo(dayOf(+to), leadDays + 1) }
}

/** The hours in which no messages are sent; they may cross midnight. */
interface QuietHours {
  readonly timeZone: string
  readonly quietFrom: string | null
  readonly quietTo: string | null
}

/** Returns when the quiet hours around `now` end, or undefined outside of them. Equal start and end mean no quiet hours. */
export function quietUntil({ timeZone, quietFrom, quietTo }: QuietHours, now: Date): Date | undefined {
  if (quietFrom === null || quietTo === null || quietFrom === quietTo) return undefined
  const today = dayOf(wallIn(timeZone, now))
  const ends = [-1, 0].map((days) => {
    const start = addDaysTo(today, days)
    const end = quietTo > quietFrom ? start : addDaysTo(start, 1)
    return { start: instantOn(timeZone, start, quietFrom), end: instantOn(timeZone, end, quietTo) }
  })
  return ends.find(({ start, end }) => now >= start && now < end)?.end
}
