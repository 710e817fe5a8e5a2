import type { Db, Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps, WriteDeps } from '../../../deps'
import { violatedUnique } from '../../../lib/database-failure'
import { conflict, forbidden, notFound } from '../../../lib/errors'
import { isTextKey, readPage, type PageById, toPage } from '../../../lib/wire/page'
import { formatInstant } from '../../../lib/time/time'
import { endMembershipsIn } from '../members/service'
import { announceCalendarDeletion } from '../../events/announcements/service'
import { forgetCalendar } from '../../events/templates/service'
import { lockUserOf, type SessionKey } from '../../../access/sessions/service'
import type { CalendarChanges, CalendarsPage, CalendarsQuery, CalendarView, NewCalendar } from './model'
import * as q from './queries'
import { DEFAULT_COLOR, FIRST_CALENDARS, refusalOfChange, refusalOfDeletion, refusalOfMember } from './rules'

/** Creates the calendars of a new user (contract: calendars.defaults). */
export const createFirstCalendars = (tx: Tx, { userId, now }: { userId: number; now: Date }): Promise<void> =>
  q.insertAll(
    tx,
    FIRST_CALENDARS.map((calendar) => ({ ...calendar, userId, createdAt: now, updatedAt: now })),
  )

/** Returns the caller's calendars and those that others share with them, by name. @throws {AppError} 422. */
export async function listCalendars(
  { db, config }: ReadDeps,
  userId: number,
  query: CalendarsQuery,
): Promise<CalendarsPage> {
  const { limit, after } = readPage(query, isTextKey)
  const rows = await q.list(db, userId, after, limit + 1)
  const { page, next_cursor } = toPage(rows, limit, ({ sortValue, calendar }) => [sortValue, calendar.id])
  return { calendars: page.map((row) => toView(config.timeZone, row)), next_cursor }
}

/** Returns a page of the user's own calendars, by id. */
export const pageCalendarsById = async (
  { db, config }: ReadDeps,
  userId: number,
  byId: PageById,
): Promise<CalendarView[]> => (await q.pageById(db, userId, byId)).map((row) => toView(config.timeZone, row))

/** Returns those of these calendars that the user sees. */
export const listNamedCalendars = async (
  { db, config }: ReadDeps,
  userId: number,
  ids: readonly number[],
): Promise<CalendarView[]> => (await q.listNamed(db, userId, ids)).map((row) => toView(config.timeZone, row))

/** @throws {AppError} 404. */
export const readCalendar = ({ db, config }: ReadDeps, userId: number, id: number): Promise<CalendarView> =>
  viewCalendar(db, { config }, userId, id)

/** Like `readCalendar`, but can run inside a transaction. @throws {AppError} 404. */
export const viewCalendar = async (
  db: Db | Tx,
  { config }: Pick<Deps, 'config'>,
  userId: number,
  id: number,
): Promise<CalendarView> => toView(config.timeZone, await find(db, userId, id))

/** @throws {AppError} 409 when the caller already has a calendar of that name. */
export function createCalendar(
  deps: WriteDeps,
  session: SessionKey,
  { name, color = DEFAULT_COLOR, is_default = false, is_visible = true }: NewCalendar,
): Promise<CalendarView> {
  const { userId } = session
  return unlessTaken(deps, session, async (tx, { now, networkName }) => {
    if (is_default) await q.clearDefault(tx, userId, now)
    const calendar = await q.insert(tx, {
      userId,
      name,
      color,
      isDefault: is_default,
      isVisible: is_visible,
      createdAt: now,
      updatedAt: now,
    })
    return { calendar, membership: null, feed: null, networkName }
  })
}

/**
 * Changes the given fields; `is_default: true` makes this the default calendar. Each member of a shared calendar has a colour
 * and a visibility of their own.
 * @throws {AppError} 404, 403 for fields that only the owner may change, 409 for changes that the kind of calendar forbids and
 * when the caller already has a calendar of that name.
 */
export function changeCalendar(
  deps: WriteDeps,
  session: SessionKey,
  id: number,
  changes: CalendarChanges,
): Promise<CalendarView> {
  return unlessTaken(deps, session, async (tx, { now }) => {
    const found = await find(tx, session.userId, id)
    const { membership } = found
    return membership
      ? { ...found, membership: await changeMembership(tx, membership, changes, now) }
      : { ...found, calendar: await changeOwn(tx, found.calendar, changes, now) }
  })
}

/** A calendar that somebody makes, whose row is locked. */
interface AddedCalendar {
  readonly userId: number
  readonly name: string
  readonly color: string | undefined
  readonly now: Date
}

/** Adds a calendar under a name that is free. */
export const addCalendar = (
  tx: Tx,
  { userId, name, color = DEFAULT_COLOR, now }: AddedCalendar,
): Promise<q.CalendarRow> => q.insert(tx, { userId, name, color, createdAt: now, updatedAt: now })

/** Like `changeCalendar`, for a user whose row is locked. @throws {AppError} 403, 404, 409. */
export async function changeSeenCalendar(
  tx: Tx,
  { userId, id, now }: { readonly userId: number; readonly id: number; readonly now: Date },
  changes: CalendarChanges,
): Promise<void> {
  const { membership, calendar } = await find(tx, userId, id)
  if (membership) await changeMembership(tx, membership, changes, now)
  else await changeOwn(tx, calendar, changes, now)
}

/** The names of the user's own calendars, but for one. */
export const namesOfCalendars = (tx: Tx, userId: number, exceptId?: number): Promise<string[]> =>
  q.names(tx, userId, exceptId)

/** @throws {AppError} 403, 404. */
async function changeMembership(
  tx: Tx,
  membership: q.MembershipRow,
  changes: CalendarChanges,
  now: Date,
): Promise<q.MembershipRow> {
  const refusal = refusalOfMember(changes)
  if (refusal) throw refusal
  const { color, is_visible: isVisible } = changes
  const changed = await q.updateMembership(tx, membership, { color, isVisible, updatedAt: now })
  if (!changed) throw notFound('Calendar')
  return changed
}

/** @throws {AppError} 404, 409. */
async function changeOwn(
  tx: Tx,
  { id, userId }: q.CalendarRow,
  changes: CalendarChanges,
  now: Date,
): Promise<q.CalendarRow> {
  const calendar = await lock(tx, userId, id)
  const refusal = refusalOfChange(calendar, changes)
  if (refusal) throw refusal
  if (changes.is_default && !calendar.isDefault) await q.clearDefault(tx, userId, now)
  return q.update(tx, calendar, {
    name: changes.name,
    color: changes.color,
    isDefault: changes.is_default,
    isVisible: changes.is_visible,
    updatedAt: now,
  })
}

/**
 * Deletes a calendar and its events.
 * @throws {AppError} 404, 403 for a member, 409 for the default calendar and system calendars.
 */
export function deleteCalendar(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  session: SessionKey,
  id: number,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const now = clock.now()
    await lockUserOf(tx, session, now)
    await removeCalendar(tx, { userId: session.userId, id, now })
  })
}

/** Like `deleteCalendar`, for a user whose row is locked. @throws {AppError} 403, 404, 409. */
export async function removeCalendar(
  tx: Tx,
  { userId, id, now }: { readonly userId: number; readonly id: number; readonly now: Date },
): Promise<void> {
  const { membership } = await find(tx, userId, id)
  if (membership) throw forbidden('Insufficient permissions')
  const calendar = await lock(tx, userId, id)
  const refusal = refusalOfDeletion(calendar)
  if (refusal) throw refusal
  await announceCalendarDeletion(tx, { calendarId: id, actorId: userId, now })
  await forgetCalendar(tx, { calendarId: id, now })
  await endMembershipsIn(tx, id)
  await q.remove(tx, calendar)
}

async function lock(tx: Tx, userId: number, id: number): Promise<q.CalendarRow> {
  const calendar = await q.lock(tx, userId, id)
  if (!calendar) throw notFound('Calendar')
  return calendar
}

async function find(db: Db | Tx, userId: number, id: number): Promise<q.SeenRow> {
  const found = await q.find(db, userId, id)
  if (!found) throw notFound('Calendar')
  return found
}

interface Writer {
  readonly now: Date
  readonly networkName: string
}

/** Runs `write` with the user's row locked. */
async function unlessTaken(
  { db, clock, config }: WriteDeps,
  session: SessionKey,
  write: (tx: Tx, writer: Writer) => Promise<q.SeenRow>,
): Promise<CalendarView> {
  try {
    return await inTransaction(db, async (tx) => {
      const now = clock.now()
      const { networkName } = await lockUserOf(tx, session, now)
      return toView(config.timeZone, await write(tx, { now, networkName }))
    })
  } catch (error) {
    throw violatedUnique(error) === 'calendars_user_id_name_key'
      ? conflict('A calendar with this name exists')
      : error
  }
}

const toView = (zone: string, { calendar, membership, feed, networkName }: q.SeenRow): CalendarView => ({
  id: calendar.id,
  user_id: calendar.userId,
  name: calendar.name,
  color: membership?.color ?? calendar.color,
  is_default: membership ? false : calendar.isDefault,
  is_system: calendar.isSystem,
  is_visible: membership ? membership.isVisible : calendar.isVisible,
  access: membership ? membership.permission : 'owner',
  owner_network_name: networkName,
  feed_created_at: feed && formatInstant(zone, feed.createdAt),
  feed_last_read_at: feed?.lastReadAt ? formatInstant(zone, feed.lastReadAt) : null,
  created_at: formatInstant(zone, calendar.createdAt),
  updated_at: formatInstant(zone, lastOf(calendar.updatedAt, membership?.updatedAt)),
})

const lastOf = (one: Date, other: Date | undefined): Date => (other && other > one ? other : one)
