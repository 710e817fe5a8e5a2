import type { Db, Tx } from '../../../db/client'
import { pagesOf } from '../../../db/in-pages'
import { addDaysTo, wallFromText, type WallTime, wallToText } from '../../../lib/time/wall-time'
import { offsetMs } from '../../../lib/time/zone'
import { zoneNamed } from '../../../lib/time/zone-names'
import { calendarsForAll } from '../../../access/calendars/service'
import { textsOf } from '../../events/events/rules.texts'
import { timesAt } from '../../events/events/rules.times'
import { seriesOf, timesOf, timesOfOccurrence } from '../../events/events/service'
import type { Window } from '../push-moments/rules'
import * as q from './queries'
import { type Extent, type Happening, isTold, later, type Leads, MAX_OCCURRENCES, wallsOf } from './rules'

type EventRow = Awaited<ReturnType<typeof q.eventsBy>>[number]
type InvitedRow = Awaited<ReturnType<typeof q.toldToInvited>>[number]
type OverrideRow = Awaited<ReturnType<typeof q.overrides>>[number]
type Calendars = Awaited<ReturnType<typeof calendarsForAll>>

/** An event that a user sees, and its happenings near the window; undefined for those without a message. */
interface Shown {
  readonly userId: number
  readonly eventId: number
  readonly calendarId: number
  readonly happenings: () => Generator<Happening | undefined>
}

/** An event as a user sees it, with their invitation if they have one. */
interface EventAccess extends Pick<Happening, 'enteredAt' | 'invitedAt'> {
  readonly event: EventRow
  readonly invitation: InvitedRow['invitation'] | null
}

/**
 * Yields the events that each user sees in the list of events, without hidden calendars and declined events. `leadOf`
 * is the user's default lead in minutes, for events without a lead of their own.
 */
export async function* eventsSeen(
  db: Db | Tx,
  extent: Extent,
  leadOf: (userId: number) => number,
): AsyncGenerator<Shown> {
  const { users } = extent
  const lead = Math.max(...users.map(leadOf))
  const near = { extent, leads: { least: Math.min(...users.map(leadOf)), most: lead } }
  const calendars = Map.groupBy(await calendarsForAll(db, users), ({ userId }) => userId)
  const shownIds = [...calendars.values()]
    .flat()
    .flatMap(({ id, isVisible, isSystem }) => (isVisible && !isSystem ? id : []))
  const invited = await q.toldToInvited(db, extent, lead)
  const invitedTo = Map.groupBy(invited, ({ invitation }) => invitation.userId)
  const viewOf = (userId: number) => ({
    calendars: calendars.get(userId) ?? [],
    invited: invitedTo.get(userId) ?? [],
  })
  const show = function* (
    userId: number,
    seen: Iterable<EventAccess>,
    happeningsOf: HappeningsOf,
  ): Generator<Shown> {
    for (const one of seen) {
      const { id: eventId, calendarId } = one.event
      yield { userId, eventId, calendarId, happenings: () => happeningsOf(one, leadOf(userId)) }
    }
  }
  for (const ids of pagesOf(await q.toldInCalendars(db, [...new Set(shownIds)], extent, lead))) {
    const events = await q.eventsBy(db, ids)
    const byCalendar = Map.groupBy(events, ({ calendarId }) => calendarId)
    const happeningsOf = await loadHappenings(db, near, { events, invited })
    for (const userId of users) yield* show(userId, inCalendars(viewOf(userId), byCalendar), happeningsOf)
  }
  const events = invited.map(({ event }) => event)
  const happeningsOf = await loadHappenings(db, near, { events, invited })
  for (const userId of users) yield* show(userId, byInvitation(viewOf(userId)), happeningsOf)
}

/** The most differences of series that one pass plans for a user, except when several fall on the same instant. */
const DIFFERENCES_PER_PASS = 1000

const sightsOf = async (db: Db | Tx, users: readonly number[]): Promise<q.Sight[]> => {
  const calendars = Map.groupBy(await calendarsForAll(db, users), ({ userId }) => userId)
  return users.map((userId) => ({
    userId,
    calendarIds: (calendars.get(userId) ?? []).flatMap(({ id, isVisible, isSystem }) =>
      isVisible && !isSystem ? id : [],
    ),
  }))
}

/** Returns the users with so many messages in the window that planning takes several passes. */
export async function crowdedAmong(
  db: Db | Tx,
  users: readonly number[],
  window: Window,
  lead: number,
): Promise<ReadonlySet<number>> {
  const sights = await sightsOf(db, users)
  return new Set(await q.crowded(db, sights, { window, lead, most: DIFFERENCES_PER_PASS }))
}

/** Returns the end of the part of the window that one pass plans for the user, or undefined for the whole window. */
export async function firstOf(
  db: Db | Tx,
  user: { readonly userId: number; readonly lead: number },
  window: Window,
): Promise<Date | undefined> {
  const [sight] = await sightsOf(db, [user.userId])
  if (!sight) return undefined
  const offsets = (await q.zonesSeen(db, sight)).flatMap((zone): Array<[string, number]> =>
    zoneNamed(zone) === undefined ? [] : [[zone, offsetMs(zone, +window.from)]],
  )
  const asked = { window, lead: user.lead, most: DIFFERENCES_PER_PASS }
  return q.instantAfter(db, sight, asked, new Map(offsets))
}

/** The calendars and invitations of a user. */
interface View {
  readonly calendars: Calendars
  readonly invited: readonly InvitedRow[]
}

function* inCalendars(
  { calendars, invited }: View,
  byCalendar: ReadonlyMap<number, readonly EventRow[]>,
): Generator<EventAccess> {
  const invitations = new Map(invited.map(({ invitation }) => [invitation.eventId, invitation]))
  for (const { id, isVisible, sharedAt } of calendars) {
    if (!isVisible) continue
    for (const event of byCalendar.get(id) ?? []) {
      const invitation = invitations.get(event.id) ?? null
      yield { event, invitation, enteredAt: later(event.updatedAt, sharedAt), invitedAt: null }
    }
  }
}

/** Yields events that the user sees only by invitation, unless the display calendar is hidden. */
function* byInvitation({ calendars, invited }: View): Generator<EventAccess> {
  const isVisible = new Map(calendars.map((calendar) => [calendar.id, calendar.isVisible]))
  for (const { event, invitation } of invited) {
    if (isVisible.has(event.calendarId)) continue
    if (isVisible.get(invitation.displayCalendarId ?? 0) === false) continue
    const enteredAt = later(event.updatedAt, invitation.updatedAt)
    yield { event, invitation, enteredAt, invitedAt: invitation.createdAt }
  }
}

interface Rows {
  readonly events: readonly EventRow[]
  readonly invited: readonly InvitedRow[]
}

type HappeningsOf = Awaited<ReturnType<typeof loadHappenings>>

/** The part of the events to examine, with the range of leads. */
interface Near {
  readonly extent: Extent
  readonly leads: Leads
}

async function loadHappenings(db: Db | Tx, near: Near, { events, invited }: Rows) {
  const { extent, leads } = near
  const ofSeries = new Map(events.flatMap((one) => (one.recurrenceRule === null ? [] : [[one.id, one]])))
  const series = [...ofSeries.values()].map((one) => toLooked(one, near))
  const rows = series.length === 0 ? [] : await q.overrides(db, series, extent, leads)
  const overridesOf = Map.groupBy(rows, ({ eventId }) => eventId)
  const extras = series.length === 0 ? [] : await q.extraStarts(db, series)
  const extrasOf = Map.groupBy(extras, ({ eventId }) => eventId)
  const invitationIds = invited.flatMap(({ invitation: { id, eventId } }) =>
    ofSeries.has(eventId) ? id : [],
  )
  const answers = invitationIds.length === 0 ? [] : await q.responses(db, series, invitationIds)
  const answersOf = Map.groupBy(answers, ({ invitationId }) => invitationId)
  const differencesOf = (eventId: number): Differences => ({
    overrides: overridesOf.get(eventId) ?? [],
    extras: extrasOf.get(eventId) ?? [],
  })
  return function* happeningsOf(one: EventAccess, lead: number): Generator<Happening | undefined> {
    const { event, invitation, invitedAt } = one
    const own = answersOf.get(invitation?.id ?? 0) ?? []
    const responses = new Map(own.map((row) => [wallFromText(row.occurrenceStart), row.response]))
    for (const { wall, happening } of occurrences(one, differencesOf(event.id), extent, lead)) {
      const response = responses.get(wall) ?? invitation?.response ?? null
      yield isTold(response, invitedAt !== null) ? happening : undefined
    }
  }
}

/** Returns the range of starts of the series to examine. */
function toLooked({ id, timeZone, reminderMinutes }: EventRow, { extent, leads }: Near): q.Looked {
  const own = reminderMinutes === null ? leads : { least: reminderMinutes, most: reminderMinutes }
  return { id, ...wallsOf(timeZone, extent, own) }
}

/** The overrides and extra starts of a series near the window. */
interface Differences {
  readonly overrides: readonly OverrideRow[]
  readonly extras: ReadonlyArray<{ readonly start: string }>
}

interface Placed {
  /** The original start, or NaN for an event that does not repeat. */
  readonly wall: WallTime
  /** Undefined for an exception. */
  readonly happening: Happening | undefined
}

/** Yields the occurrences that start `lead` minutes after a time in the window, and those with an override near it. */
function* occurrences(
  seen: EventAccess,
  differences: Differences,
  extent: Extent,
  lead: number,
): Generator<Placed> {
  const { event } = seen
  const first = timesOf(event)
  const starts = startsOf(event, differences)
  if (!starts) {
    yield { wall: Number.NaN, happening: { ...toHappening(seen, textsOf(event)), times: first } }
    return
  }
  const overrides = new Map(differences.overrides.map((row) => [wallFromText(row.occurrenceStart), row]))
  const span = spanOf(extent, event.reminderMinutes ?? lead)
  for (const wall of new Set([...starts.within(span, MAX_OCCURRENCES), ...overrides.keys()])) {
    const override = overrides.get(wall)
    const times = timesOfOccurrence({ original: timesAt(first, wall), override })
    const happening = { ...toHappening(seen, textsOf(event, override?.changes)), times }
    yield {
      wall,
      happening: override?.isCancelled ? undefined : { ...happening, occurrence: wallToText(wall) },
    }
  }
}

/** The series with zero duration: messages depend on starts only, however long an earlier occurrence still lasts. */
const startsOf = (event: EventRow, { extras }: Differences) =>
  seriesOf(
    { ...event, endAt: event.startAt, endDate: event.startDate },
    extras.map(({ start }) => wallFromText(start)),
  )

const spanOf = ({ window, firstDay, lastDay }: Extent, lead: number) => ({
  from: new Date(+window.from + lead * 60_000),
  to: new Date(+window.to + lead * 60_000 + 1),
  fromDay: firstDay,
  toDay: addDaysTo(lastDay, 1),
})

const toHappening = (
  { event: { id }, enteredAt, invitedAt }: EventAccess,
  { title, location, reminderMinutes }: ReturnType<typeof textsOf>,
) => ({ id, title, location, reminderMinutes, occurrence: '', enteredAt, invitedAt })
