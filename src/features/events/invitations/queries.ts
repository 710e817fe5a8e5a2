import { and, asc, eq, gt, inArray, or, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { inByteOrder } from '../../../db/alphabetical'
import { idOf } from '../../../db/by-id'
import type { Db, Tx } from '../../../db/client'
import { isOlder, newestFirst } from '../../../db/newest-first'
import {
  calendars,
  eventInvitations,
  events,
  type InvitationResponse,
  notifications,
  occurrenceResponses,
  users,
} from '../../../db/schema'
import type { InstantKey, PageById } from '../../../lib/wire/page'

const selected = (db: Db | Tx) =>
  db
    .select({
      invitation: eventInvitations,
      title: events.title,
      networkName: users.networkName,
      organiserId: calendars.userId,
    })
    .from(eventInvitations)
    .innerJoin(events, eq(events.id, eventInvitations.eventId))
    .innerJoin(calendars, eq(calendars.id, events.calendarId))
    .innerJoin(users, eq(users.id, eventInvitations.userId))

/** An invitation with its event's title, its organiser and its invitee's name. */
export type ListedInvitation = Awaited<ReturnType<typeof selected>>[number]

const byName = inByteOrder(users.networkName)

interface EventFilter {
  readonly eventId: number
  /** Undefined for the invitations of all invitees. */
  readonly inviteeId: number | undefined
  readonly afterName?: string | undefined
}

/** Returns up to `limit` rows after the name, by the invitee's network name. */
export const listOfEvent = (
  db: Db | Tx,
  { eventId, inviteeId, afterName }: EventFilter,
  limit: number,
): Promise<ListedInvitation[]> =>
  selected(db)
    .where(
      and(
        eq(eventInvitations.eventId, eventId),
        inviteeId === undefined ? undefined : eq(eventInvitations.userId, inviteeId),
        afterName === undefined ? undefined : sql`${byName} > ${afterName}`,
      ),
    )
    .orderBy(asc(byName))
    .limit(limit)

interface InviteeFilter {
  readonly inviteeId: number
  readonly response: InvitationResponse | undefined
  readonly after: InstantKey | undefined
}

/** Returns up to `limit` rows after the key, newest first. */
export const listOfInvitee = (
  db: Db,
  { inviteeId, response, after }: InviteeFilter,
  limit: number,
): Promise<ListedInvitation[]> =>
  selected(db)
    .where(
      and(
        eq(eventInvitations.userId, inviteeId),
        response && eq(eventInvitations.response, response),
        isOlder(eventInvitations, after),
      ),
    )
    .orderBy(...newestFirst(eventInvitations))
    .limit(limit)

export const pageInviteeById = (
  db: Db,
  inviteeId: number,
  { afterId, limit }: PageById,
): Promise<ListedInvitation[]> =>
  selected(db)
    .where(and(eq(eventInvitations.userId, inviteeId), gt(idOf(eventInvitations.id), afterId)))
    .orderBy(idOf(eventInvitations.id))
    .limit(limit)

/** Returns all invitations to these events, by id. */
export const listOfEvents = (db: Db | Tx, eventIds: readonly number[]): Promise<ListedInvitation[]> =>
  selected(db)
    .where(inArray(eventInvitations.eventId, [...eventIds]))
    .orderBy(eventInvitations.id)

/** Identifies an invitation to the user or, with an event id, one to that event of the user's. */
export interface InvitationKey {
  readonly id: number
  readonly userId: number
  readonly eventId?: number
}

export const find = async (
  tx: Db | Tx,
  { id, userId, eventId }: InvitationKey,
): Promise<ListedInvitation | undefined> => {
  const isInvitee = eq(eventInvitations.userId, userId)
  const isParty =
    eventId === undefined
      ? isInvitee
      : and(eq(eventInvitations.eventId, eventId), or(isInvitee, eq(calendars.userId, userId)))
  return (await selected(tx).where(and(eq(eventInvitations.id, id), isParty)))[0]
}

export type InsertedInvitation = Pick<ListedInvitation['invitation'], 'id' | 'userId'>

export const insertAll = (
  tx: Tx,
  rows: Array<typeof eventInvitations.$inferInsert>,
): Promise<InsertedInvitation[]> =>
  tx
    .insert(eventInvitations)
    .values(rows)
    .returning({ id: eventInvitations.id, userId: eventInvitations.userId })

/** The invitation exists, as the transaction has locked its organiser and invitee. */
export async function update(
  tx: Tx,
  id: number,
  set: PgUpdateSetSource<typeof eventInvitations>,
): Promise<ListedInvitation['invitation']> {
  const [row] = await tx.update(eventInvitations).set(set).where(eq(eventInvitations.id, id)).returning()
  if (!row) throw new Error('update returned no row')
  return row
}

/** The invitees' answers to one occurrence. */
export const responsesTo = (db: Db, eventId: number, occurrenceStart: string) =>
  db
    .select({ invitationId: occurrenceResponses.invitationId, response: occurrenceResponses.response })
    .from(occurrenceResponses)
    .innerJoin(eventInvitations, eq(eventInvitations.id, occurrenceResponses.invitationId))
    .where(
      and(eq(eventInvitations.eventId, eventId), eq(occurrenceResponses.occurrenceStart, occurrenceStart)),
    )

/** The answers of these invitations to single occurrences, by original start. */
export const responsesOf = (db: Db | Tx, invitationIds: readonly number[]) =>
  db
    .select({
      invitationId: occurrenceResponses.invitationId,
      occurrenceStart: occurrenceResponses.occurrenceStart,
      response: occurrenceResponses.response,
      series: {
        startAt: events.startAt,
        endAt: events.endAt,
        startWall: events.startWall,
        timeZone: events.timeZone,
        startDate: events.startDate,
        endDate: events.endDate,
      },
    })
    .from(occurrenceResponses)
    .innerJoin(eventInvitations, eq(eventInvitations.id, occurrenceResponses.invitationId))
    .innerJoin(events, eq(events.id, eventInvitations.eventId))
    .where(inArray(occurrenceResponses.invitationId, [...invitationIds]))
    .orderBy(occurrenceResponses.occurrenceStart)

/** Replaces an earlier answer. */
export async function putResponse(tx: Tx, row: typeof occurrenceResponses.$inferInsert): Promise<void> {
  const { response, updatedAt } = row
  await tx
    .insert(occurrenceResponses)
    .values(row)
    .onConflictDoUpdate({
      target: [occurrenceResponses.invitationId, occurrenceResponses.occurrenceStart],
      set: { response, updatedAt },
    })
}

const invitedBy = (organiserId: number) => eq(calendars.userId, organiserId)
const invited = (userId: number) => eq(eventInvitations.userId, userId)

/** The invitations from either user to the other. */
export const listBetween = (tx: Tx, [a, b]: readonly [number, number]): Promise<ListedInvitation[]> =>
  selected(tx).where(or(and(invitedBy(a), invited(b)), and(invitedBy(b), invited(a))))

/** The invitations by the user and to them. */
export const listOfUser = (tx: Tx, userId: number): Promise<ListedInvitation[]> =>
  selected(tx).where(or(invitedBy(userId), invited(userId)))

/** Answers to single occurrences cascade. */
export const remove = async (tx: Tx, ids: readonly number[]): Promise<void> => {
  await tx.delete(eventInvitations).where(inArray(eventInvitations.id, [...ids]))
}

/** Deletes what these users were told about these invitations. */
export const removeNotifications = async (
  tx: Tx,
  ids: readonly number[],
  userIds: readonly number[],
): Promise<void> => {
  const isAboutOne = inArray(sql`(${notifications.data} ->> 'invitation_id')::integer`, [...ids])
  await tx.delete(notifications).where(and(inArray(notifications.userId, [...userIds]), isAboutOne))
}
