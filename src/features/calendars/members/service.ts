import type { Db, Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { conflict, forbidden, notFound } from '../../../lib/errors'
import { readPage, type PageById, toPage } from '../../../lib/wire/page'
import { type VisibleCalendar, visibleCalendar } from '../../../access/calendars/rules'
import { calendarsFor, type Changer } from '../../../access/calendars/service'
import { isNetworkNameKey } from '../../../lib/wire/page'
import { lockUsers, type Pair, refuseStrangers } from '../../../access/connections/service'
import { calendarShared } from '../../../access/notices/rules.security'
import { notify } from '../../../access/notices/service'
import { countInvitations } from '../../../access/sent-invitations/service'
import { type Caller, beginOperation, type SessionKey } from '../../../access/sessions/service'
import type {
  MemberChanges,
  MembersPage,
  MembersQuery,
  MemberView,
  NewMember,
  PlacedMemberView,
} from './model'
import * as q from './queries'

type MemberDeps = Pick<Deps, 'db' | 'clock'>

/**
 * Returns the members of a calendar by network name; for its owner also those who have not accepted yet.
 * @throws {AppError} 404, 422.
 */
export async function listMembers(
  { db }: Pick<Deps, 'db'>,
  userId: number,
  calendarId: number,
  query: MembersQuery,
): Promise<MembersPage> {
  const { limit, after } = readPage(query, isNetworkNameKey)
  const { access } = await findCalendar(db, userId, calendarId)
  const filter = { calendarId, viewerId: userId, withPending: access === 'owner', afterName: after?.[0] }
  const rows = await q.list(db, filter, limit + 1)
  const { page, next_cursor } = toPage(rows, limit, ({ networkName }) => [networkName])
  return { members: page.map(toView), next_cursor }
}

/** Returns a page of the members of all the user's calendars, by id. */
export async function pageMembersById(
  { db }: Pick<Deps, 'db'>,
  userId: number,
  byId: PageById,
): Promise<PlacedMemberView[]> {
  const rows = await q.pageById(db, userId, byId)
  return rows.map((row) => ({ ...toView(row), calendar_id: row.member.calendarId }))
}

const findCalendar = async (db: Db | Tx, userId: number, id: number): Promise<VisibleCalendar> =>
  visibleCalendar(await calendarsFor(db, userId), id)

/** @throws {AppError} 403 when the caller does not own the calendar. */
function refuseOthers({ access }: VisibleCalendar): void {
  if (access !== 'owner') throw forbidden('Insufficient permissions')
}

interface Sharer {
  readonly session: SessionKey
  readonly caller: Caller
}

/**
 * Offers a calendar of the caller's to a connected user, who gets it by accepting (contract: calendars.sharing), and notifies
 * both.
 * @throws {AppError} 401, 403, 404 for the calendar and for a user who is not connected with the caller, 409, 429 beyond 20
 * invitations a day to one user.
 */
export const share = (
  { db, clock }: MemberDeps,
  { session, caller }: Sharer,
  calendarId: number,
  { user_id: otherId, permission }: NewMember,
): Promise<MemberView> =>
  inTransaction(db, async (tx) => {
    const { userId } = session
    const now = clock.now()
    await findShareable(tx, userId, calendarId)
    await refuseStrangers(tx, userId, [otherId])
    const names = await lockUsers(tx, [userId, otherId])
    await beginOperation(tx, session, now)
    const calendar = await findShareable(tx, userId, calendarId)
    await refuseStrangers(tx, userId, [otherId])
    if (await q.isMember(tx, calendarId, otherId)) throw conflict('Already a member')
    await countInvitations(tx, { senderId: userId, receiverIds: [otherId], now })
    const member = await q.insert(tx, {
      calendarId,
      userId: otherId,
      permission,
      status: 'pending',
      createdAt: now,
      updatedAt: now,
    })
    await notify(tx, {
      userId: otherId,
      type: 'calendar_invite',
      title: 'Calendar shared',
      message: `${names.get(userId)} would like to share “${calendar.name}” with you.`,
      data: { calendar_id: calendarId, invite_id: member.id },
      at: now,
    })
    await notify(tx, { userId, at: now, ...calendarShared(calendar, member, caller) })
    return toView({ member, networkName: names.get(otherId) ?? '' })
  })

/** @throws {AppError} 403, 404, 409 for the Birthdays calendar. */
async function findShareable(tx: Tx, userId: number, id: number): Promise<VisibleCalendar> {
  const calendar = await findCalendar(tx, userId, id)
  refuseOthers(calendar)
  if (calendar.isSystem) throw conflict('The Birthdays calendar cannot be shared')
  return calendar
}

/** @throws {AppError} 404 for the calendar and the member. */
export const readMember = async (
  { db }: Pick<Deps, 'db'>,
  userId: number,
  named: WantedMember,
): Promise<MemberView> => toView((await findMember(db, userId, named)).row)

/** Identifies a membership and its calendar. */
interface WantedMember {
  readonly calendarId: number
  readonly id: number
}

/** Changes a member's permission; effective at once. @throws {AppError} 401, 403, 404. */
export const changeMember = (
  { db, clock }: MemberDeps,
  session: SessionKey,
  named: WantedMember,
  { permission }: MemberChanges,
): Promise<MemberView> =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { calendar, row } = await lock(tx, { session, now }, named)
    refuseOthers(calendar)
    return toView({ ...row, member: await q.update(tx, named.id, { permission, updatedAt: now }) })
  })

/**
 * Deletes a membership, accepted or not, either as the owner or as the member; nobody is notified.
 * @throws {AppError} 401, 403, 404.
 */
export const removeMember = (
  { db, clock }: MemberDeps,
  session: SessionKey,
  named: WantedMember,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { calendar, row } = await lock(tx, { session, now: clock.now() }, named)
    if (row.member.userId !== session.userId) refuseOthers(calendar)
    await endMemberships(tx, [row])
  })

/** Ends the user's own membership of a calendar that somebody shares with them. @throws {AppError} 401, 404. */
export async function leaveCalendar(
  deps: MemberDeps,
  session: SessionKey,
  calendarId: number,
): Promise<void> {
  const id = await q.findOwn(deps.db, { calendarId, userId: session.userId })
  if (id === undefined) throw notFound('Calendar')
  await removeMember(deps, session, { calendarId, id })
}

interface Found {
  readonly calendar: VisibleCalendar
  readonly row: q.ListedMember
}

/** Locks the owner and the member, and returns the membership. @throws {AppError} 401, 404. */
async function lock(tx: Tx, { session, now }: Changer, named: WantedMember): Promise<Found> {
  const { userId } = session
  const { row } = await findMember(tx, userId, named)
  await lockUsers(tx, [userId, row.ownerId, row.member.userId])
  await beginOperation(tx, session, now)
  return findMember(tx, userId, named)
}

/** @throws {AppError} 404 for the calendar and the member. */
async function findMember(tx: Db | Tx, userId: number, { calendarId, id }: WantedMember): Promise<Found> {
  const calendar = await findCalendar(tx, userId, calendarId)
  const row = await q.find(tx, { calendarId, viewerId: userId, withPending: calendar.access === 'owner' }, id)
  if (!row) throw notFound('Member')
  return { calendar, row }
}

interface Membership {
  readonly member: Pick<q.MemberRow, 'id' | 'userId'>
  readonly ownerId: number
}

/** Deletes memberships with the notifications that either side got about them. */
export async function endMemberships(tx: Tx, rows: readonly Membership[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ member }) => member.id)
  const userIds = new Set(rows.flatMap(({ member, ownerId }) => [member.userId, ownerId]))
  await q.removeNotifications(tx, ids, [...userIds])
  await q.remove(tx, ids)
}

/** Deletes the memberships of two users in each other's calendars; the transaction has locked both. */
export const endMembershipsBetween = async (tx: Tx, pair: Pair): Promise<void> =>
  endMemberships(tx, await q.listBetween(tx, pair))

/** Deletes all memberships of a user and in their calendars; the transaction has locked the user. */
export const endMembershipsOf = async (tx: Tx, userId: number): Promise<void> =>
  endMemberships(tx, await q.listOfUser(tx, userId))

/** Deletes all memberships in a calendar; the transaction has locked its owner. */
export const endMembershipsIn = async (tx: Tx, calendarId: number): Promise<void> =>
  endMemberships(tx, await q.listOfCalendar(tx, calendarId))

const toView = ({ member, networkName }: Pick<q.ListedMember, 'member' | 'networkName'>): MemberView => ({
  id: member.id,
  user_id: member.userId,
  network_name: networkName,
  permission: member.permission,
  status: member.status,
})
