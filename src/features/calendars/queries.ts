import { and, eq } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { alphabetical } from '../../db/alphabetical'
import type { Db, Tx } from '../../db/client'
import { calendars, users } from '../../db/schema'

export type CalendarRow = typeof calendars.$inferSelect

export const insertAll = async (tx: Tx, rows: Array<typeof calendars.$inferInsert>): Promise<void> => {
  await tx.insert(calendars).values(rows)
}

export async function insert(tx: Tx, row: typeof calendars.$inferInsert): Promise<CalendarRow> {
  const [created] = await tx.insert(calendars).values(row).returning()
  if (!created) throw new Error('insert returned no row')
  return created
}

const withOwner = { calendar: calendars, networkName: users.networkName }

/** The calendars of a user, by name without regard to case. */
export const listOf = (db: Db, userId: number) =>
  db
    .select(withOwner)
    .from(calendars)
    .innerJoin(users, eq(users.id, calendars.userId))
    .where(eq(calendars.userId, userId))
    .orderBy(alphabetical(calendars.name), calendars.id)

export const find = async (db: Db, userId: number, id: number) =>
  (
    await db
      .select(withOwner)
      .from(calendars)
      .innerJoin(users, eq(users.id, calendars.userId))
      .where(and(eq(calendars.id, id), eq(calendars.userId, userId)))
  )[0]

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

/** `calendar` is locked. */
export async function update(
  tx: Tx,
  { id }: CalendarRow,
  set: PgUpdateSetSource<typeof calendars>,
): Promise<CalendarRow> {
  const [row] = await tx.update(calendars).set(set).where(eq(calendars.id, id)).returning()
  if (!row) throw new Error('update returned no row')
  return row
}

/** With its events: they cascade. `calendar` is locked. */
export async function remove(tx: Tx, { id }: CalendarRow): Promise<void> {
  await tx.delete(calendars).where(eq(calendars.id, id))
}
