import type { Tx } from '../../db/client'
import * as q from './queries'

interface NewNotification {
  readonly userId: number
  readonly type: q.Subject['type']
  readonly title: string
  readonly message: string
  /** What it is about, by id: `{ request_id }`, `{ event_id, invitation_id }` and the like. */
  readonly data?: q.Subject['data']
  readonly at: Date
}

/**
 * Tells a user something within the operation's transaction . Whatever of this type about the same event,
 * invite, request or connection they have not read yet gives way to it (contract: notifications.unread); an answer only to a later one of
 * the same invitee.
 */
export const notify = (tx: Tx, notification: NewNotification): Promise<void> => notifyAll(tx, [notification])

/** The same for many, none of whom is told of one thing twice, in few statements. */
export const notifyAll = (tx: Tx, all: readonly NewNotification[]): Promise<void> =>
  q.putAll(
    tx,
    all.map(({ data = {}, at, ...rest }) => ({ ...rest, data, createdAt: at })),
  )

/** Marks as read what told the user about something that they have dealt with since. */
export const markHandled = (tx: Tx, subject: q.Subject): Promise<void> => q.markReadAbout(tx, subject)

/** Takes back silently what told the user about something that is no more, read or not. */
export const withdraw = (tx: Tx, subject: q.Subject): Promise<void> => q.removeAbout(tx, subject)
