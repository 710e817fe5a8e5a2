import type { Tx } from '../../db/client'
import * as q from './queries'

interface NewSettings {
  readonly userId: number
  readonly preferredName: string | null
  readonly now: Date
}

/** Every user has settings from the moment that there is a user (specification 2.4). */
export const createSettings = (tx: Tx, { userId, preferredName, now }: NewSettings): Promise<void> =>
  q.insert(tx, { userId, preferredName, createdAt: now, updatedAt: now })
