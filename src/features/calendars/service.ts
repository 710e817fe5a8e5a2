import type { Tx } from '../../db/client'
import * as q from './queries'
import { FIRST_CALENDARS } from './rules'

export const createFirstCalendars = (tx: Tx, { userId, now }: { userId: number; now: Date }): Promise<void> =>
  q.insertAll(
    tx,
    FIRST_CALENDARS.map((calendar) => ({ ...calendar, userId, createdAt: now, updatedAt: now })),
  )
