import { addDaysTo, dayOf, instantOf, wallFromText, wallIn } from '../../../lib/time/wall-time'

export type Kind = 'event' | 'birthday' | 'reminder' | 'todo' | 'project' | 'task' | 'connection'

/** By when and how somebody is told (contract: push.moments). Times of day are `HH:MM` or `HH:MM:SS`. */
export interface Schedule {
  /** IANA name. */
  readonly timeZone: string
  /** When what has a day but no time is told. */
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

/** An instant at which an item is told of. */
export interface Slot {
  readonly at: Date
  /** Which of the item's own times it speaks of: settings move the instant, but not this. */
  readonly about: string
}

/** What a message is about. */
export interface Subject {
  readonly kind: Kind
  readonly itemId: number
  /** Original start of the occurrence; empty unless the item repeats. */
  readonly occurrence: string
  /** It had ended when it was entered: no message is planned for it any more, and one that waits already is sent. */
  readonly wasOver?: boolean
  /** The one that an event is in. */
  readonly calendarId?: number
}

/** What a message says. */
export interface Content {
  readonly title: string
  readonly message: string
  /** 1 to 5, as ntfy has it. */
  readonly priority: number
  readonly tags: readonly string[]
  /** Below `PUBLIC_URL`. */
  readonly path: string
}

/** A message that is due to somebody at an instant. */
export interface Moment extends Subject, Slot {
  readonly key: string
  readonly content: Content
}

/** By which a message is known among those of a user: an item that is moved has another. */
const keyOf = ({ kind, itemId, occurrence }: Subject, at: Date): string =>
  [kind, itemId, occurrence || '-', at.toISOString()].join(':')

const isWithin = ({ from, to }: Window, at: Date): boolean => at > from && at <= to

/** The moments of the slots that lie in the window. */
export const momentsAt = (
  subject: Subject,
  slots: readonly Slot[],
  window: Window,
  contentOf: (slot: Slot) => Content,
): Moment[] =>
  slots
    .filter(({ at }) => isWithin(window, at))
    .map((slot) => ({ ...subject, ...slot, key: keyOf(subject, slot.at), content: contentOf(slot) }))

/** The instant of a time of day on a day in `zone`. */
export const instantOn = (zone: string, day: string, time: string): Date =>
  instantOf(zone, wallFromText(`${day}T${time}`))

/**
 * What has a day is told of at `dayAt`, `leadDays` days before it and on it; with a time of day also then. What falls together is
 * told of once.
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

/** A day of which somebody is told within the window is none before or after these; `leadDays` at most before it. */
export function daysOf(
  { from, to }: Window,
  leadDays: number,
): { readonly first: string; readonly last: string } {
  // No clock is a whole day from UTC.
  return { first: addDaysTo(dayOf(+from), -1), last: addDaysTo(dayOf(+to), leadDays + 1) }
}

/** Hours of the day in which nothing is sent; they may go across midnight. */
interface QuietHours {
  readonly timeZone: string
  readonly quietFrom: string | null
  readonly quietTo: string | null
}

/** When the quiet hours end that `now` lies in; undefined outside of them. The same hour twice is none. */
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
