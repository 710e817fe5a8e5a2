import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { eventAlarms } from '../../../db/schema'
import type { Alarms } from '../../calendars/event-files/rules.alarms'
import type { Collection } from '../collections/rules'
import type { JournalItem, ObjectEntry, OpenSpan } from '../sources/rules'

/** An event without its text. */
export interface ObjectRow extends ObjectEntry {
  readonly isPrivate: boolean
}

/** A calendar, and whether somebody else than its owner looks, to whom names of private events would tell too much. */
export type SeenCalendar = Pick<Collection, 'id' | 'isOthers' | 'readerId'>

const nameFor = ({ isOthers }: SeenCalendar) =>
  isOthers
    ? sql`case when visibility = 'private' then 'private-' || id || '.ics' else dav_name(object_name, uid, id) end`
    : sql`dav_name(object_name, uid, id)`
/** About how long the text is; that of an event which no other program wrote is short. */
const BYTES = sql`coalesce((select octet_length(text) from event_texts where event_id = events.id), 0) as bytes`
/** The version of the alarms that a member keeps with the event. */
const ownFor = ({ isOthers, readerId }: SeenCalendar) =>
  isOthers
    ? sql`(select version from event_alarms where event_id = events.id and user_id = ${readerId}) as own`
    : sql`null as own`
/** Whether the event shows to the member as an invitation in a calendar of their own, and so not here (contract: dav.invitations). */
const isShownElsewhere = ({ isOthers, readerId }: SeenCalendar) =>
  isOthers
    ? sql`exists (
        select from event_invitations join calendars as shown on shown.id = display_calendar_id and shown.user_id = ${readerId}
        where event_id = events.id and event_invitations.user_id = ${readerId}
      )`
    : sql`false`
const columnsFor = (seen: SeenCalendar) =>
  sql`id, ${nameFor(seen)} as name, version, ${ownFor(seen)}, updated_at as "updatedAt", visibility = 'private' as "isPrivate", ${BYTES}`

/** Days by which times may be off, as days and floating times are stored by one zone and read by others. */
const DAYS_OFF = 4

/** Whether an event without a series takes place within the span, by its start alone. */
const isWithin = ({ from, until }: OpenSpan): SQL => {
  const off = sql`interval '1 day' * ${DAYS_OFF}::integer`
  const start = sql`coalesce(start_at, start_date)`
  const bounds = [
    ...(from ? [sql`${start} >= ${from.toISOString()}::timestamptz + ${off}`] : []),
    ...(until ? [sql`${start} < ${until.toISOString()}::timestamptz - ${off}`] : []),
  ]
  return sql`(recurrence_rule is null and not recurrence_unsupported and coalesce(last_end_at = end_at, last_end_date = end_date)
    and not exists (select from event_occurrences where event_id = events.id) and ${and(...bounds) ?? sql`true`})`
}

interface ReadRow extends Omit<ObjectRow, 'kind' | 'updatedAt' | 'own'> {
  readonly own: number | null
  readonly updatedAt: string
  readonly bytes: number
}

type NamedRow = ReadRow & { readonly [key: string]: unknown }

const toRow = ({ id, name, version, own, updatedAt, isPrivate, bytes, ...listed }: ReadRow): ObjectRow => ({
  kind: 'event',
  id,
  name,
  version,
  ...(own !== null && { own }),
  isPrivate,
  bytes,
  updatedAt: new Date(updatedAt),
  isWithin: listed.isWithin ?? false,
})

/** All objects of a calendar, by id. */
export async function list(db: Db | Tx, seen: SeenCalendar): Promise<ObjectRow[]> {
  const rows = await db.execute<NamedRow>(
    sql`select ${columnsFor(seen)} from events where calendar_id = ${seen.id} and not ${isShownElsewhere(seen)} order by id`,
  )
  return rows.map(toRow)
}

/** Objects that may take place within the span: those whose times say otherwise are left out. */
export async function listBetween(db: Db | Tx, seen: SeenCalendar, span: OpenSpan): Promise<ObjectRow[]> {
  const { from, until } = span
  const [first, end] = [from?.toISOString() ?? '-infinity', until?.toISOString() ?? 'infinity']
  const rows = await db.execute<NamedRow>(sql`
    select ${columnsFor(seen)}, ${isWithin(span)} as "isWithin" from events where calendar_id = ${seen.id} and not ${isShownElsewhere(seen)} and (
      start_at < ${end}::timestamptz and coalesce(last_end_at >= ${first}::timestamptz, true)
      or start_date < ${end}::timestamptz and coalesce(last_end_date >= ${first}::timestamptz, true)
      or recurrence_unsupported
      or exists (
        select from event_occurrences where event_id = events.id and num_nonnulls(event_occurrences.start_at, event_occurrences.start_date) > 0
      )
    ) order by id`)
  return rows.map(toRow)
}

/** Finds objects of a calendar by their names, of which each has at most one. */
export async function named(db: Db | Tx, seen: SeenCalendar, names: readonly string[]): Promise<ObjectRow[]> {
  const rows = await db.execute<NamedRow>(sql`
    with wanted as (select name from jsonb_array_elements_text(${JSON.stringify(names)}::jsonb) as given (name))
    ${foundBy(seen, sql`object_name = wanted.name`)}
    union ${foundBy(seen, sql`object_name is null and wanted.name like '%.ics' and uid = left(wanted.name, -4)`)}
    union ${foundBy(
      seen,
      sql`wanted.name ~ '^(private-)?[1-9][0-9]{0,8}[.]ics$' and id = regexp_replace(wanted.name, '[^0-9]', '', 'g')::integer`,
    )}`)
  return rows.map(toRow)
}

const foundBy = (seen: SeenCalendar, condition: SQL) => sql`
  select ${columnsFor(seen)} from wanted join events on calendar_id = ${seen.id} and ${condition} where ${nameFor(seen)} = wanted.name and not ${isShownElsewhere(seen)}`

interface FollowedRow extends Omit<ReadRow, 'id'> {
  readonly seq: number
  readonly id: number | null
  readonly former: readonly string[] | null
  readonly isElsewhere: boolean
  readonly [key: string]: unknown
}

/** The first notes after a place that concern the reader: of events, and of alarms that are their own, each event once. */
function notesAfter({ id, isOthers, readerId }: SeenCalendar, place: number, limit: number): SQL {
  const after = (type: string) =>
    sql`scope_kind = 'c' and scope_id = ${id} and seq > ${place} and type || '' = ${type}`
  const ofEvents = sql`select item, seq from sync_changes where ${after('event')} order by seq limit ${limit}`
  if (!isOthers) return ofEvents
  return sql`select item, min(seq) as seq from (
    (${ofEvents}) union all (
      select event_id, seq from sync_changes join event_alarms on event_alarms.id = item and user_id = ${readerId}
      where ${after('alarm')} order by seq limit ${limit}
    )
  ) as notes group by item order by seq limit ${limit}`
}

/** What changed in a calendar after a place, each object once, in the order of its last change; up to `limit`. */
export async function changedSince(
  db: Db | Tx,
  seen: SeenCalendar,
  place: number,
  limit: number,
): Promise<JournalItem[]> {
  const { id: calendarId, isOthers } = seen
  const rows = await db.execute<FollowedRow>(sql`
    select changed.seq::float8 as seq, events.id, ${nameFor(seen)} as name, version, ${ownFor(seen)}, updated_at as "updatedAt",
      visibility = 'private' as "isPrivate", ${BYTES}, gone.names as former, ${isShownElsewhere(seen)} as "isElsewhere"
    from (${notesAfter(seen, place, limit)}) as changed
    left join events on events.id = changed.item and events.calendar_id = ${calendarId}
    left join lateral (
      select jsonb_agg(case when is_hidden and ${isOthers} then 'private-' || item || '.ics' else name end) as names from dav_gone where kind = 'calendar' and collection = ${calendarId} and item = changed.item
    ) as gone on true
    order by changed.seq`)
  return rows.map(({ seq, id, former, isElsewhere, ...row }) => ({
    seq,
    object: id === null || isElsewhere ? null : toRow({ ...row, id }),
    former: [...(former ?? []), ...(id !== null && isElsewhere ? [row.name] : [])],
  }))
}

/** The object of a calendar that has this UID. */
export async function withUid(db: Db | Tx, seen: SeenCalendar, uid: string): Promise<ObjectRow | undefined> {
  const rows = await db.execute<NamedRow>(
    sql`select ${columnsFor(seen)} from events where calendar_id = ${seen.id} and uid = ${uid}`,
  )
  return rows.map(toRow)[0]
}

/** Whether a name belongs to an object that the client does not see under it, or stands for private ones. */
export async function isNameHidden(tx: Tx, calendarId: number, name: string): Promise<boolean> {
  if (PRIVATE_NAME.test(name)) return true
  const [row] = await tx.execute(
    sql`select 1 from events where calendar_id = ${calendarId} and object_name = ${name}`,
  )
  return row !== undefined
}

const PRIVATE_NAME = /^private-\d+\.ics$/

/** The alarms that a member keeps with events, by event. */
export async function alarmsOf(
  db: Db | Tx,
  userId: number,
  eventIds: readonly number[],
): Promise<ReadonlyMap<number, Alarms>> {
  const rows = await db
    .select({ eventId: eventAlarms.eventId, alarms: eventAlarms.alarms })
    .from(eventAlarms)
    .where(and(eq(eventAlarms.userId, userId), inArray(eventAlarms.eventId, [...eventIds])))
  return new Map(rows.map(({ eventId, alarms }) => [eventId, alarms]))
}

/** Replaces the alarms that a member keeps with an event. Returns their version. */
export async function putAlarms(
  tx: Tx,
  row: { readonly eventId: number; readonly userId: number; readonly alarms: Alarms; readonly now: Date },
): Promise<number> {
  const { now: updatedAt, ...given } = row
  const [written] = await tx
    .insert(eventAlarms)
    .values({ ...given, updatedAt })
    .onConflictDoUpdate({
      target: [eventAlarms.eventId, eventAlarms.userId],
      set: { alarms: given.alarms, updatedAt, version: sql`${eventAlarms.version} + 1` },
    })
    .returning({ version: eventAlarms.version })
  if (!written) throw new Error('the alarms were not written')
  return written.version
}
