import { and, eq } from 'drizzle-orm'
import { among } from '../../../db/among'
import type { Db, Tx } from '../../../db/client'
import { isOlder, newestFirst } from '../../../db/newest-first'
import { calendarMembers, calendars, users } from '../../../db/schema'
import type { InstantKey } from '../../../lib/wire/page'

const selected = (db: Db | Tx) =>
  db
    .select({
      member: calendarMembers,
      calendarName: calendars.name,
      ownerId: calendars.userId,
      ownerNetworkName: users.networkName,
    })
    .from(calendarMembers)
    .innerJoin(calendars, eq(calendars.id, calendarMembers.calendarId))
    .innerJoin(users, eq(users.id, calendars.userId))

/** A membership that is still pending. */
export type InviteRow = Awaited<ReturnType<typeof selected>>[number]

const isPendingOf = (userId: number) =>
  and(eq(calendarMembers.userId, userId), eq(calendarMembers.status, 'pending'))

/** Returns up to `limit` rows after the key, newest first. */
export const list = (
  db: Db,
  userId: number,
  after: InstantKey | undefined,
  limit: number,
): Promise<InviteRow[]> =>
  selected(db)
    .where(and(isPendingOf(userId), isOlder(calendarMembers, after)))
    .orderBy(...newestFirst(calendarMembers))
    .limit(limit)

/** Returns those of these invites that wait for the user's answer. */
export const listNamed = (db: Db, userId: number, ids: readonly number[]): Promise<InviteRow[]> =>
  selected(db).where(and(isPendingOf(userId), among(calendarMembers.id, ids)))

export const find = async (tx: Tx, userId: number, id: number): Promise<InviteRow | undefined> =>
  (await selected(tx).where(and(isPendingOf(userId), eq(calendarMembers.id, id))))[0]

/** The invite is pending, as the transaction has locked its owner and invitee. */
export const accept = async (tx: Tx, id: number, now: Date): Promise<void> => {
  await tx
    .update(calendarMembers)
    .set({ status: 'accepted', updatedAt: now })
    .where(eq(calendarMembers.id, id))
}
