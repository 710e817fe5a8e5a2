import type { Tx } from '../../db/client'
import type { NotificationType } from '../../db/schema'
import * as q from './queries'

interface NewNotification {
  readonly userId: number
  readonly type: NotificationType
  readonly title: string
  readonly message: string
  /** What it is about, by id: `{ request_id }`, `{ event_id, invitation_id }` and the like. */
  readonly data?: Readonly<Record<string, number>>
  readonly at: Date
}

/** Tells a user something within the operation's transaction (specification 6.2). */
export const notify = (tx: Tx, { data = {}, at, ...rest }: NewNotification): Promise<void> =>
  q.insert(tx, { ...rest, data, createdAt: at })
