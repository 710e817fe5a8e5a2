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
import { among, idArray } from '../../../db/among'
import type { Db, Tx } from '../../../db/client'
import { idsOf } from '../../../db/in-pages'
import {
  eventExtraStarts,
  eventInvitations,
  eventOccurrences,
  events,
  type OccurrenceChanges,
  occurrenceResponses,
} from '../../../db/schema'
import { DAY_MS, type WallTime, wallToText } from '../../../lib/time/wall-time'
import type { Window } from '../push-moments/rules'
import { type Extent, type Leads, MAX_LEAD_DAYS } from './rules'

type Ids = readonly number[]

const instant = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`

/** The longest lead of a message before the start of its event, in minutes. */
const MAX_LEAD = MAX_LEAD_DAYS * 1440

/** Whether an occurrence of the series was moved to a time at which its message may fall into the window. */
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

/** Events whose messages may fall into the window; `leadMinutes` applies to events without a lead of their own. */
const mayBeTold = (db: Db | Tx, extent: Extent, leadMinutes: number) => {
  const { window, firstDay, lastDay } = extent
  const lead = sql`coalesce(${events.reminderMinutes}, ${leadMinutes}::integer) * interval '1 minute'`
  return and(
    extent.ids && among(events.id, extent.ids),
    eq(events.isCancelled, false),
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

/** Without the description, which may be long and is not part of the message. */
const shown = { ...getTableColumns(events), description: sql<string | null>`null::text` }

export const eventsBy = (db: Db | Tx, ids: Ids) =>
  db.select(shown).from(events).where(among(events.id, ids)).orderBy(events.id)

/** Whether the invitation has any answer, if only for one occurrence; without one there are no messages. */
const isAnswered = (): SQL => sql`(${eventInvitations.response} is not null or exists (
  select 1 from ${occurrenceResponses} where ${occurrenceResponses.invitationId} = ${eventInvitations.id}))`

/** Like `toldInCalendars`, for events that the users are invited to. */
export const toldToInvited = (db: Db | Tx, extent: Extent, leadMinutes: number) =>
  db
    .select({ event: shown, invitation: eventInvitations })
    .from(eventInvitations)
    .innerJoin(events, eq(events.id, eventInvitations.eventId))
    .where(
      and(among(eventInvitations.userId, extent.users), isAnswered(), mayBeTold(db, extent, leadMinutes)),
    )

/** A series and the range of its starts whose rows are read. */
export interface Looked {
  readonly id: number
  readonly from: WallTime
  readonly to: WallTime
}

const looked = (series: readonly Looked[]): SQL => sql`unnest(
  ${idArray(series.map(({ id }) => id))}, ${`{${series.map(({ from }) => wallToText(from)).join()}}`}::timestamp[],
  ${`{${series.map(({ to }) => wallToText(to)).join()}}`}::timestamp[]) as looked (id, first, last)`

const o = eventOccurrences
const isOwn = sql`jsonb_exists(${o.changes}, 'reminderMinutes')`
/** The lead of an occurrence: its own, or else that of its event, or else `minutes`. */
const leadOfOne = (minutes: number): SQL => sql`coalesce(
  case when ${isOwn} then (${o.changes} ->> 'reminderMinutes')::integer else ${events.reminderMinutes} end,
  ${minutes}::integer) * interval '1 minute'`

/** The overrides of these series whose original start is in range or whose message falls into the window. */
export const overrides = (
  db: Db | Tx,
  series: readonly Looked[],
  { window, ...days }: Extent,
  leads: Leads,
) => {
  const { firstDay, lastDay } = days
  const moved = sql`${o.startAt} - ${leadOfOne(leads.least)} > ${instant(window.from)}
    and ${o.startAt} - ${leadOfOne(leads.most)} <= ${instant(window.to)}`
  const ownLead = sql`${isOwn} and ${o.occurrenceStart} >= ${firstDay}::timestamp
    and ${o.occurrenceStart} - ${leadOfOne(leads.most)} <= ${wallToText(+window.to + 2 * DAY_MS)}::timestamp`
  return db
    .select({
      eventId: o.eventId,
      occurrenceStart: o.occurrenceStart,
      isCancelled: o.isCancelled,
      changes: sql<Omit<OccurrenceChanges, 'description'>>`${o.changes} - 'description'`.mapWith(o.changes),
      startAt: o.startAt,
      endAt: o.endAt,
      startDate: o.startDate,
      endDate: o.endDate,
      timeZone: o.timeZone,
    })
    .from(o)
    .innerJoin(looked(series), sql`looked.id = ${o.eventId}`)
    .innerJoin(events, eq(events.id, o.eventId))
    .where(
      sql`${o.occurrenceStart} between looked.first and looked.last or (${moved}) or (${ownLead})
        or ${o.startDate} between ${firstDay}::date and ${lastDay}::date`,
    )
}

/** The extra starts of these series, besides those of their rules. */
export const extraStarts = (db: Db | Tx, series: readonly Looked[]) =>
  db
    .select({ eventId: eventExtraStarts.eventId, start: eventExtraStarts.start })
    .from(eventExtraStarts)
    .innerJoin(
      looked(series),
      sql`looked.id = ${eventExtraStarts.eventId} and ${eventExtraStarts.start} between looked.first and looked.last`,
    )
    .orderBy(eventExtraStarts.eventId, eventExtraStarts.start)

/** The answers for single occurrences that are in range or have an override. */
export const responses = (db: Db | Tx, series: readonly Looked[], invitationIds: Ids) =>
  db
    .select({
      invitationId: occurrenceResponses.invitationId,
      occurrenceStart: occurrenceResponses.occurrenceStart,
      response: occurrenceResponses.response,
    })
    .from(occurrenceResponses)
    .innerJoin(eventInvitations, eq(eventInvitations.id, occurrenceResponses.invitationId))
    .innerJoin(looked(series), sql`looked.id = ${eventInvitations.eventId}`)
    .where(
      and(
        among(occurrenceResponses.invitationId, invitationIds),
        sql`(${occurrenceResponses.occurrenceStart} between looked.first and looked.last or exists (
          select 1 from ${o} where ${o.eventId} = looked.id and ${o.occurrenceStart} = ${occurrenceResponses.occurrenceStart}))`,
      ),
    )

/** The calendars whose events a user sees. */
export interface Sight {
  readonly userId: number
  readonly calendarIds: Ids
}

/** The timed series that a user sees, in their calendars or by invitation, with their leads. */
const seriesSeen = (userId: SQL, calendarIds: SQL, lead: SQL): SQL => sql`(
  select id, time_zone, coalesce(reminder_minutes, ${lead}) * interval '1 minute' as lead from events
  where calendar_id in (${calendarIds}) and recurrence_rule is not null and time_zone is not null
  union
  select events.id, time_zone, coalesce(reminder_minutes, ${lead}) * interval '1 minute' from event_invitations
  join events on events.id = event_id
  where user_id = ${userId} and recurrence_rule is not null and time_zone is not null and ${isAnswered()})`

interface Crowd {
  readonly window: Window
  readonly lead: number
  /** The most extra starts and moved occurrences near the window. */
  readonly differences: number
  /** The most events near it, with all series. */
  readonly events: number
}

/**
 * Returns the users with more events or differences of series than these near the window. Widens it by a day each way, because
 * no zone is further from UTC.
 */
export async function crowded(
  db: Db | Tx,
  sights: readonly Sight[],
  { window, lead, differences, events: most }: Crowd,
): Promise<number[]> {
  const pairs = sights.flatMap(({ userId, calendarIds }) => calendarIds.map((id) => [userId, id] as const))
  const [from, to] = [+window.from - DAY_MS, +window.to + DAY_MS].map(
    (at) => sql`${wallToText(at)}::timestamp`,
  )
  const ids = sql`select calendar_id from sees where sees.user_id = listening.id`
  const some = (isNear: SQL) => sql`(
    select 1 from sees join events on events.calendar_id = sees.calendar_id
    where sees.user_id = listening.id and ${isNear} limit ${most + 1})`
  const rows = await db.execute<{ id: number }>(sql`
    with sees as (
      select * from unnest(${idArray(pairs.map(([userId]) => userId))}, ${idArray(pairs.map(([, id]) => id))})
        as sees (user_id, calendar_id))
    select listening.id from unnest(${idArray(sights.map(({ userId }) => userId))}) as listening (id)
    where ${differences} < (select count(*) from (
      select 1 from ${seriesSeen(sql`listening.id`, ids, sql`${lead}::integer`)} as series
      cross join lateral (
        select 1 from event_extra_starts where event_id = series.id and start > ${from}
          and start <= ${to} + greatest(series.lead, ${lead}::integer * interval '1 minute')
        union all
        select 1 from event_occurrences where event_id = series.id and start_at > ${instant(window.from)}
          and start_at <= ${instant(latest(window))}) as near
      limit ${differences + 1}) as counted)
    or ${most} < (select count(*) from (
      ${some(sql`recurrence_rule is not null`)}
      union all ${some(sql`start_at > ${instant(window.from)} and start_at <= ${instant(latest(window))}`)}
      union all ${some(sql`start_date > ${from}::date and start_date <= ${to}::date + ${MAX_LEAD_DAYS}::integer`)}
    ) as counted)`)
  return rows.map(({ id }) => id)
}

/** Returns the zones of the series that the user sees. */
export async function zonesSeen(db: Db | Tx, { userId, calendarIds }: Sight): Promise<string[]> {
  const calendars = sql`select unnest(${idArray(calendarIds)})`
  const rows = await db.execute<{ zone: string }>(
    sql`select distinct time_zone as zone from ${seriesSeen(sql`${userId}`, calendars, sql`0`)} as series`,
  )
  return rows.map(({ zone }) => zone)
}

/**
 * Skips the first `most` extra starts and moved occurrences with a message in the window and returns the time of the next
 * message.
 */
export async function instantAfter(
  db: Db | Tx,
  { userId, calendarIds }: Sight,
  { window, lead, most }: { readonly window: Window; readonly lead: number; readonly most: number },
  offsets: ReadonlyMap<string, number>,
): Promise<Date | undefined> {
  const calendars = sql`select unnest(${idArray(calendarIds)})`
  const [from, to] = [window.from, window.to].map((at) => sql`${wallToText(+at)}::timestamp`)
  const own = sql`coalesce(case when ${isOwn} then (${o.changes} ->> 'reminderMinutes')::integer * interval '1 minute' end, series.lead)`
  const [row] = await db.execute<{ at: string }>(sql`
    select to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
    from ${seriesSeen(sql`${userId}`, calendars, sql`${lead}::integer`)} as series
    join jsonb_each_text(${JSON.stringify(Object.fromEntries(offsets))}::jsonb) as zones (zone, ms) on zone = time_zone
    cross join lateral (select series.lead - ms::integer * interval '1 millisecond' as shift) as shifted
    cross join lateral (
      select start - shift as at from event_extra_starts
      where event_id = series.id and start > ${from} + shift and start <= ${to} + shift
      union all
      select (start_at at time zone 'UTC') - ${own} from event_occurrences
      where event_id = series.id and start_at - ${own} > ${instant(window.from)}
        and start_at - ${own} <= ${instant(window.to)}) as told
    order by at offset ${most} limit 1`)
  return row && new Date(row.at)
}
