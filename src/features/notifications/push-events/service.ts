import type { Db, Tx } from '../../../db/client'
import type { Deps } from '../../../deps'
import { pagesOf } from '../../../db/in-pages'
import { addDaysTo, daysBetween, wallFromText, type WallTime, wallToText } from '../../../lib/time/wall-time'
import { offsetMs } from '../../../lib/time/zone'
import { zoneNamed } from '../../../lib/time/zone-names'
import { calendarsForAll } from '../../../access/calendars/service'
import { textsOf } from '../../events/events/rules.texts'
import type { Span } from '../../events/events/rules.recurrence'
import { isMasked } from '../../events/events/rules.visibility'
import type { Times } from '../../events/events/rules.times'
import { type Differences, type Expanded, expandSeries } from '../../events/occurrences/rules.expansion'
import { seriesOf, timesOf, timesOfOccurrence } from '../../events/events/service.views'
import type { Window } from '../push-moments/rules'
import * as q from './queries'
import {
  type Extent,
  type Happening,
  isShown,
  isTold,
  later,
  type Leads,
  MAX_OCCURRENCES,
  wallsOf,
} from './rules'

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
  { log }: Pick<Deps, 'log'>,
  extent: Extent,
  leadOf: (userId: number) => number,
): AsyncGenerator<Shown> {
  const { users } = extent
  const lead = Math.max(...users.map(leadOf))
  const near = { extent, leads: { least: Math.min(...users.map(leadOf)), most: lead } }
  const calendars = Map.groupBy(await calendarsForAll(db, users), ({ userId }) => userId)
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
  const { ids: toldIds, leftOut } = await idsInCalendars(db, [...calendars.values()].flat(), extent, lead)
  if (leftOut > 0) log.warn('A user has more events than push messages are planned for', { users, leftOut })
  for (const ids of pagesOf(toldIds)) {
    const events = await q.eventsBy(db, ids)
    const byCalendar = Map.groupBy(events, ({ calendarId }) => calendarId)
    const happeningsOf = await loadHappenings(db, near, { events, invited })
    for (const userId of users) yield* show(userId, inCalendars(viewOf(userId), byCalendar), happeningsOf)
  }
  const events = invited.map(({ event }) => event)
  const happeningsOf = await loadHappenings(db, near, { events, invited })
  for (const userId of users) yield* show(userId, byInvitation(viewOf(userId)), happeningsOf)
}

/** Returns the events of the visible calendars whose messages may fall into the window: for a user alone, a limited number. */
async function idsInCalendars(
  db: Db | Tx,
  calendars: Calendars,
  extent: Extent,
  lead: number,
): Promise<{ readonly ids: readonly number[]; readonly leftOut: number }> {
  const shown = withEvents(calendars)
  const told = (some: Calendars) =>
    q.toldInCalendars(db, [...new Set(some.map(({ id }) => id))], extent, lead)
  const ids = await told(shown)
  if (extent.users.length > 1 || ids.length <= EVENTS_PER_USER) return { ids, leftOut: 0 }
  // What others share does not take the room of one's own events.
  const own = await told(shown.filter(({ sharedAt }) => sharedAt === null))
  const first = [...new Set([...own, ...ids])].slice(0, EVENTS_PER_USER)
  return { ids: first, leftOut: ids.length - first.length }
}

/** The visible calendars that hold events. */
const withEvents = (calendars: Calendars): Calendars =>
  calendars.filter(({ isVisible, isSystem }) => isVisible && !isSystem)

/** The most differences of series that one pass plans for a user, except when several fall on the same instant. */
const DIFFERENCES_PER_PASS = 1000
/** The most events that one pass examines for a user (contract: push.moments). */
const EVENTS_PER_USER = 10_000

const sightsOf = async (db: Db | Tx, users: readonly number[]): Promise<q.Sight[]> => {
  const calendars = Map.groupBy(await calendarsForAll(db, users), ({ userId }) => userId)
  return users.map((userId) => ({
    userId,
    calendarIds: withEvents(calendars.get(userId) ?? []).map(({ id }) => id),
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
  const most = { differences: DIFFERENCES_PER_PASS, events: EVENTS_PER_USER }
  return new Set(await q.crowded(db, sights, { window, lead, ...most }))
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

const shownOf = (calendars: Calendars): ReadonlySet<number> =>
  new Set(calendars.flatMap(({ id, isVisible }) => (isVisible ? id : [])))

function* inCalendars(
  { calendars, invited }: View,
  byCalendar: ReadonlyMap<number, readonly EventRow[]>,
): Generator<EventAccess> {
  const shown = shownOf(calendars)
  const invitations = new Map(invited.map(({ invitation }) => [invitation.eventId, invitation]))
  for (const { id, isVisible, sharedAt } of calendars) {
    if (!isVisible) continue
    for (const event of byCalendar.get(id) ?? []) {
      const invitation = invitations.get(event.id) ?? null
      const access = sharedAt === null ? 'owner' : 'read'
      // A time alone is no reason to tell a member.
      if (isMasked({ ...event, access, isInvited: invitation !== null })) continue
      if (!isShown(shown, event, invitation)) continue
      yield { event, invitation, enteredAt: later(event.updatedAt, sharedAt), invitedAt: null }
    }
  }
}

/** Yields events that show to the user only by invitation. */
function* byInvitation({ calendars, invited }: View): Generator<EventAccess> {
  const shown = shownOf(calendars)
  for (const { event, invitation } of invited) {
    if (shown.has(event.calendarId) || !isShown(shown, event, invitation)) continue
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

/** What is read of a series besides its row. */
interface SeriesDifferences extends Differences<OverrideRow, InvitedRow['invitation']['response']> {
  readonly extras: readonly WallTime[]
}

const byStart = <Row extends { readonly occurrenceStart: string }>(rows: readonly Row[] = []) =>
  rows.map((row) => [wallFromText(row.occurrenceStart), row] as const)

/** Loads the differences of the events, and returns a function that expands one of them. */
async function loadHappenings(db: Db | Tx, near: Near, { events, invited }: Rows) {
  const ofSeries = new Map(events.flatMap((one) => (one.recurrenceRule === null ? [] : [[one.id, one]])))
  const looked = [...ofSeries.values()].map((one) => toLooked(one, near))
  if (looked.length === 0) return (one: EventAccess) => itself(one)
  const rows = await q.overrides(db, looked, near.extent, near.leads)
  const overridesOf = Map.groupBy(rows, ({ eventId }) => eventId)
  const extrasOf = Map.groupBy(await q.extraStarts(db, looked), ({ eventId }) => eventId)
  const invitationIds = invited.flatMap(({ invitation: { id, eventId } }) =>
    ofSeries.has(eventId) ? id : [],
  )
  const answers = invitationIds.length === 0 ? [] : await q.responses(db, looked, invitationIds)
  const answersOf = Map.groupBy(answers, ({ invitationId }) => invitationId)
  return (one: EventAccess, lead: number) => {
    const { event, invitation } = one
    if (event.recurrenceRule === null) return itself(one)
    const found = {
      extras: extrasOf.get(event.id)?.map(({ start }) => wallFromText(start)) ?? [],
      overrides: new Map(byStart(overridesOf.get(event.id))),
      responses: new Map(
        byStart(answersOf.get(invitation?.id ?? 0)).map(([wall, { response }]) => [wall, response]),
      ),
    }
    return happenings(one, found, near, lead)
  }
}

function* itself(one: EventAccess): Generator<Happening | undefined> {
  const happening = { ...toHappening(one, textsOf(one.event)), times: timesOf(one.event) }
  yield isTold(one.invitation?.response ?? null, one.invitedAt !== null) ? happening : undefined
}

/** Yields the occurrences that start `lead` minutes after a time in the window, and those with an override near it. */
function* happenings(
  one: EventAccess,
  found: SeriesDifferences,
  near: Near,
  lead: number,
): Generator<Happening | undefined> {
  const { event, invitation, invitedAt } = one
  const series = seriesOf(event, found.extras)
  if (!series) return
  const starts = series.startsIn(startsTold(series.first, near.extent, event.reminderMinutes ?? lead))
  const part = { starts, most: MAX_OCCURRENCES, range: toLooked(event, near) }
  for (const occurrence of expandSeries(series, found, part)) {
    const response = occurrence?.response ?? invitation?.response ?? null
    yield occurrence && isTold(response, invitedAt !== null) ? happeningOf(one, occurrence) : undefined
  }
}

function happeningOf(
  seen: EventAccess,
  { wall, original, override }: Expanded<OverrideRow, unknown>,
): Happening {
  const texts = textsOf(seen.event, override?.changes)
  const times = timesOfOccurrence({ original, override })
  const named = original.allDay ? original.startDate : original.startAt.toISOString()
  return { ...toHappening(seen, texts), times, occurrence: wallToText(wall), named }
}

/** Returns the range of starts of the series to examine. */
function toLooked({ id, timeZone, reminderMinutes }: EventRow, { extent, leads }: Near): q.Looked {
  const own = reminderMinutes === null ? leads : { least: reminderMinutes, most: reminderMinutes }
  return { id, ...wallsOf(timeZone, extent, own) }
}

/**
 * The span of the series whose occurrences start `lead` minutes after a time in the window, however long earlier ones still last:
 * messages depend on starts only.
 */
const startsTold = (first: Times, { window, firstDay, lastDay }: Extent, lead: number): Span => ({
  from: new Date(+window.from + lead * 60_000 + (first.allDay ? 0 : +first.endAt - +first.startAt)),
  to: new Date(+window.to + lead * 60_000 + 1),
  fromDay: first.allDay ? addDaysTo(firstDay, daysBetween(first.startDate, first.endDate)) : firstDay,
  toDay: addDaysTo(lastDay, 1),
})

const toHappening = (
  { event: { id }, enteredAt, invitedAt }: EventAccess,
  { title, location, reminderMinutes }: ReturnType<typeof textsOf>,
) => ({ id, title, location, reminderMinutes, occurrence: '', named: '', enteredAt, invitedAt })
