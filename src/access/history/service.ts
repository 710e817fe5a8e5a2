import { inBatches, type IsStopping } from '../../db/batches'
import type { Db } from '../../db/client'
import type { Deps } from '../../deps'
import { addDays } from '../../lib/time/time'
import * as q from './queries'

/** Begins or stops to keep rows as they were, for all instances: the one that starts last decides (contract: undo.history). */
export const keepHistory = (db: Db, days: number): Promise<void> => q.setKeeping(db, days > 0)

/** Deletes what is older than `HISTORY_DAYS`. Returns how many rows. */
export const purgeHistory = (
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  isStopping?: IsStopping,
): Promise<number> =>
  inBatches(db, (tx, limit) => q.purge(tx, addDays(clock.now(), -config.historyDays), limit), isStopping)
