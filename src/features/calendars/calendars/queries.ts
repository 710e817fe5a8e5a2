import { and, eq, gt, ne, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { alphabetical } from '../../../db/alphabetical'
import { among } from '../../../db/among'
import type { Db, Tx } from '../../../db/client'
import { calendarFeeds, calendarMembers, calendars, users } from '../../../db/schema'
import { isAcceptedBy, isVisibleTo } from '../../../db/visible-calendars'
import type { PageById, TextKey } from '../../../lib/wire/page'

export type CalendarRow = typeof calendars.$inferSelect
export type MembershipRow = typeof calendarMembers.$inferSelect

export const insertAll = async (tx: Tx, rows: Array<typeof calendars.$inferInsert>): Promise<void> => {
  await tx.insert(calendars).values(rows)
}

export async function insert(tx: Tx, row: typeof calendars.$inferInsert): Promise<CalendarRow> {
  const [created] = await tx.insert(calendars).values(row).returning()
  if (!created) throw new Error('insert returned no row')
  return created
}

const order = alphabetical(calendars.name)

/** Calendars with the user's membership, the owner's name, and the feed if the user owns the calendar. */
const selected = (db: Db | Tx, userId: number) =>
  db
    .select({
      calendar: calendars,
      membership: calendarMembers,
      feed: { createdAt: calendarFeeds.createdAt, lastReadAt: calendarFeeds.lastReadAt },
      networkName: users.networkName,
      sortValue: order,
    })
    .from(calendars)
    .innerJoin(users, eq(users.id, calendars.userId))
    .leftJoin(calendarMembers, and(eq(calendarMembers.calendarId, calendars.id), isAcceptedBy(userId)))
    .leftJoin(calendarFeeds, and(eq(calendarFeeds.calendarId, calendars.id), eq(calendars.userId, userId)))

/** Returns up to `limit` rows after the key: own and shared calendars, by name without regard to case. */
export const list = (db: Db, userId: number, after: TextKey | undefined, limit: number) =>
  selected(db, userId)
    .where(
      and(
        isVisibleTo(db, userId),
        after && sql`(${order}, ${calendars.id}) > (${after[0]}, ${after[1]}::integer)`,
      ),
    )
    .orderBy(order, calendars.id)
    .limit(limit)

/** Returns the user's own calendars, by id. */
export const pageById = (db: Db, userId: number, { afterId, limit }: PageById) =>
  selected(db, userId)
    .where(and(eq(calendars.userId, userId), gt(calendars.id, afterId)))
    .orderBy(calendars.id)
    .limit(limit)

/** Returns own and shared calendars with these ids. */
export const listNamed = (db: Db, userId: number, ids: readonly number[]) =>
  selected(db, userId).where(and(isVisibleTo(db, userId), among(calendars.id, ids)))

/** `membership` is null for the owner, `feed` for members. */
export type SeenRow = Omit<Awaited<ReturnType<typeof list>>[number], 'sortValue'>

export const find = async (db: Db | Tx, userId: number, id: number): Promise<SeenRow | undefined> =>
  (await selected(db, userId).where(and(eq(calendars.id, id), isVisibleTo(db, userId))))[0]

export async function names(tx: Tx, userId: number, exceptId: number | undefined): Promise<string[]> {
  const isOther = exceptId === undefined ? undefined : ne(calendars.id, exceptId)
  const rows = await tx
    .select({ name: calendars.name })
    .from(calendars)
    .where(and(eq(calendars.userId, userId), isOther))
  return rows.map(({ name }) => name)
}

/** Returns undefined when the membership was deleted together with its calendar. */
export const updateMembership = async (
  tx: Tx,
  { id }: MembershipRow,
  set: PgUpdateSetSource<typeof calendarMembers>,
): Promise<MembershipRow | undefined> =>
  (await tx.update(calendarMembers).set(set).where(eq(calendarMembers.id, id)).returning())[0]

export const lock = async (tx: Tx, userId: number, id: number): Promise<CalendarRow | undefined> =>
  (
    await tx
      .select()
      .from(calendars)
      .where(and(eq(calendars.id, id), eq(calendars.userId, userId)))
      .for('update')
  )[0]

export async function clearDefault(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx
    .update(calendars)
    .set({ isDefault: false, updatedAt: now })
    .where(and(eq(calendars.userId, userId), eq(calendars.isDefault, true)))
}

/** The calendar is locked. */
export async function update(
  tx: Tx,
  { id }: CalendarRow,
  set: PgUpdateSetSource<typeof calendars>,
): Promise<CalendarRow> {
  const [row] = await tx.update(calendars).set(set).where(eq(calendars.id, id)).returning()
  if (!row) throw new Error('update returned no row')
  return row
}

/** The calendar's events cascade. The calendar is locked. */
export async function remove(tx: Tx, { id }: CalendarRow): Promise<void> {
  await tx.delete(calendars).where(eq(calendars.id, id))
}
