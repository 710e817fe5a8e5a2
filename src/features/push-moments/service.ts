import type { Db, Tx } from '../../db/client'
import type { Deps } from '../../deps'
import { addDaysTo, wallFromText, type WallTime, wallToText } from '../../lib/wall-time'
import { zoneNamed } from '../../lib/zone-names'
import { celebrationsBetween } from '../birthdays/rules'
import { calendarsForAll } from '../calendar-access/service'
import { textsOf } from '../events/rules.texts'
import { timesAt } from '../events/rules.times'
import { seriesOf, timesOf, timesOfOccurrence } from '../events/service'
import { displayName } from '../people/rules'
import * as q from './queries'
import { daysOf, type Kind, type Moment, type Window } from './rules'
import {
  birthdayDays,
  birthdayMoments,
  eventMoments,
  leadDaysOf,
  MAX_OCCURRENCES,
  newsMoments,
  projectMoments,
  reminderMoments,
  taskMoments,
  todoMoments,
} from './rules.items'

export type { Moment } from './rules'

/** Who is told, where and how. */
export type Recipient = q.RecipientRow & { readonly timeZone: string }

/** What is asked: of whom, when, and where it is given only of these items. */
export interface Ask {
  readonly userIds: readonly number[]
  readonly window: Window
  readonly only?: ReadonlyMap<Kind, readonly number[]>
}

/** Somebody who wants messages, and those that are due to them within the window. */
export interface Due {
  readonly recipient: Recipient
  readonly moments: Moment[]
}

interface Context {
  readonly db: Db | Tx
  readonly ask: Ask
  readonly due: ReadonlyMap<number, Due>
  /** Adds what `make` answers; a row that breaks it is logged, and all others stand. */
  readonly add: (userId: number, kind: Kind, id: number, make: (recipient: Recipient) => Moment[]) => void
}

type Wish = keyof Recipient['wants']

/**
 * The moments within the window at which each of the users is told of something (contract, section 17), as everything is right now:
 * the one place that knows. Who wants no messages is not in the answer.
 */
export async function momentsFor(
  db: Db | Tx,
  deps: Pick<Deps, 'config' | 'log'>,
  ask: Ask,
): Promise<ReadonlyMap<number, Due>> {
  const rows = ask.userIds.length === 0 ? [] : await q.recipients(db, ask.userIds)
  const due = new Map(
    rows.map((row) => [row.userId, { recipient: toRecipient(deps, row), moments: [] as Moment[] }]),
  )
  const add: Context['add'] = (userId, kind, id, make) => {
    const found = due.get(userId)
    try {
      if (found) found.moments.push(...make(found.recipient))
    } catch (error) {
      deps.log.error('Cannot tell when an item is due', { kind, id, userId, reason: reasonOf(error) })
    }
  }
  const context = { db, ask, due, add }
  await addReminders(context)
  await addTodos(context)
  await addProjects(context)
  await addTasks(context)
  await addNews(context)
  await addBirthdays(context)
  await addEvents(context)
  return due
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** A zone that nobody knows any more loses no message: the server's stands in. */
function toRecipient({ config, log }: Pick<Deps, 'config' | 'log'>, row: q.RecipientRow): Recipient {
  const timeZone = zoneNamed(row.timeZone ?? config.timeZone)
  if (timeZone !== undefined) return { ...row, timeZone }
  log.error('The time zone of a user is none', { userId: row.userId })
  return { ...row, timeZone: config.timeZone }
}

/** What is looked at of a kind; undefined where nobody asks for it. `leadDays`: the most before what has days. */
function extentOf(
  { ask, due }: Context,
  kind: Kind,
  wish: Wish,
  leadDaysOfOne: (recipient: Recipient) => number = () => 0,
): q.Extent | undefined {
  const wanting = [...due.values()].map(({ recipient }) => recipient).filter(({ wants }) => wants[wish])
  const ids = ask.only?.get(kind)
  if (wanting.length === 0 || (ask.only && !ids)) return undefined
  const { first, last } = daysOf(ask.window, Math.max(...wanting.map(leadDaysOfOne)))
  return {
    users: wanting.map(({ userId }) => userId),
    ids,
    window: ask.window,
    firstDay: first,
    lastDay: last,
  }
}

async function addReminders(context: Context): Promise<void> {
  const { db, ask, add } = context
  const extent = extentOf(context, 'reminder', 'reminders')
  for (const row of extent ? await q.armedReminders(db, extent) : []) {
    add(row.userId, 'reminder', row.id, (recipient) => {
      const seriesWall = row.seriesWall === null ? null : wallFromText(row.seriesWall)
      return reminderMoments(recipient, { ...row, seriesWall }, ask.window)
    })
  }
}

async function addTodos(context: Context): Promise<void> {
  const { db, ask, add } = context
  const extent = extentOf(context, 'todo', 'todos', ({ todoLeadDays }) => todoLeadDays)
  for (const row of extent ? await q.dueTodos(db, extent) : []) {
    add(row.userId, 'todo', row.id, (recipient) => todoMoments(recipient, row, ask.window))
  }
}

async function addProjects(context: Context): Promise<void> {
  const { db, ask, add } = context
  const extent = extentOf(context, 'project', 'projects', ({ projectLeadDays }) => projectLeadDays)
  for (const row of extent ? await q.dueProjects(db, extent) : []) {
    add(row.userId, 'project', row.id, (recipient) => projectMoments(recipient, row, ask.window))
  }
}

async function addTasks(context: Context): Promise<void> {
  const { db, ask, add } = context
  const extent = extentOf(context, 'task', 'projects', ({ projectLeadDays }) => projectLeadDays)
  for (const row of extent ? await q.dueTasks(db, extent) : []) {
    add(row.userId, 'task', row.id, (recipient) => taskMoments(recipient, row, ask.window))
  }
}

async function addNews(context: Context): Promise<void> {
  const { db, ask, add } = context
  const extent = extentOf(context, 'connection', 'connections')
  for (const row of extent ? await q.news(db, extent) : []) {
    add(row.userId, 'connection', row.id, () => newsMoments(row, ask.window))
  }
}

/** Those whose Birthdays calendar shows. */
async function addBirthdays(context: Context): Promise<void> {
  const { db, ask, add } = context
  const extent = extentOf(context, 'birthday', 'events', (recipient) =>
    leadDaysOf(recipient.eventLeadMinutes),
  )
  if (!extent) return
  const { firstDay, lastDay } = extent
  const calendars = await calendarsForAll(db, extent.users)
  const users = calendars.flatMap(({ isSystem, isVisible, userId }) => (isSystem && isVisible ? userId : []))
  for (const row of await q.celebrated(db, { ...extent, users }, birthdayDays(firstDay, lastDay))) {
    const { id, userId, enteredAt } = row
    add(userId, 'birthday', id, (recipient) =>
      celebrationsBetween(row.birthday ?? '', firstDay, lastDay).flatMap((celebration) =>
        birthdayMoments(recipient, { id, name: displayName(row), enteredAt }, celebration, ask.window),
      ),
    )
  }
}

type EventRow = Awaited<ReturnType<typeof q.toldInCalendars>>[number]
type InvitedRow = Awaited<ReturnType<typeof q.toldToInvited>>[number]
type OverrideRow = Awaited<ReturnType<typeof q.overrides>>[number]

/** An event, and the invitation by which, or with which, somebody sees it. */
interface Seen {
  readonly event: EventRow
  readonly invitation: InvitedRow['invitation'] | null
  /** When the event, or what shows it to them, last changed. */
  readonly enteredAt: Date
}

/** The longest lead of an event of its own. */
const MAX_LEAD_DAYS = 28

/** The events that show to each, as the list of events would show them: hidden calendars and declined events do not. */
async function addEvents(context: Context): Promise<void> {
  const { db, ask, due, add } = context
  const extent = extentOf(context, 'event', 'events', () => MAX_LEAD_DAYS)
  if (!extent) return
  const leads = extent.users.map((id) => due.get(id)?.recipient.eventLeadMinutes ?? 0)
  const lead = Math.max(...leads)
  const calendars = Map.groupBy(await calendarsForAll(db, extent.users), ({ userId }) => userId)
  const shownIds = [...calendars.values()]
    .flat()
    .flatMap(({ id, isVisible, isSystem }) => (isVisible && !isSystem ? id : []))
  const inCalendars = await q.toldInCalendars(db, [...new Set(shownIds)], extent, lead)
  const byCalendar = Map.groupBy(inCalendars, ({ calendarId }) => calendarId)
  const byUser = Map.groupBy(await q.toldToInvited(db, extent, lead), ({ invitation }) => invitation.userId)
  const seenBy = (userId: number) => seenIn(calendars.get(userId) ?? [], byCalendar, byUser.get(userId) ?? [])
  const seen = new Map(extent.users.map((userId) => [userId, seenBy(userId)]))
  const occurrencesOf = await loadOccurrences(context, extent, [...seen.values()].flat(), lead)
  for (const [userId, events] of seen) {
    for (const one of events) {
      add(userId, 'event', one.event.id, (recipient) =>
        occurrencesOf(one).flatMap((occurrence) => eventMoments(recipient, occurrence, ask.window)),
      )
    }
  }
}

type Calendars = Awaited<ReturnType<typeof calendarsForAll>>

/** An invitation shows what no calendar of one's own does, in the calendar that it was put into. */
function seenIn(
  calendars: Calendars,
  byCalendar: ReadonlyMap<number, EventRow[]>,
  invited: readonly InvitedRow[],
): Seen[] {
  const isVisible = new Map(calendars.map((calendar) => [calendar.id, calendar.isVisible]))
  const invitations = new Map(invited.map(({ invitation }) => [invitation.eventId, invitation]))
  const own = calendars
    .filter((calendar) => calendar.isVisible)
    .flatMap(({ id, sharedAt }) =>
      (byCalendar.get(id) ?? []).map((event) => ({
        event,
        invitation: invitations.get(event.id) ?? null,
        enteredAt: later(event.updatedAt, sharedAt),
      })),
    )
  const others = invited
    .filter(
      ({ event, invitation }) =>
        !isVisible.has(event.calendarId) && (isVisible.get(invitation.displayCalendarId ?? 0) ?? true),
    )
    .map((one) => ({ ...one, enteredAt: later(one.event.updatedAt, one.invitation.updatedAt) }))
  return [...own, ...others]
}

const later = (one: Date, other: Date | null): Date => (other !== null && other > one ? other : one)

async function loadOccurrences({ db, ask }: Context, extent: q.Extent, seen: readonly Seen[], lead: number) {
  const repeating = seen.filter(({ event }) => event.recurrenceRule !== null)
  const ids = [...new Set(repeating.map(({ event }) => event.id))]
  const DAY = 86_400_000
  const { from, to } = ask.window
  const walls = { from: wallToText(+from - 2 * DAY), to: wallToText(+to + (MAX_LEAD_DAYS + 2) * DAY) }
  const rows = ids.length === 0 ? [] : await q.overrides(db, ids, extent, walls)
  const overridesOf = Map.groupBy(rows, ({ eventId }) => eventId)
  const extras = ids.length === 0 ? [] : await q.extraStarts(db, ids, walls)
  const extrasOf = Map.groupBy(extras, ({ eventId }) => eventId)
  const invitationIds = repeating.flatMap(({ invitation }) => invitation?.id ?? [])
  const answers = invitationIds.length === 0 ? [] : await q.responses(db, invitationIds)
  const answersOf = Map.groupBy(answers, ({ invitationId }) => invitationId)
  return function occurrencesOf(one: Seen) {
    const { event, invitation } = one
    const own = answersOf.get(invitation?.id ?? 0) ?? []
    const responses = new Map(own.map((row) => [wallFromText(row.occurrenceStart), row.response]))
    const isDeclined = (wall?: WallTime) =>
      (responses.get(wall ?? Number.NaN) ?? invitation?.response) === 'Declined'
    const differences = { overrides: overridesOf.get(event.id) ?? [], extras: extrasOf.get(event.id) ?? [] }
    return happenings(one, differences, extent, lead).filter(({ wall }) => !isDeclined(wall))
  }
}

/** What a series has near the window beside what its rule names. */
interface Differences {
  readonly overrides: readonly OverrideRow[]
  readonly extras: ReadonlyArray<{ readonly start: string }>
}

/** What of an event takes place near the window. */
function happenings(seen: Seen, differences: Differences, extent: q.Extent, lead: number) {
  const { event } = seen
  const series = seriesOf(
    event,
    differences.extras.map(({ start }) => wallFromText(start)),
  )
  if (!series) return [{ ...toHappening(seen, timesOf(event), textsOf(event)), wall: undefined }]
  const overrides = new Map(differences.overrides.map((row) => [wallFromText(row.occurrenceStart), row]))
  const { window, firstDay, lastDay } = extent
  const to = new Date(+window.to + (event.reminderMinutes ?? lead) * 60_000 + 1)
  const span = { from: window.from, to, fromDay: firstDay, toDay: addDaysTo(lastDay, 1) }
  return [...new Set([...series.within(span, MAX_OCCURRENCES), ...overrides.keys()])].flatMap((wall) => {
    const override = overrides.get(wall)
    if (override?.isCancelled) return []
    const times = timesOfOccurrence({ original: timesAt(series.first, wall), override })
    const texts = textsOf(event, override?.changes)
    return [{ ...toHappening(seen, times, texts), occurrence: wallToText(wall), wall }]
  })
}

const toHappening = (
  { event: { id }, enteredAt }: Seen,
  times: ReturnType<typeof timesOf>,
  { title, location, reminderMinutes }: ReturnType<typeof textsOf>,
) => ({
  id,
  title,
  location,
  reminderMinutes,
  occurrence: '',
  times,
  enteredAt,
})
