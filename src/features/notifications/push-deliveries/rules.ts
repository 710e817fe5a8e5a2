import type { PushOutcome } from '../../../lib/ports'
import { addHours, addSeconds } from '../../../lib/time/time'

/** What came due while nothing ran is sent up to so much later (contract: push.delivery). */
const LATE_HOURS = 24
export const LEASE_SECONDS = 60
const MAX_RETRIES = 5
const FIRST_RETRY_SECONDS = 60
/** The longest that a user is not looked at. A clock that was ahead for a while may have put it off further: see `isAstray`. */
const HORIZON_HOURS = 24
/** Longer than any request takes. */
const SETTLING_SECONDS = 120
/** Users whose things are far off are looked at again at different minutes, not all at once. */
const SPREAD_MINUTES = 720

/** Until when a message that came due at `at` is worth sending. */
export const expiryOf = (at: Date): Date => addHours(at, LATE_HOURS)

/** What a pass looks at: what came due in the last day, and, to know when to look again, the day ahead. */
export const lookout = (now: Date) => ({ from: addHours(now, -LATE_HOURS), to: addHours(now, HORIZON_HOURS) })

/** By when every change has ended that began before push was switched on at `configuredAt`, and may have gone unnoticed. */
export const settledAt = (configuredAt: Date): Date => addSeconds(configuredAt, SETTLING_SECONDS)

/** When to look at a user again whose moments are at `moments`. */
export function wakeAfter(userId: number, moments: readonly Date[], now: Date): Date {
  const rest = addSeconds(addHours(now, HORIZON_HOURS / 2), (userId % SPREAD_MINUTES) * 60)
  return moments.reduce((soonest, at) => (at > now && at < soonest ? at : soonest), rest)
}

/** Before the next pass begins, and after this one has planned. */
export const nextPass = (now: Date): Date => addSeconds(now, 30)

/** Nothing is ever put off for longer: an instant beyond was written while a clock was ahead. */
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
 * What of `moments` is yet to be told. Other settings give an item another fire time; where that is past already, and the user has
 * been told since, telling them again says nothing new.
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

/** Messages of events that are written down for a user within an hour: what others put into one calendar leaves room for the rest. */
const MAX_EVENTS_AN_HOUR = { inAll: 60, ofCalendar: 45 }

/** A message of an event that is written down already. */
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

/** The messages for which there is room in this hour beside what is `written`: of events the latest ones, and all others. */
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

/** When to try again after the `attempts`-th failure; undefined where that was the last. */
export const retryAt = (attempts: number, now: Date): Date | undefined =>
  attempts > MAX_RETRIES ? undefined : addSeconds(now, FIRST_RETRY_SECONDS * 2 ** (attempts - 1))

/** What the owner reads of a failure: never an address, a header or a token. */
export function errorOf(outcome: Exclude<PushOutcome, { kind: 'sent' }>): string {
  switch (outcome.kind) {
    case 'forbidden_address':
      return 'That address is not allowed'
    case 'refused':
      return `The push server answered ${outcome.status}`
    case 'unreachable':
      return 'The push server did not answer'
  }
}

export const UNREADABLE_TOKEN = 'The access token cannot be read any more: set it again'
export const TOO_LATE = 'It came due more than a day ago'
