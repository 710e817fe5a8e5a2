import type { Db, Tx } from '../../../db/client'
import type { Deps } from '../../../deps'
import { rowsOf } from '../../../db/in-pages'
import { pauses } from '../../../lib/pauses'
import { wallFromText } from '../../../lib/time/wall-time'
import { zoneNamed } from '../../../lib/time/zone-names'
import { celebrationsBetween } from '../../../lib/time/birthdays'
import { calendarsForAll } from '../../../access/calendars/service'
import { displayName } from '../../../lib/person-name'
import { type Happening, MAX_LEAD_DAYS } from '../push-events/rules'
import { crowdedAmong, eventsSeen, firstOf } from '../push-events/service'
import * as q from './queries'
import { daysOf, type Kind, type Moment, type Window } from './rules'
import {
  birthdayDays,
  birthdayMoments,
  eventMoments,
  guestMoments,
  leadDaysOf,
  newsMoments,
  projectMoments,
  reminderMoments,
  taskMoments,
  todoMoments,
} from './rules.items'

export type { Moment } from './rules'

/** A user who wants messages, with their settings and effective time zone. */
export type Recipient = q.RecipientRow & { readonly timeZone: string }

/** The users and the window; `only` limits the search to these items. */
export interface Ask {
  readonly userIds: readonly number[]
  readonly window: Window
  readonly now: Date
  readonly only?: ReadonlyMap<Kind, readonly number[]>
}

/** A recipient and their moments within the window. */
export interface Due {
  readonly recipient: Recipient
  readonly moments: Moment[]
}

interface Context {
  readonly db: Db | Tx
  readonly deps: Pick<Deps, 'log'>
  readonly ask: Ask
  readonly due: ReadonlyMap<number, Due>
  /** Adds the moments of `make`, with pauses. If a broken row makes it fail, logs the error and skips only this row. */
  readonly add: (
    userId: number,
    kind: Kind,
    id: number,
    make: (recipient: Recipient) => Iterable<Moment | undefined>,
  ) => Promise<void>
}

type Wish = keyof Recipient['wants']

/**
 * Returns the moments of each user within the window (contract: push.moments), from the current state of all items. All
 * push code takes moments from here. Users who want no messages are missing.
 */
export async function momentsFor(
  db: Db | Tx,
  deps: Pick<Deps, 'config' | 'log' | 'clock'>,
  ask: Ask,
): Promise<ReadonlyMap<number, Due>> {
  const rows = ask.userIds.length === 0 ? [] : await q.recipients(db, ask.userIds)
  const due = new Map(
    rows.map((row) => [row.userId, { recipient: toRecipient(deps, row), moments: [] as Moment[] }]),
  )
  const pause = pauses(deps.clock)
  const add: Context['add'] = async (userId, kind, id, make) => {
    const found = due.get(userId)
    const made: Moment[] = []
    try {
      for (const moment of found ? make(found.recipient) : []) {
        if (moment) made.push(moment)
        await pause()
      }
      await pause()
      for (const moment of made) found?.moments.push(moment)
    } catch (error) {
      deps.log.error('The moments of an item could not be determined', {
        kind,
        id,
        userId,
        reason: reasonOf(error),
      })
    }
  }
  const context = { db, deps, ask, due, add }
  await addReminders(context)
  await addTodos(context)
  await addProjects(context)
  await addTasks(context)
  await addNews(context)
  await addBirthdays(context)
  await addEvents(context)
  return due
}

/** Returns the users with so many moments within the window that planning takes several passes. */
export async function crowdedOf(db: Db | Tx, userIds: readonly number[], window: Window) {
  const told = (await q.recipients(db, userIds)).filter(({ wants }) => wants.events)
  if (told.length === 0) return new Set<number>()
  const lead = Math.max(...told.map(({ eventLeadMinutes }) => eventLeadMinutes))
  return crowdedAmong(
    db,
    told.map(({ userId }) => userId),
    window,
    lead,
  )
}

/** Returns the earliest part of the window, which one pass plans for a crowded user. */
export async function firstPart(db: Db | Tx, userId: number, window: Window): Promise<Window> {
  const [recipient] = await q.recipients(db, [userId])
  const to = recipient && (await firstOf(db, { userId, lead: recipient.eventLeadMinutes }, window))
  return { from: window.from, to: to ?? window.to }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Replaces an unknown zone by the server's, so that no message is lost. */
function toRecipient({ config, log }: Pick<Deps, 'config' | 'log'>, row: q.RecipientRow): Recipient {
  const timeZone = zoneNamed(row.timeZone ?? config.timeZone)
  if (timeZone !== undefined) return { ...row, timeZone }
  log.error('The time zone of a user is unknown', { userId: row.userId })
  return { ...row, timeZone: config.timeZone }
}

/**
 * Returns the extent to examine for a kind, or undefined when no user wants it. `leadDaysOfOne` is a recipient's
 * longest lead for items with a day.
 */
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
  for await (const row of rowsOf(extent ? await q.armedReminders(db, extent) : [], (ids) =>
    q.remindersBy(db, ids),
  )) {
    await add(row.userId, 'reminder', row.id, (recipient) => {
      const seriesWall = row.seriesWall === null ? null : wallFromText(row.seriesWall)
      return reminderMoments(recipient, { ...row, seriesWall }, ask.window)
    })
  }
}

async function addTodos(context: Context): Promise<void> {
  const { db, ask, add } = context
  const extent = extentOf(context, 'todo', 'todos', ({ todoLeadDays }) => todoLeadDays)
  for await (const row of rowsOf(extent ? await q.dueTodos(db, extent) : [], (ids) => q.todosBy(db, ids))) {
    await add(row.userId, 'todo', row.id, (recipient) => todoMoments(recipient, row, ask.window))
  }
}

async function addProjects(context: Context): Promise<void> {
  const { db, ask, add } = context
  const extent = extentOf(context, 'project', 'projects', ({ projectLeadDays }) => projectLeadDays)
  for (const row of extent ? await q.dueProjects(db, extent) : []) {
    await add(row.userId, 'project', row.id, (recipient) => projectMoments(recipient, row, ask.window))
  }
}

async function addTasks(context: Context): Promise<void> {
  const { db, ask, add } = context
  const extent = extentOf(context, 'task', 'projects', ({ projectLeadDays }) => projectLeadDays)
  for (const row of extent ? await q.dueTasks(db, extent) : []) {
    await add(row.userId, 'task', row.id, (recipient) => taskMoments(recipient, row, ask.window))
  }
}

async function addNews(context: Context): Promise<void> {
  const { db, ask, add } = context
  const extent = extentOf(context, 'connection', 'connections')
  for (const row of extent ? await q.news(db, extent) : []) {
    await add(row.userId, 'connection', row.id, () => newsMoments(row, ask.window))
  }
}

/** Only for users whose Birthdays calendar is visible. */
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
    await add(userId, 'birthday', id, (recipient) =>
      celebrationsBetween(row.birthday ?? '', firstDay, lastDay).flatMap((celebration) =>
        birthdayMoments(recipient, { id, name: displayName(row), enteredAt }, celebration, ask.window),
      ),
    )
  }
}

/** Adds the events that each user sees in the list of events. */
async function addEvents(context: Context): Promise<void> {
  const { db, deps, ask, due, add } = context
  const extent = extentOf(context, 'event', 'events', () => MAX_LEAD_DAYS)
  if (!extent) return
  const leadOf = (userId: number) => due.get(userId)?.recipient.eventLeadMinutes ?? 0
  for await (const { userId, eventId, calendarId, happenings } of eventsSeen(db, deps, extent, leadOf)) {
    await add(userId, 'event', eventId, function* (recipient) {
      for (const moment of momentsOf(recipient, happenings(), ask)) yield moment && { ...moment, calendarId }
    })
  }
}

/** Yields undefined between occurrences, so that the caller can pause for other requests. */
function* momentsOf(
  recipient: Recipient,
  happenings: Iterable<Happening | undefined>,
  { window, now }: Ask,
): Generator<Moment | undefined> {
  for (const one of happenings) {
    yield undefined
    if (!one) continue
    const { invitedAt } = one
    yield* invitedAt === null
      ? eventMoments(recipient, one, window)
      : guestMoments(recipient, one, window, { invitedAt, now })
  }
}
