import type { Db, Tx } from '../../../db/client'
import type { InvitationResponse } from '../../../db/schema'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps, WriteDeps } from '../../../deps'
import { forbidden, notFound, OvertakenError } from '../../../lib/errors'
import { instantKey, isInstantKey, readPage, type PageById, toPage } from '../../../lib/wire/page'
import { formatInstant } from '../../../lib/time/time'
import { wallToText } from '../../../lib/time/wall-time'
import type { Changer } from '../../../access/calendars/service'
import { isNetworkNameKey } from '../../../lib/wire/page'
import { connectedAmong, lockUsers, type Pair, refuseStrangers } from '../../../access/connections/service'
import { findOccurrence, findEventAccess, lockEvent, refusePrivate } from '../events/service'
import { type EventAccess, toOccurrenceStart } from '../events/service.views'
import { notifyAll } from '../../../access/notices/service'
import { countInvitations } from '../../../access/sent-invitations/service'
import { beginOperation, type SessionKey } from '../../../access/sessions/service'
import type {
  EventInvitationsQuery,
  ExportedInvitationView,
  InvitationsPage,
  InvitationView,
  OwnInvitationsQuery,
} from './model'
import * as q from './queries'
import { MAX_INVITATIONS, refusalOfNumber } from './rules'

/**
 * Invites the users to an event of the caller's, each once. Returns their invitations, including existing ones
 * (contract: events.invitations).
 * @throws {AppError} 401, 403, 404 for the event and for users who are not connected with the caller, 409 beyond 20, 429
 * beyond 20 a day to one user.
 */
export const invite = (
  { db, config, clock }: WriteDeps,
  session: SessionKey,
  eventId: number,
  userIds: readonly number[],
): Promise<InvitationView[]> =>
  inTransaction(db, async (tx) => {
    const { userId } = session
    const now = clock.now()
    const wanted = [...new Set(userIds)]
    refuseOthers(await findEventAccess(tx, userId, eventId))
    await refuseStrangers(tx, userId, wanted)
    // From here on all other requests that need the user's lock wait, so use few statements.
    const seen = await lockEvent(tx, { session, now }, { id: eventId, expected: undefined }, wanted)
    refuseOthers(seen)
    await refuseStrangers(tx, userId, wanted)
    const invited = new Set((await listAll(tx, eventId)).map(({ invitation }) => invitation.userId))
    const added = wanted.filter((id) => !invited.has(id))
    const refusal = refusalOfNumber(invited.size + added.length)
    if (refusal) throw refusal
    await countInvitations(tx, { senderId: userId, receiverIds: added, now })
    const rows = added.map((id) => ({ eventId, userId: id, createdAt: now, updatedAt: now }))
    if (rows.length > 0) await announce(tx, await q.insertAll(tx, rows), { seen, userId, now })
    const all = await listAll(tx, eventId)
    return all
      .filter(({ invitation }) => wanted.includes(invitation.userId))
      .map((row) => toView(config.timeZone, userId, row))
  })

/** Reads what `invite` has answered, as it is now. @throws {AppError} 404, 403. */
export async function listInvited(
  { db, config }: ReadDeps,
  userId: number,
  eventId: number,
  userIds: readonly number[],
): Promise<InvitationView[]> {
  refuseOthers(await findEventAccess(db, userId, eventId))
  const all = await listAll(db, eventId)
  return all
    .filter(({ invitation }) => userIds.includes(invitation.userId))
    .map((row) => toView(config.timeZone, userId, row))
}

interface Inviting {
  readonly seen: EventAccess
  /** The organiser. */
  readonly userId: number
  readonly now: Date
}

/** Notifies the invitees. */
async function announce(
  tx: Tx,
  rows: readonly q.InsertedInvitation[],
  { seen, userId, now }: Inviting,
): Promise<void> {
  const { id, title } = seen.event
  const names = await lockUsers(tx, [userId])
  await notifyAll(
    tx,
    rows.map((row) => ({
      userId: row.userId,
      type: 'event_invite',
      title: 'Event invitation',
      message: `${names.get(userId)} invited you to “${title}”.`,
      data: { event_id: id, invitation_id: row.id },
      at: now,
    })),
  )
}

/** @throws {AppError} 403 when the caller does not own the event. */
function refuseOthers(seen: EventAccess): void {
  refusePrivate(seen)
  if (seen.access !== 'owner') throw forbidden('Insufficient permissions')
}

const listAll = (tx: Db | Tx, eventId: number) =>
  q.listOfEvent(tx, { eventId, inviteeId: undefined }, MAX_INVITATIONS)

/**
 * Returns the invitations to an event by network name: all of them for the owner; for an invitee only their own, as invitees
 * need not know each other.
 * @throws {AppError} 404 for the event and the occurrence, 422.
 */
export async function listOfEvent(
  { db, config }: ReadDeps,
  userId: number,
  eventId: number,
  { occurrence_start, ...paging }: EventInvitationsQuery,
): Promise<InvitationsPage> {
  const { limit, after } = readPage(paging, isNetworkNameKey)
  const seen = await findEventAccess(db, userId, eventId)
  const responses = await responsesTo(db, seen, occurrence_start)
  const inviteeId = seen.access === 'owner' ? undefined : userId
  const rows = await q.listOfEvent(db, { eventId, inviteeId, afterName: after?.[0] }, limit + 1)
  const { page, next_cursor } = toPage(rows, limit, ({ networkName }) => [networkName])
  return {
    invitations: page.map((row) => toView(config.timeZone, userId, row, responses.get(row.invitation.id))),
    next_cursor,
  }
}

/** The answers to one occurrence alone, by invitation. @throws {AppError} 404. */
async function responsesTo(
  db: Db,
  seen: EventAccess,
  occurrenceStart: string | undefined,
): Promise<ReadonlyMap<number, InvitationResponse>> {
  if (occurrenceStart === undefined) return new Map()
  const { wall } = await findOccurrence(db, seen, occurrenceStart)
  const rows = await q.responsesTo(db, seen.event.id, wallToText(wall))
  return new Map(rows.map(({ invitationId, response }) => [invitationId, response]))
}

/** Returns the caller's invitations, newest first. @throws {AppError} 422. */
export async function listOwn(
  { db, config }: ReadDeps,
  userId: number,
  { response, ...paging }: OwnInvitationsQuery,
): Promise<InvitationsPage> {
  const { limit, after } = readPage(paging, isInstantKey)
  const rows = await q.listOfInvitee(db, { inviteeId: userId, response, after }, limit + 1)
  const { page, next_cursor } = toPage(rows, limit, ({ invitation }) => instantKey(invitation))
  return { invitations: page.map((row) => toView(config.timeZone, userId, row)), next_cursor }
}

/** Returns an invitation to the caller. @throws {AppError} 404. */
export async function readInvitation(
  { db, config }: ReadDeps,
  userId: number,
  id: number,
): Promise<InvitationView> {
  const found = await q.find(db, { id, userId })
  if (!found) throw notFound('Invitation')
  return toView(config.timeZone, userId, found)
}

/** Returns a page of the user's invitations, by id. */
export const pageInvitationsById = async (
  deps: ReadDeps,
  userId: number,
  byId: PageById,
): Promise<ExportedInvitationView[]> =>
  toExported(deps.db, deps.config.timeZone, userId, await q.pageInviteeById(deps.db, userId, byId))

/** Returns all invitations to these events as the user sees them, by id. */
export const invitationsTo = async (
  db: Db | Tx,
  zone: string,
  userId: number,
  eventIds: readonly number[],
): Promise<ExportedInvitationView[]> => toExported(db, zone, userId, await q.listOfEvents(db, eventIds))

/** Adds the answers to single occurrences. */
async function toExported(
  db: Db | Tx,
  zone: string,
  userId: number,
  rows: readonly q.ListedInvitation[],
): Promise<ExportedInvitationView[]> {
  const answers = Map.groupBy(await q.responsesOf(db, rows.map(idOf)), ({ invitationId }) => invitationId)
  return rows.map((row) => ({
    ...toView(zone, userId, row),
    occurrence_responses: (answers.get(idOf(row)) ?? []).map(({ series, occurrenceStart, response }) => ({
      occurrence_start: toOccurrenceStart(zone, series, occurrenceStart),
      response,
    })),
  }))
}

/** Deletes an invitation, either as the organiser or as the invitee; nobody is notified. @throws {AppError} 401, 404. */
export const removeInvitation = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  session: SessionKey,
  wanted: WantedInvitation,
): Promise<void> =>
  inTransaction(db, async (tx) => end(tx, [await lockInvitation(tx, { session, now: clock.now() }, wanted)]))

/** Deletes the invitations of two users to each other; the transaction has locked both. */
export const endInvitationsBetween = async (tx: Tx, pair: Pair): Promise<void> =>
  end(tx, await q.listBetween(tx, pair))

/** Deletes all invitations by a user and to them; the transaction has locked the user. */
export const endInvitationsOf = async (tx: Tx, userId: number): Promise<void> =>
  end(tx, await q.listOfUser(tx, userId))

/**
 * Deletes the invitations that the event's new owner could not have made: those to users not connected with them, and to
 * themselves. Returns their ids. Also deletes what the former owner was notified of. The transaction has locked both owners.
 */
export async function changeOrganiser(
  tx: Tx,
  eventId: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number[]> {
  const rows = await listAll(tx, eventId)
  if (rows.length === 0) return []
  const known = await connectedAmong(tx, to, rows.map(inviteeOf))
  const ending = rows.filter((row) => !known.has(inviteeOf(row)))
  await q.removeNotifications(tx, rows.map(idOf), [from])
  await end(tx, ending)
  return ending.map(idOf)
}

const idOf = ({ invitation }: q.ListedInvitation): number => invitation.id
const inviteeOf = ({ invitation }: q.ListedInvitation): number => invitation.userId

/** Deletes the invitations with the notifications that either side got about them. */
async function end(tx: Tx, rows: readonly q.ListedInvitation[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(idOf)
  const userIds = new Set(rows.flatMap(({ invitation, organiserId }) => [invitation.userId, organiserId]))
  await q.removeNotifications(tx, ids, [...userIds])
  await q.remove(tx, ids)
}

/** An invitation to the caller or, with an event id, one to that event of the caller's. */
type WantedInvitation = Omit<q.InvitationKey, 'userId'>

/** Locks the organiser and the invitee, and returns the invitation. @throws {AppError} 401, 404. */
export async function lockInvitation(
  tx: Tx,
  { session, now }: Changer,
  named: WantedInvitation,
): Promise<q.ListedInvitation> {
  const wanted = { ...named, userId: session.userId }
  const found = await q.find(tx, wanted)
  if (found) await lockUsers(tx, [found.organiserId, found.invitation.userId])
  await beginOperation(tx, session, now)
  const held = found && (await q.find(tx, wanted))
  if (!held) throw notFound('Invitation')
  if (held.organiserId !== found.organiserId) throw new OvertakenError()
  return held
}

/** `response` replaces that of the invitation. Only the invitee sees which calendar they chose. */
export const toView = (
  zone: string,
  readerId: number,
  { invitation, title, networkName }: q.ListedInvitation,
  response: InvitationResponse | null = invitation.response,
): InvitationView => ({
  id: invitation.id,
  event_id: invitation.eventId,
  event_title: title,
  user_id: invitation.userId,
  network_name: networkName,
  response,
  display_calendar_id: invitation.userId === readerId ? invitation.displayCalendarId : null,
  created_at: formatInstant(zone, invitation.createdAt),
})
