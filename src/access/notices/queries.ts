import { and, eq, not, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client'
import { notifications, type NotificationType } from '../../db/schema'

/** Identifies notifications by user, type and the records that they are about. */
export interface Subject {
  readonly userId: number
  readonly type: NotificationType
  /** Ids of the records: `{ request_id }`, `{ event_id, invitation_id }` and the like. */
  readonly data: Readonly<Record<string, number>>
}

type NotificationRow = typeof notifications.$inferInsert

/** Rows per statement, because a statement takes at most 65 535 parameters. */
const BATCH = 1000

/** An unread notification about the same subject is updated instead of adding another, and moves to the top. */
export async function putAll(tx: Tx, rows: readonly NotificationRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH) {
    await tx
      .insert(notifications)
      .values(rows.slice(start, start + BATCH))
      .onConflictDoUpdate({
        target: [notifications.userId, notifications.type, notifications.subjectId],
        targetWhere: sql`not ${notifications.isRead}`,
        set: {
          title: sql`excluded.title`,
          message: sql`excluded.message`,
          data: sql`excluded.data`,
          createdAt: sql`excluded.created_at`,
        },
      })
  }
}

const isAbout = ({ userId, type, data }: Subject) =>
  and(
    eq(notifications.userId, userId),
    eq(notifications.type, type),
    sql`${notifications.data} = ${JSON.stringify(data)}::jsonb`,
  )

/** Deletes the unread notification with the same title about the same subject. */
export const removeUnread = async (tx: Tx, subject: Subject & { readonly title: string }): Promise<void> => {
  await tx
    .delete(notifications)
    .where(and(isAbout(subject), eq(notifications.title, subject.title), not(notifications.isRead)))
}

export const markReadAbout = async (tx: Tx, subject: Subject): Promise<void> => {
  await tx.update(notifications).set({ isRead: true }).where(isAbout(subject))
}

export const removeAbout = async (tx: Tx, subject: Subject): Promise<void> => {
  await tx.delete(notifications).where(isAbout(subject))
}
