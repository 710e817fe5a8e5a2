import type { Tx } from '../../db/client'
import { calendars } from '../../db/schema'

export const insertAll = async (tx: Tx, rows: Array<typeof calendars.$inferInsert>): Promise<void> => {
  await tx.insert(calendars).values(rows)
}
