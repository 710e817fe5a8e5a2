import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { ReadDeps, WriteDeps } from '../../../deps'
import { violatedUnique } from '../../../lib/database-failure'
import { conflict, notFound } from '../../../lib/errors'
import { isTextKey, readPage, type ById, toFittingPage } from '../../../lib/wire/page'
import { formatInstant } from '../../../lib/time/time'
import { isExpected, stale, type Target } from '../../../lib/wire/versions'
import { requireOwnCalendar } from '../../../access/calendars/service'
import { lockUserOf, type SessionKey } from '../../../access/sessions/service'
import type {
  EventTemplateChanges,
  EventTemplatesPage,
  EventTemplatesQuery,
  EventTemplateView,
  NewEventTemplate,
} from './model'
import * as q from './queries'
import { readTemplateRule } from './rules'

/** Returns the caller's templates by name. @throws {AppError} 422 for a cursor of another list. */
export async function listEventTemplates(
  { db, config }: ReadDeps,
  userId: number,
  query: EventTemplatesQuery,
): Promise<EventTemplatesPage> {
  const { limit, after } = readPage(query, isTextKey)
  const rows = await q.list(db, userId, after, limit + 1)
  const { page, next_cursor } = toFittingPage(rows, limit, ({ sortName, id }) => [sortName, id])
  return { event_templates: page.map((row) => toView(config.timeZone, row)), next_cursor }
}

/** Returns the user's templates by id: a page of them, or those that are named. */
export const pageEventTemplatesById = async (
  { db, config }: ReadDeps,
  userId: number,
  byId: ById,
): Promise<EventTemplateView[]> =>
  (await q.pageById(db, userId, byId)).map((row) => toView(config.timeZone, row))

/** @throws {AppError} 404. */
export async function readEventTemplate(
  { db, config }: ReadDeps,
  userId: number,
  id: number,
): Promise<EventTemplateView> {
  const row = await q.find(db, userId, id)
  if (!row) throw notFound('Event template')
  return toView(config.timeZone, row)
}

/** @throws {AppError} 401, 404 for the calendar, 409 when the caller already has a template of that name, 422 for the rule. */
export const createEventTemplate = (
  deps: WriteDeps,
  session: SessionKey,
  { name, title, all_day: allDay = false, ...fields }: NewEventTemplate,
): Promise<EventTemplateView> =>
  unlessTaken(deps, session, async (tx, now) => {
    const columns = await toColumns(tx, session.userId, { ...fields, allDay, stored: null })
    return q.insert(tx, {
      ...columns,
      userId: session.userId,
      name,
      title,
      createdAt: now,
      updatedAt: now,
    })
  })

/**
 * Changes the given fields.
 * @throws {AppError} 401, 404 for the template and for the calendar, 412 when the version is not the expected one, 409 when
 * the caller already has a template of that name, 422 for the rule.
 */
export const changeEventTemplate = (
  deps: WriteDeps,
  session: SessionKey,
  target: Target,
  { name, title, all_day, ...fields }: EventTemplateChanges,
): Promise<EventTemplateView> =>
  unlessTaken(deps, session, async (tx, now) => {
    const stored = await lock(tx, session.userId, target)
    const { recurrence_rule: rule = stored.recurrenceRule } = fields
    const allDay = all_day ?? stored.allDay
    const columns = await toColumns(tx, session.userId, {
      ...fields,
      recurrence_rule: rule,
      allDay,
      stored: stored.recurrenceRule,
    })
    return q.update(tx, stored, { ...columns, name, title, updatedAt: now })
  })

/** @throws {AppError} 401, 404, 412. */
export const deleteEventTemplate = (
  { db, clock }: WriteDeps,
  session: SessionKey,
  target: Target,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockUserOf(tx, session, clock.now())
    await q.remove(tx, await lock(tx, session.userId, target))
  })

/** Keeps the templates of a calendar that is about to be deleted. Its owner is locked. */
export const forgetCalendar = (
  tx: Tx,
  { calendarId, now }: { readonly calendarId: number; readonly now: Date },
): Promise<void> => q.clearCalendar(tx, calendarId, now)

async function lock(tx: Tx, userId: number, { id, expected }: Target): Promise<q.TemplateRow> {
  const template = await q.lock(tx, userId, id)
  if (!template) throw notFound('Event template')
  if (!isExpected(template.version, expected)) throw stale()
  return template
}

type GivenTemplate = Omit<EventTemplateChanges, 'name' | 'title' | 'all_day'> & {
  readonly allDay: boolean
  /** The template's current rule. */
  readonly stored: string | null
}

/** Undefined keeps a column. @throws {AppError} 404 for the calendar, 422 for the rule. */
async function toColumns(tx: Tx, userId: number, given: GivenTemplate) {
  const { allDay, recurrence_rule: rule, calendar_id: calendarId } = given
  const recurrenceRule = rule == null ? rule : readTemplateRule(rule, allDay, given.stored)
  if (calendarId != null) await requireOwnCalendar(tx, userId, calendarId)
  return {
    description: given.description,
    location: given.location,
    calendarId,
    allDay,
    recurrenceRule,
    reminderMinutes: given.reminder_minutes,
    visibility: given.visibility,
  }
}

/** Runs `write` with the user's row locked, so that none of their calendars can be deleted meanwhile. */
async function unlessTaken(
  { db, clock, config }: WriteDeps,
  session: SessionKey,
  write: (tx: Tx, now: Date) => Promise<q.TemplateRow>,
): Promise<EventTemplateView> {
  try {
    return await inTransaction(db, async (tx) => {
      const now = clock.now()
      await lockUserOf(tx, session, now)
      return toView(config.timeZone, await write(tx, now))
    })
  } catch (error) {
    throw violatedUnique(error) === 'event_templates_user_id_name_key'
      ? conflict('An event template with this name exists')
      : error
  }
}

const toView = (zone: string, row: q.TemplateRow): EventTemplateView => ({
  id: row.id,
  name: row.name,
  title: row.title,
  description: row.description,
  location: row.location,
  calendar_id: row.calendarId,
  all_day: row.allDay,
  recurrence_rule: row.recurrenceRule,
  reminder_minutes: row.reminderMinutes,
  visibility: row.visibility,
  version: row.version,
  created_at: formatInstant(zone, row.createdAt),
  updated_at: formatInstant(zone, row.updatedAt),
})
