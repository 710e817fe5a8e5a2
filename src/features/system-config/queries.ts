import type { Tx } from '../../db/client'
import { systemConfig } from '../../db/schema'

/** All flags false, unless there is a configuration already. */
export const insertDefaults = async (tx: Tx, now: Date): Promise<void> => {
  await tx.insert(systemConfig).values({ updatedAt: now }).onConflictDoNothing()
}
