import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../db/client'
import {
  calendars,
  eventInvitations,
  events,
  invitationParts,
  occurrenceResponses,
  users,
} from '../../../db/schema'
import type { JournalItem, ObjectEntry } from '../sources/rules'
import { invitationName, type OwnParts } from './rules'

interface NotedRow {
  readonly id: number
  readonly seq: number
  readonly at: string
  readonly [key: string]: unknown
}

/** The tag moves with the note in the journal, which follows whatever the invitee sees of the event. */
const toEntry = ({ id, seq, at }: NotedRow): ObjectEntry => ({
  kind: 'invitation',
  id,
  name: invitationName(id),
  version: seq,
  updatedAt: new Date(at),
})

const noted = (calendarId: number, condition: SQL) => sql`
  select event_invitations.id, seq::float8 as seq, at from event_invitations
  join sync_changes on scope_kind = 'c' and scope_id = ${calendarId} and type = 'invitation' and item = event_invitations.id
  where display_calendar_id = ${calendarId} and ${condition} order by event_invitations.id`

/** All invitations that a calendar shows, by id. */
export const list = async (db: Db | Tx, calendarId: number): Promise<ObjectEntry[]> =>
  (await db.execute<NotedRow>(noted(calendarId, sql`true`))).map(toEntry)

/** Those of the invitations that a calendar shows. */
export async function find(db: Db | Tx, calendarId: number, ids: readonly number[]): Promise<ObjectEntry[]> {
  if (ids.length === 0) return []
  const isOne = sql`event_invitations.id in (select id::integer from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as given (id))`
  return (await db.execute<NotedRow>(noted(calendarId, isOne))).map(toEntry)
}

/** The invitation to the event of this UID that a calendar shows. */
export async function withUid(
  db: Db | Tx,
  calendarId: number,
  uid: string,
): Promise<ObjectEntry | undefined> {
  const isOne = sql`exists (select from events where events.id = event_id and uid = ${uid})`
  return (await db.execute<NotedRow>(noted(calendarId, isOne))).map(toEntry)[0]
}

/** What changed of the invitations that a calendar shows after a place, in the order of the last changes; up to `limit`. */
export async function changedSince(
  db: Db | Tx,
  calendarId: number,
  place: number,
  limit: number,
): Promise<JournalItem[]> {
  const rows = await db.execute<NotedRow & { readonly isThere: boolean }>(sql`
    select item as id, seq::float8 as seq, at, exists (
      select from event_invitations where id = item and display_calendar_id = ${calendarId}
    ) as "isThere"
    from sync_changes
    where scope_kind = 'c' and scope_id = ${calendarId} and seq > ${place} and type || '' = 'invitation' order by seq limit ${limit}`)
  return rows.map((row) => ({
    seq: row.seq,
    object: row.isThere ? toEntry(row) : null,
    former: [invitationName(row.id)],
  }))
}

const organisers = alias(users, 'organisers')

/** Invitations with their events, and the names of both sides. */
export const read = (db: Db | Tx, ids: readonly number[]) =>
  db
    .select({
      id: eventInvitations.id,
      response: eventInvitations.response,
      inviteeId: eventInvitations.userId,
      inviteeName: users.networkName,
      inviteeEmail: users.email,
      organiserId: calendars.userId,
      organiserName: organisers.networkName,
      event: events,
      parts: invitationParts.parts,
    })
    .from(eventInvitations)
    .innerJoin(events, eq(events.id, eventInvitations.eventId))
    .innerJoin(calendars, eq(calendars.id, events.calendarId))
    .innerJoin(organisers, eq(organisers.id, calendars.userId))
    .innerJoin(users, eq(users.id, eventInvitations.userId))
    .leftJoin(invitationParts, eq(invitationParts.invitationId, eventInvitations.id))
    .where(inArray(eventInvitations.id, [...ids]))

export type ReadInvitation = Awaited<ReturnType<typeof read>>[number]

/** The answers to single occurrences, by invitation. */
export async function answersOf(db: Db | Tx, ids: readonly number[]) {
  const rows = await db
    .select()
    .from(occurrenceResponses)
    .where(inArray(occurrenceResponses.invitationId, [...ids]))
    .orderBy(occurrenceResponses.occurrenceStart)
  return Map.groupBy(rows, ({ invitationId }) => invitationId)
}

/** Replaces what the invitee's programs keep. */
export async function putParts(
  tx: Tx,
  invitationId: number,
  parts: Readonly<Record<string, OwnParts>>,
): Promise<void> {
  await tx
    .insert(invitationParts)
    .values({ invitationId, parts })
    .onConflictDoUpdate({ target: invitationParts.invitationId, set: { parts } })
}
