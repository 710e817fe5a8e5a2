import type { Tx } from '../../db/client'
import { inTransaction } from '../../db/transaction'
import type { Deps } from '../../deps'
import { violatedUnique } from '../../lib/database-failure'
import { conflict, notFound } from '../../lib/errors'
import { formatInstant } from '../../lib/time'
import { announceCalendarDeletion } from '../event-announcements/service'
import { forgetCalendar } from '../event-templates/service'
import { lockUserOf, type SessionKey } from '../sessions/service'
import type { CalendarChanges, CalendarView, NewCalendar } from './model'
import * as q from './queries'
import { DEFAULT_COLOR, FIRST_CALENDARS, refusalOfChange, refusalOfDeletion } from './rules'

/** Every user has these from the start (specification 2.5). */
export const createFirstCalendars = (tx: Tx, { userId, now }: { userId: number; now: Date }): Promise<void> =>
  q.insertAll(
    tx,
    FIRST_CALENDARS.map((calendar) => ({ ...calendar, userId, createdAt: now, updatedAt: now })),
  )

/** The caller's calendars, by name. */
export async function listCalendars(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  userId: number,
): Promise<CalendarView[]> {
  const rows = await q.listOf(db, userId)
  return rows.map(({ calendar, networkName }) => toView(config.timeZone, calendar, networkName))
}

/** @throws {AppError} 404. */
export async function readCalendar(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  userId: number,
  id: number,
): Promise<CalendarView> {
  const found = await q.find(db, userId, id)
  if (!found) throw notFound('Calendar')
  return toView(config.timeZone, found.calendar, found.networkName)
}

/** @throws {AppError} 409 for a name that the caller has already. */
export function createCalendar(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  session: SessionKey,
  { name, color = DEFAULT_COLOR, is_default = false, is_visible = true }: NewCalendar,
): Promise<CalendarView> {
  const { userId } = session
  return unlessTaken(deps, session, async (tx, now) => {
    if (is_default) await q.clearDefault(tx, userId, now)
    return q.insert(tx, {
      userId,
      name,
      color,
      isDefault: is_default,
      isVisible: is_visible,
      createdAt: now,
      updatedAt: now,
    })
  })
}

/**
 * Changes what is given; `is_default: true` moves the default here.
 * @throws {AppError} 404, 409 for what the calendar's kind forbids and for a name that the caller has already.
 */
export function changeCalendar(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  session: SessionKey,
  id: number,
  changes: CalendarChanges,
): Promise<CalendarView> {
  const { userId } = session
  return unlessTaken(deps, session, async (tx, now) => {
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
  })
}

/** Deletes a calendar and its events. @throws {AppError} 404, 409 for the default and those of the service. */
export function deleteCalendar(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  session: SessionKey,
  id: number,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockUserOf(tx, session, clock.now())
    const calendar = await lock(tx, session.userId, id)
    const refusal = refusalOfDeletion(calendar)
    if (refusal) throw refusal
    await announceCalendarDeletion(tx, { calendarId: id, actorId: session.userId, now: clock.now() })
    await forgetCalendar(tx, { calendarId: id, now: clock.now() })
    await q.remove(tx, calendar)
  })
}

async function lock(tx: Tx, userId: number, id: number): Promise<q.CalendarRow> {
  const calendar = await q.lock(tx, userId, id)
  if (!calendar) throw notFound('Calendar')
  return calendar
}

/** Writes one calendar of the user, whose row is locked before. */
async function unlessTaken(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  session: SessionKey,
  write: (tx: Tx, now: Date) => Promise<q.CalendarRow>,
): Promise<CalendarView> {
  try {
    return await inTransaction(db, async (tx) => {
      const now = clock.now()
      const owner = await lockUserOf(tx, session, now)
      return toView(config.timeZone, await write(tx, now), owner.networkName)
    })
  } catch (error) {
    throw violatedUnique(error) === 'calendars_user_id_name_key'
      ? conflict('A calendar with this name exists')
      : error
  }
}

const toView = (zone: string, row: q.CalendarRow, ownerNetworkName: string): CalendarView => ({
  id: row.id,
  user_id: row.userId,
  name: row.name,
  color: row.color,
  is_default: row.isDefault,
  is_system: row.isSystem,
  is_visible: row.isVisible,
  access: 'owner',
  owner_network_name: ownerNetworkName,
  created_at: formatInstant(zone, row.createdAt),
  updated_at: formatInstant(zone, row.updatedAt),
})
