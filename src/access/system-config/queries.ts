import type { Db, Tx } from '../../db/client'
import { systemConfig } from '../../db/schema'

export type ConfigRow = typeof systemConfig.$inferSelect

export const find = async (db: Db | Tx): Promise<ConfigRow | undefined> =>
  (await db.select().from(systemConfig))[0]

/** Inserts the configuration with all flags false, unless there is one already. */
export const insertDefaults = async (tx: Tx, now: Date): Promise<void> => {
  await tx.insert(systemConfig).values({ updatedAt: now }).onConflictDoNothing()
}
