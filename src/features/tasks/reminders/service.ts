import type { Tx } from '../../../db/client'
import { reminders } from '../../../db/schema'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps, WriteDeps } from '../../../deps'
import { conflict, invalidField, notFound } from '../../../lib/errors'
import { type ById, type PageQuery, readPage, toFittingPage } from '../../../lib/wire/page'
import {
  addMinutes,
  formatInstant,
  isDay,
  isInYears,
  OUT_OF_YEARS,
  parseDateTime,
} from '../../../lib/time/time'
import { isExpected, stale, type Target } from '../../../lib/wire/versions'
import { addDaysTo, instantOf, midnightOf, wallFromText, wallToText } from '../../../lib/time/wall-time'
import { listVersions } from '../../../access/versions/service'
import { lockUserOf, type SessionKey } from '../../../access/sessions/service'
import { type Owner } from '../../../access/sessions/service'
import { type Reader, zoneOf } from '../../../access/reader/service'
import { type Files } from '../todo-files/service'
import { nextReminderOf } from '../reminder-files/service'
import type {
  NewReminder,
  ReminderChanges,
  ReminderHistory,
  RemindersPage,
  RemindersQuery,
  ReminderView,
  Snooze,
} from './model'
import * as q from './queries'
import {
  dismissed,
  type Dismissal,
  isSame,
  isSameTime,
  noTiming,
  refusalOfSnooze,
  refusalOfTiming,
  retime,
  type Timing,
} from './rules'
import { isKey, keyOf } from './rules.sorting'

/** Returns a page of the user's reminders that match the filter, by moment. @throws {AppError} 422. */
export async function listReminders(
  { db, clock, config }: WriteDeps,
  { userId, owner }: Reader,
  { state = 'all', from, to, ...paging }: RemindersQuery,
): Promise<RemindersPage> {
  const { limit, after } = readPage(paging, isKey)
  const window = windowOf(config, owner)
  const filter = { state, now: clock.now(), from: window.first(from), to: window.last(to), after }
  const rows = await q.list(db, userId, filter, limit + 1)
  const { page, next_cursor } = toFittingPage(rows, limit, keyOf)
  return { reminders: page.map((row) => toView(config.timeZone, row)), next_cursor }
}

/** Returns the user's reminders by id: a page of them, or those that are named. */
export const pageRemindersById = async (
  { db, config }: ReadDeps,
  userId: number,
  byId: ById,
): Promise<ReminderView[]> => (await q.pageById(db, userId, byId)).map((row) => toView(config.timeZone, row))

/** Reads the bounds of a window, both inclusive. A day is in the user's time zone, a date-time without offset in the server's. */
function windowOf(config: Deps['config'], owner: Owner | undefined) {
  const startOf = (day: string) => instantOf(zoneOf(config, owner), midnightOf(day))
  const read = (text: string | undefined, ofDay: (day: string) => Date) => {
    if (text === undefined) return undefined
    return isDay(text) ? ofDay(text) : parseDateTime(config.timeZone, text)
  }
  return {
    first: (text: string | undefined) => read(text, startOf),
    last: (text: string | undefined) =>
      read(text, (day) => new Date(startOf(addDaysTo(day, 1)).getTime() - 1)),
  }
}

/** @throws {AppError} 404. */
export async function readReminder(
  { db, config }: ReadDeps,
  userId: number,
  id: number,
): Promise<ReminderView> {
  return toView(config.timeZone, (await q.find(db, userId, id)) ?? missing())
}

/** Returns a page of the reminder's versions. @throws {AppError} 404, 422 for a cursor of another list. */
export const listReminderVersions = async (
  deps: WriteDeps,
  session: SessionKey,
  id: number,
  query: PageQuery,
): Promise<ReminderHistory> =>
  listVersions(deps, session, query, {
    table: reminders,
    row: (await q.find(deps.db, session.userId, id)) ?? missing(),
    toViews: (rows) => rows.map((row) => toView(deps.config.timeZone, row)),
  })

/** @throws {AppError} 422 for a rule that is invalid or has nothing to repeat. */
export function createReminder(
  { db, clock, config }: WriteDeps,
  reader: Reader,
  fields: NewReminder,
): Promise<ReminderView> {
  const now = clock.now()
  const timing = retimed(noTiming(zoneOf(config, reader.owner)), fields)
  const { title, description, is_active: isActive = true } = fields
  return inTransaction(db, async (tx) => {
    await lockUserOf(tx, reader, now)
    const row = await q.insert(tx, {
      ...toColumns(timing),
      userId: reader.userId,
      title,
      description,
      isActive,
      createdAt: now,
      updatedAt: now,
    })
    return toView(config.timeZone, row)
  })
}

/**
 * Changes the given fields.
 * @throws {AppError} 404, 412 for another version than the expected one, 409 for what only another program can change, 422.
 */
export const changeReminder = (
  deps: WriteDeps,
  session: SessionKey,
  target: Target,
  changes: ReminderChanges,
): Promise<ReminderView> =>
  write(deps, session, target, (stored) => {
    const former = timingOf(stored)
    const timing = retimed(former, changes)
    if (stored.recurrenceUnsupported && !isSameTime(former, timing)) throw conflict(ELSEWHERE)
    return {
      ...toColumns(timing),
      title: changes.title,
      description: changes.description,
      isActive: changes.is_active,
    }
  })

const ELSEWHERE = 'Change this in the program that made it'

/**
 * Snoozes a reminder.
 * @throws {AppError} 404, 412, 409 when it is dismissed or inactive, 422 unless either minutes or a future instant is given.
 */
export async function snoozeReminder(
  deps: WriteDeps,
  session: SessionKey,
  target: Target,
  wish: Snooze,
): Promise<ReminderView> {
  const now = deps.clock.now()
  const snoozedUntil = endOfSnooze(wish, now, deps.config.timeZone)
  if (!snoozedUntil || snoozedUntil <= now) throw invalidField('until', 'must be in the future')
  if (!isInYears(snoozedUntil)) throw invalidField('until', OUT_OF_YEARS)
  return write(deps, session, target, (stored) => {
    const refusal = refusalOfSnooze(stored)
    if (refusal) throw refusal
    return { snoozedUntil }
  })
}

function endOfSnooze({ minutes, until }: Snooze, now: Date, zone: string): Date | undefined {
  if (until === undefined) {
    if (minutes === undefined) throw invalidField('minutes', 'is required without until')
    return addMinutes(now, minutes)
  }
  if (minutes !== undefined) throw invalidField('until', 'must not be given together with minutes')
  return parseDateTime(zone, until)
}

/**
 * Ends a reminder, or moves a series to its next occurrence. A second dismissal changes nothing.
 * @throws {AppError} 404, 412, 409 for a series of which nobody knows how it goes on.
 */
export function dismissReminder(
  deps: WriteDeps & Files,
  session: SessionKey,
  target: Target,
): Promise<ReminderView> {
  const now = deps.clock.now()
  return write(deps, session, target, async (stored, tx) => {
    const dismissal = stored.recurrenceUnsupported
      ? await dismissedByText(deps, tx, stored, now)
      : dismissed(timingOf(stored), now)
    return isSame(dismissal, stored) ? undefined : dismissal
  })
}

/** Likewise for a series that only its text can say. @throws {AppError} 409. */
async function dismissedByText(files: Files, tx: Tx, stored: q.ReminderRow, now: Date): Promise<Dismissal> {
  const { remindAt, isDismissed } = stored
  if (isDismissed || (remindAt && remindAt > now)) return { remindAt, isDismissed, snoozedUntil: null }
  const next = await nextReminderOf(files, tx, stored, now)
  if (next === undefined) throw conflict(ELSEWHERE)
  return { remindAt: next ?? remindAt, isDismissed: next === null, snoozedUntil: null }
}

/** @throws {AppError} 404, 412. */
export const deleteReminder = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  session: SessionKey,
  target: Target,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockUserOf(tx, session, clock.now())
    await q.remove(tx, await lock(tx, session.userId, target))
  })

const missing = (): never => {
  throw notFound('Reminder')
}

async function lock(tx: Tx, userId: number, { id, expected }: Target): Promise<q.ReminderRow> {
  const reminder = (await q.lock(tx, userId, id)) ?? missing()
  if (!isExpected(reminder.version, expected)) throw stale()
  return reminder
}

type ReminderSet = Parameters<typeof q.update>[2] | undefined

/** Applies `change` to the stored reminder. When `change` returns undefined, the reminder and its version stay as they are. */
function write(
  { db, clock, config }: WriteDeps,
  session: SessionKey,
  target: Target,
  change: (stored: q.ReminderRow, tx: Tx) => ReminderSet | Promise<ReminderSet>,
): Promise<ReminderView> {
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    await lockUserOf(tx, session, now)
    const stored = await lock(tx, session.userId, target)
    const set = await change(stored, tx)
    const row = set ? await q.update(tx, stored, { ...set, updatedAt: now }) : stored
    return toView(config.timeZone, row)
  })
}

/** @throws {AppError} 422. */
function retimed(stored: Timing, wish: ReminderChanges): Timing {
  const timing = retime(stored, wish)
  const refusal = refusalOfTiming(timing, stored.recurrenceRule)
  if (refusal) throw refusal
  return timing
}

const timingOf = (row: q.ReminderRow): Timing => ({
  remindAt: row.remindAt,
  seriesStart:
    row.seriesStart === null || row.seriesWall === null
      ? null
      : { at: row.seriesStart, wall: wallFromText(row.seriesWall) },
  recurrenceRule: row.recurrenceRule,
  timeZone: row.timeZone,
  isDismissed: row.isDismissed,
  snoozedUntil: row.snoozedUntil,
})

const toColumns = ({ seriesStart, ...timing }: Timing) => ({
  remindAt: timing.remindAt,
  seriesStart: seriesStart && seriesStart.at,
  seriesWall: seriesStart && wallToText(seriesStart.wall),
  recurrenceRule: timing.recurrenceRule,
  timeZone: timing.timeZone,
  isDismissed: timing.isDismissed,
  snoozedUntil: timing.snoozedUntil,
})

function toView(zone: string, row: q.ReminderRow): ReminderView {
  const at = (instant: Date) => formatInstant(zone, instant)
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    remind_at: row.remindAt && at(row.remindAt),
    is_active: row.isActive,
    is_dismissed: row.isDismissed,
    snoozed_until: row.snoozedUntil && at(row.snoozedUntil),
    recurrence_rule: row.recurrenceRule,
    recurrence_unsupported: row.recurrenceUnsupported,
    time_zone: row.timeZone,
    version: row.version,
    created_at: at(row.createdAt),
    updated_at: at(row.updatedAt),
  }
}
