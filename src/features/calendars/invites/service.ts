import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps, WriteDeps } from '../../../deps'
import { notFound } from '../../../lib/errors'
import { instantKey, isInstantKey, readPage, toPage } from '../../../lib/wire/page'
import { formatInstant } from '../../../lib/time/time'
import type { Changer } from '../../../access/calendars/service'
import { endMemberships } from '../members/service'
import type { CalendarView } from '../calendars/model'
import { viewCalendar } from '../calendars/service'
import { lockUsers } from '../../../access/connections/service'
import { markHandled, notify } from '../../../access/notices/service'
import { beginOperation, type SessionKey } from '../../../access/sessions/service'
import type { InvitesPage, InvitesQuery, InviteView } from './model'
import * as q from './queries'

/** Returns the caller's invites, newest first. @throws {AppError} 422. */
export async function listInvites(
  { db, config }: ReadDeps,
  userId: number,
  query: InvitesQuery,
): Promise<InvitesPage> {
  const { limit, after } = readPage(query, isInstantKey)
  const rows = await q.list(db, userId, after, limit + 1)
  const { page, next_cursor } = toPage(rows, limit, ({ member }) => instantKey(member))
  return { invites: page.map((row) => toView(config.timeZone, row)), next_cursor }
}

/** Returns those of these invites that wait for the user's answer. */
export const listNamedInvites = async (
  { db, config }: ReadDeps,
  userId: number,
  ids: readonly number[],
): Promise<InviteView[]> => (await q.listNamed(db, userId, ids)).map((row) => toView(config.timeZone, row))

/** Makes the caller a member of the calendar and notifies its owner. @throws {AppError} 401, 404. */
export const acceptInvite = (
  { db, config, clock }: WriteDeps,
  session: SessionKey,
  id: number,
): Promise<CalendarView> =>
  inTransaction(db, async (tx) => {
    const { userId } = session
    const now = clock.now()
    const { invite, ownName } = await lock(tx, { session, now }, id)
    const { calendarId } = invite.member
    const data = { calendar_id: calendarId, invite_id: id }
    await q.accept(tx, id, now)
    await markHandled(tx, { userId, type: 'calendar_invite', data })
    await notify(tx, {
      userId: invite.ownerId,
      type: 'calendar_invite_accepted',
      title: 'Calendar invite accepted',
      message: `${ownName} has “${invite.calendarName}” now.`,
      data,
      at: now,
    })
    return viewCalendar(tx, { config }, userId, calendarId)
  })

/** Reads what `acceptInvite` has answered, as it is now. @throws {AppError} 404. */
export const readAccepted = (
  { db, config }: ReadDeps,
  userId: number,
  calendarId: number,
): Promise<CalendarView> => viewCalendar(db, { config }, userId, calendarId)

/** Deletes an invite with its notification; the owner is not notified. @throws {AppError} 401, 404. */
export const rejectInvite = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  session: SessionKey,
  id: number,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { invite } = await lock(tx, { session, now: clock.now() }, id)
    await endMemberships(tx, [invite])
  })

interface Held {
  readonly invite: q.InviteRow
  /** The network name of the invitee. */
  readonly ownName: string
}

/** Locks the owner and the invitee, and returns the caller's invite. @throws {AppError} 401, 404. */
async function lock(tx: Tx, { session, now }: Changer, id: number): Promise<Held> {
  const { userId } = session
  const found = await q.find(tx, userId, id)
  const names = found && (await lockUsers(tx, [userId, found.ownerId]))
  await beginOperation(tx, session, now)
  const invite = names && (await q.find(tx, userId, id))
  const ownName = names?.get(userId)
  if (!invite || ownName === undefined) throw notFound('Invite')
  return { invite, ownName }
}

const toView = (zone: string, { member, calendarName, ownerNetworkName }: q.InviteRow): InviteView => ({
  id: member.id,
  calendar_id: member.calendarId,
  calendar_name: calendarName,
  owner_network_name: ownerNetworkName,
  permission: member.permission,
  created_at: formatInstant(zone, member.createdAt),
})
