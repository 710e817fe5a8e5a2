import { addHours, addSeconds } from '../../../lib/time/time'

/** A message that came due while no instance ran is sent up to this much later (contract: push.delivery). */
const LATE_HOURS = 24
/** The longest time between two plannings of a user. If a clock was ahead for a while, it may be longer: see `isAstrayAfter`. */
const HORIZON_HOURS = 24
/** Spreads the next planning of users without near moments over this time, so that they are not all planned at once. */
const SPREAD_MINUTES = 720

/** Returns until when a message that came due at `at` is worth sending. */
export const expiryOf = (at: Date): Date => addHours(at, LATE_HOURS)

/** The window of a pass: the last day for due moments, and the next day to know when to plan again. */
export const lookout = (now: Date) => ({ from: addHours(now, -LATE_HOURS), to: addHours(now, HORIZON_HOURS) })

/** Returns when to plan a user again who has moments at `moments`. */
export function wakeAfter(userId: number, moments: readonly Date[], now: Date): Date {
  const rest = addSeconds(addHours(now, HORIZON_HOURS / 2), (userId % SPREAD_MINUTES) * 60)
  return moments.reduce((soonest, at) => (at > now && at < soonest ? at : soonest), rest)
}

/** A time after this pass has planned and before the next pass begins. */
export const nextPass = (now: Date): Date => addSeconds(now, 30)

/** Nothing is ever postponed beyond this time; a later time was written while a clock was ahead. */
export const isAstrayAfter = (now: Date): Date => addHours(now, 2 * LATE_HOURS)

interface Told {
  readonly kind: string
  readonly itemId: number
  readonly occurrence: string
  readonly about: string
}

const subjectOf = ({ kind, itemId, occurrence, about }: Told): string =>
  [kind, itemId, occurrence, about].join(' ')

/**
 * Returns the moments that are still to be sent. Changed settings give an item another fire time; when that time is
 * past and the user has had a message about the item since, another message would say nothing new.
 */
export function untold<M extends Told & { readonly at: Date }>(
  moments: readonly M[],
  told: ReadonlyArray<Told & { readonly sentAt: Date | null }>,
): M[] {
  const lastTold = new Map<string, number>()
  for (const one of told) {
    const subject = subjectOf(one)
    lastTold.set(subject, Math.max(lastTold.get(subject) ?? 0, Number(one.sentAt)))
  }
  return moments.filter((moment) => (lastTold.get(subjectOf(moment)) ?? 0) < +moment.at)
}

/**
 * The most event messages that are created for a user within an hour. One calendar cannot use up all of them, so that
 * others who fill it leave room for the rest.
 */
const MAX_EVENTS_AN_HOUR = { inAll: 60, ofCalendar: 45 }

/** An event message that exists already. */
interface Written {
  readonly key: string
  readonly createdAt: Date
  readonly calendarId: number | null
}

interface New {
  readonly key: string
  readonly kind: string
  readonly at: Date
  readonly calendarId?: number
}

/** Chooses the messages that fit into this hour besides `written`: the latest event messages, and all others. */
export function withRoom<M extends New>(moments: readonly M[], written: readonly Written[], now: Date) {
  const keys = new Set(written.map(({ key }) => key))
  const recent = written.filter(({ createdAt }) => createdAt > addHours(now, -1))
  const counts = new Map<number | null, number>()
  for (const { calendarId } of recent) counts.set(calendarId, (counts.get(calendarId) ?? 0) + 1)
  const events = moments.filter(({ kind, key }) => kind === 'event' && !keys.has(key))
  const told: M[] = []
  for (const moment of events.toSorted((a, b) => +b.at - +a.at)) {
    const calendarId = moment.calendarId ?? null
    const count = counts.get(calendarId) ?? 0
    const isFull = recent.length + told.length >= MAX_EVENTS_AN_HOUR.inAll
    if (isFull || count >= MAX_EVENTS_AN_HOUR.ofCalendar) continue
    counts.set(calendarId, count + 1)
    told.push(moment)
  }
  const chosen = [...moments.filter(({ kind }) => kind !== 'event'), ...told]
  return { chosen, leftOut: events.length - told.length }
}
