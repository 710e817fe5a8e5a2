import { inBatches, type IsStopping } from '../../db/batches'
import type { Deps } from '../../deps'
import { addDays } from '../../lib/time/time'
import * as q from './queries'
import { DELETIONS_KEPT_DAYS } from './rules'

/** Begins another journal: every cursor that was given out is refused from now on, and its client starts again. */
export const renewEpoch = ({ db }: Pick<Deps, 'db'>): Promise<void> => q.renewEpoch(db)

/** Forgets old deletions, and items that went with what contained them. Returns how many. */
export async function purgeJournal(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> {
  const before = addDays(clock.now(), -DELETIONS_KEPT_DAYS)
  const deletions = await inBatches(db, (tx, limit) => q.forgetDeletions(tx, before, limit), isStopping)
  return deletions + (await inBatches(db, q.forgetOrphans, isStopping))
}
