import { and, asc, eq, gt, inArray, not, or, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { inByteOrder } from '../../../db/alphabetical'
import { isBlockedBetween } from '../../../db/blocked'
import type { Db, Tx } from '../../../db/client'
import { calendarMembers, calendars, notifications, users } from '../../../db/schema'
import { isAcceptedBy } from '../../../db/visible-calendars'
import type { PageById } from '../../../lib/wire/page'

export type MemberRow = typeof calendarMembers.$inferSelect

const selected = (db: Db | Tx) =>
  db
    .select({ member: calendarMembers, networkName: users.networkName, ownerId: calendars.userId })
    .from(calendarMembers)
    .innerJoin(calendars, eq(calendars.id, calendarMembers.calendarId))
    .innerJoin(users, eq(users.id, calendarMembers.userId))

/** A member or pending member, with the owner of the calendar. */
export type ListedMember = Awaited<ReturnType<typeof selected>>[number]

const byName = inByteOrder(users.networkName)

/** The members of a calendar that one user may see; `withPending` includes those who have not accepted yet. */
interface Filter {
  readonly calendarId: number
  readonly viewerId: number
  readonly withPending: boolean
}

const isOne = ({ calendarId, viewerId, withPending }: Filter) =>
  and(
    eq(calendarMembers.calendarId, calendarId),
    not(isBlockedBetween(viewerId, calendarMembers.userId)),
    withPending ? undefined : eq(calendarMembers.status, 'accepted'),
  )

/** Returns up to `limit` rows after the name, by network name. */
export const list = (
  db: Db,
  filter: Filter & { readonly afterName: string | undefined },
  limit: number,
): Promise<ListedMember[]> =>
  selected(db)
    .where(
      and(isOne(filter), filter.afterName === undefined ? undefined : sql`${byName} > ${filter.afterName}`),
    )
    .orderBy(asc(byName))
    .limit(limit)

/** Returns the members of all calendars of a user, by id. */
export const pageById = (db: Db, ownerId: number, { afterId, limit }: PageById): Promise<ListedMember[]> =>
  selected(db)
    .where(and(eq(calendars.userId, ownerId), gt(calendarMembers.id, afterId)))
    .orderBy(calendarMembers.id)
    .limit(limit)

export const find = async (tx: Db | Tx, filter: Filter, id: number): Promise<ListedMember | undefined> =>
  (await selected(tx).where(and(isOne(filter), eq(calendarMembers.id, id))))[0]

/** Whether the user is a member, accepted or pending. */
export const isMember = async (tx: Tx, calendarId: number, userId: number): Promise<boolean> =>
  (await tx.$count(
    calendarMembers,
    and(eq(calendarMembers.calendarId, calendarId), eq(calendarMembers.userId, userId)),
  )) > 0

export async function insert(tx: Tx, row: typeof calendarMembers.$inferInsert): Promise<MemberRow> {
  const [created] = await tx.insert(calendarMembers).values(row).returning()
  if (!created) throw new Error('insert returned no row')
  return created
}

/** The membership exists, as the transaction has locked its owner and member. */
export async function update(
  tx: Tx,
  id: number,
  set: PgUpdateSetSource<typeof calendarMembers>,
): Promise<MemberRow> {
  const [row] = await tx.update(calendarMembers).set(set).where(eq(calendarMembers.id, id)).returning()
  if (!row) throw new Error('update returned no row')
  return row
}

export const remove = async (tx: Tx, ids: readonly number[]): Promise<void> => {
  await tx.delete(calendarMembers).where(inArray(calendarMembers.id, [...ids]))
}

const ownedBy = (userId: number) => eq(calendars.userId, userId)
const isOf = (userId: number) => eq(calendarMembers.userId, userId)

/** The memberships of either user in calendars of the other. */
export const listBetween = (tx: Tx, [a, b]: readonly [number, number]): Promise<ListedMember[]> =>
  selected(tx).where(or(and(ownedBy(a), isOf(b)), and(ownedBy(b), isOf(a))))

/** The memberships in calendars of the user, and the user's own. */
export const listOfUser = (tx: Tx, userId: number): Promise<ListedMember[]> =>
  selected(tx).where(or(ownedBy(userId), isOf(userId)))

export const listOfCalendar = (tx: Tx, calendarId: number): Promise<ListedMember[]> =>
  selected(tx).where(eq(calendarMembers.calendarId, calendarId))

/** Deletes what these users were told about these memberships. */
export const removeNotifications = async (
  tx: Tx,
  ids: readonly number[],
  userIds: readonly number[],
): Promise<void> => {
  const isAboutOne = inArray(sql`(${notifications.data} ->> 'invite_id')::integer`, [...ids])
  await tx.delete(notifications).where(and(inArray(notifications.userId, [...userIds]), isAboutOne))
}

/** The accepted membership of a user in a calendar. */
export async function findOwn(
  db: Db | Tx,
  { calendarId, userId }: { readonly calendarId: number; readonly userId: number },
): Promise<number | undefined> {
  const [row] = await db
    .select({ id: calendarMembers.id })
    .from(calendarMembers)
    .where(and(eq(calendarMembers.calendarId, calendarId), isAcceptedBy(userId)))
  return row?.id
}
