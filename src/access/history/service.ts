import { inBatches, type IsStopping } from '../../db/batches'
import type { Deps } from '../../deps'
import { addDays } from '../../lib/time/time'
import * as q from './queries'

/**
 * Begins or stops to keep rows as they were, for all instances: the one that starts last decides (contract: undo.history). What was
 * kept before then goes: it says nothing of what changes while nothing is kept.
 */
export async function keepHistory({ db, clock }: Pick<Deps, 'db' | 'clock'>, days: number): Promise<void> {
  if (!(await q.setKeeping(db, days > 0))) return
  const tomorrow = addDays(clock.now(), 1)
  await inBatches(db, (tx, limit) => q.purge(tx, tomorrow, limit))
}

/** What was kept before is neither shown nor put back: `HISTORY_DAYS` ago (contract: undo.history). */
export const keptSince = ({ clock, config }: Pick<Deps, 'clock' | 'config'>): Date =>
  addDays(clock.now(), -config.historyDays)

/** Deletes what is older than `HISTORY_DAYS`. Returns how many rows. */
export const purgeHistory = (
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  isStopping?: IsStopping,
): Promise<number> => {
  const since = keptSince({ clock, config })
  return inBatches(db, (tx, limit) => q.purge(tx, since, limit), isStopping)
}

/** How many rows the history has, about, and how many bytes they take. */
export const historySize = ({ db }: Pick<Deps, 'db'>) => q.estimateSize(db)
