import {
  and,
  eq,
  exists,
  getTableColumns,
  gt,
  gte,
  isNotNull,
  isNull,
  lte,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { among } from '../../db/among'
import type { Db, Tx } from '../../db/client'
import { idsOf } from '../../db/in-pages'
import {
  eventExtraStarts,
  eventInvitations,
  eventOccurrences,
  events,
  occurrenceResponses,
} from '../../db/schema'
import { type Extent, MAX_LEAD_DAYS } from './rules'

type Ids = readonly number[]
type Window = Extent['window']

const instant = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`

/** The longest that an event may be told of before it starts, in minutes. */
const MAX_LEAD = MAX_LEAD_DAYS * 1440

/** An occurrence of the series that is moved to where it may be told of in the window. */
const hasMovedInto = (db: Db | Tx, { window, firstDay, lastDay }: Extent) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(eventOccurrences)
      .where(
        and(
          eq(eventOccurrences.eventId, events.id),
          or(
            and(gt(eventOccurrences.startAt, window.from), lte(eventOccurrences.startAt, latest(window))),
            and(gte(eventOccurrences.startDate, firstDay), lte(eventOccurrences.startDate, lastDay)),
          ),
        ),
      ),
  )

const latest = ({ to }: Window): Date => new Date(+to + MAX_LEAD * 60_000)

/** Events that may be told of in the window; `leadMinutes` before those that say nothing themselves. */
const mayBeTold = (db: Db | Tx, extent: Extent, leadMinutes: number) => {
  const { window, firstDay, lastDay } = extent
  const lead = sql`coalesce(${events.reminderMinutes}, ${leadMinutes}::integer) * interval '1 minute'`
  return and(
    extent.ids && among(events.id, extent.ids),
    or(
      and(
        isNull(events.recurrenceRule),
        gt(events.startAt, window.from),
        lte(events.startAt, latest(window)),
        sql`${events.startAt} - ${lead} <= ${instant(window.to)}`,
      ),
      and(isNull(events.recurrenceRule), gte(events.startDate, firstDay), lte(events.startDate, lastDay)),
      and(
        isNotNull(events.recurrenceRule),
        or(
          and(
            lte(events.startAt, latest(window)),
            or(isNull(events.lastEndAt), gte(events.lastEndAt, window.from)),
          ),
          and(
            lte(events.startDate, lastDay),
            or(isNull(events.lastEndDate), gte(events.lastEndDate, firstDay)),
          ),
          hasMovedInto(db, extent),
        ),
      ),
    ),
  )
}

export const toldInCalendars = (db: Db | Tx, calendarIds: Ids, extent: Extent, leadMinutes: number) =>
  idsOf(db, events, and(among(events.calendarId, calendarIds), mayBeTold(db, extent, leadMinutes)))

/** Without the description, which may be long and of which nothing is said. */
const shown = { ...getTableColumns(events), description: sql<string | null>`null::text` }

export const eventsBy = (db: Db | Tx, ids: Ids) =>
  db.select(shown).from(events).where(among(events.id, ids)).orderBy(events.id)

/** The same by invitation. */
export const toldToInvited = (db: Db | Tx, extent: Extent, leadMinutes: number) =>
  db
    .select({ event: shown, invitation: eventInvitations })
    .from(eventInvitations)
    .innerJoin(events, eq(events.id, eventInvitations.eventId))
    .where(and(among(eventInvitations.userId, extent.users), mayBeTold(db, extent, leadMinutes)))

/** What single occurrences of these series have for themselves, near the window. Wall times are ISO 8601. */
export const overrides = (
  db: Db | Tx,
  eventIds: Ids,
  { window, firstDay, lastDay }: Extent,
  walls: { readonly from: string; readonly to: string },
) =>
  db
    .select()
    .from(eventOccurrences)
    .where(
      and(
        among(eventOccurrences.eventId, eventIds),
        or(
          and(
            gte(eventOccurrences.occurrenceStart, walls.from),
            lte(eventOccurrences.occurrenceStart, walls.to),
          ),
          and(gt(eventOccurrences.startAt, window.from), lte(eventOccurrences.startAt, latest(window))),
          and(gte(eventOccurrences.startDate, firstDay), lte(eventOccurrences.startDate, lastDay)),
        ),
      ),
    )

/** The starts of these series beside those that their rules name, near the window. */
export const extraStarts = (
  db: Db | Tx,
  eventIds: Ids,
  walls: { readonly from: string; readonly to: string },
) =>
  db
    .select()
    .from(eventExtraStarts)
    .where(
      and(
        among(eventExtraStarts.eventId, eventIds),
        gte(eventExtraStarts.start, walls.from),
        lte(eventExtraStarts.start, walls.to),
      ),
    )
    .orderBy(eventExtraStarts.eventId, eventExtraStarts.start)

export const responses = (db: Db | Tx, invitationIds: Ids) =>
  db.select().from(occurrenceResponses).where(among(occurrenceResponses.invitationId, invitationIds))
