import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { reminders, reminderTexts } from '../../../db/schema'

/** The UID of a reminder for other programs. */
const uid = sql<string>`dav_uid(${reminders.uid}, 'reminder', ${reminders.id}, ${reminders.createdAt})`

const sourced = (db: Db | Tx) =>
  db
    .select({ ...getTableColumns(reminders), uid, text: reminderTexts.text, said: reminderTexts.said })
    .from(reminders)
    .leftJoin(reminderTexts, eq(reminderTexts.reminderId, reminders.id))

/** A reminder with what another program wrote of it. */
export type ReminderSource = Awaited<ReturnType<typeof findSources>>[number]

export const findSources = (db: Db | Tx, ids: readonly number[]) =>
  sourced(db)
    .where(inArray(reminders.id, [...ids]))
    .orderBy(reminders.id)

/** The reminder of the user, locked. */
export const lockSource = async (tx: Tx, userId: number, id: number): Promise<ReminderSource | undefined> =>
  (
    await sourced(tx)
      .where(and(eq(reminders.userId, userId), eq(reminders.id, id)))
      .for('no key update', { of: reminders })
  )[0]

type ReminderColumns = typeof reminders.$inferInsert

interface ReminderVersion {
  readonly id: number
  readonly version: number
}

const written = { id: reminders.id, version: reminders.version }

const one = ([row]: readonly ReminderVersion[]): ReminderVersion => {
  if (!row) throw new Error('the reminder was not written')
  return row
}

export const insert = async (tx: Tx, row: ReminderColumns): Promise<ReminderVersion> =>
  one(await tx.insert(reminders).values(row).returning(written))

/** Writes the next version. The reminder must be locked. */
export const update = async (tx: Tx, id: number, set: Partial<ReminderColumns>): Promise<ReminderVersion> =>
  one(
    await tx
      .update(reminders)
      .set({ ...set, version: sql`${reminders.version} + 1` })
      .where(eq(reminders.id, id))
      .returning(written),
  )

/** Keeps the text of a reminder, in the place of a former one. */
export async function putText(tx: Tx, row: typeof reminderTexts.$inferInsert): Promise<void> {
  await tx
    .insert(reminderTexts)
    .values(row)
    .onConflictDoUpdate({
      target: reminderTexts.reminderId,
      set: { text: sql`excluded.text`, said: sql`excluded.said` },
    })
}
