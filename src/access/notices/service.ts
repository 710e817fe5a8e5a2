import type { Tx } from '../../db/client'
import * as q from './queries'

interface NewNotification {
  readonly userId: number
  readonly type: q.Subject['type']
  readonly title: string
  readonly message: string
  /** Ids of the records that it is about: `{ request_id }`, `{ event_id, invitation_id }` and the like. */
  readonly data?: q.Subject['data']
  readonly at: Date
}

/**
 * Notifies a user within the caller's transaction. Replaces the user's unread notification of this type about the same
 * event, invite, request or connection (contract: notifications.unread); an invitee's answer replaces only an earlier
 * answer of the same invitee.
 */
export const notify = (tx: Tx, notification: NewNotification): Promise<void> => notifyAll(tx, [notification])

/** Like `notify`, in place of an unread notification with the same title: only the last of several changes still holds. */
export async function notifyOfLast(tx: Tx, notification: NewNotification): Promise<void> {
  await q.removeUnread(tx, { data: {}, ...notification })
  await notify(tx, notification)
}

/** Like `notify` for many notifications in few statements. No two of them may tell the same user about the same thing. */
export const notifyAll = (tx: Tx, all: readonly NewNotification[]): Promise<void> =>
  q.putAll(
    tx,
    all.map(({ data = {}, at, ...rest }) => ({ ...rest, data, createdAt: at })),
  )

/** Marks the notifications about the subject as read, because the user has dealt with it. */
export const markHandled = (tx: Tx, subject: q.Subject): Promise<void> => q.markReadAbout(tx, subject)

/** Deletes the notifications about a subject that no longer exists, read or unread. */
export const withdraw = (tx: Tx, subject: q.Subject): Promise<void> => q.removeAbout(tx, subject)
