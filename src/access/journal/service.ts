import type { Db } from '../../db/client'
import type { JournalStanding } from '../../db/journal-standing'
import { inBatches, type IsStopping } from '../../db/batches'
import type { Deps } from '../../deps'
import { addDays } from '../../lib/time/time'
import * as q from './queries'
import { DELETIONS_KEPT_DAYS, type Journal } from './rules'

/** Begins another journal: every cursor that was given out is refused from now on, and its client starts again. */
export const renewEpoch = ({ db }: Pick<Deps, 'db'>): Promise<void> => q.renewEpoch(db)

/** Forgets old deletions, and items that went with what contained them. Returns how many. */
export async function purgeJournal(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> {
  const before = addDays(clock.now(), -DELETIONS_KEPT_DAYS)
  const deletions = await inBatches(db, (tx, limit) => q.forgetDeletions(tx, before, limit), isStopping)
  await inBatches(db, (tx, limit) => q.mergeSwitches(tx, before, limit), isStopping)
  const scopes = await inBatches(db, q.forgetScopes, isStopping)
  return deletions + scopes + (await inBatches(db, q.forgetOrphans, isStopping))
}

/** How many items the journal knows, about. */
export const journalSize = ({ db }: Pick<Deps, 'db'>): Promise<number> => q.estimateSize(db)

/** What a statement reads of the journal's life. */
interface JournalState extends Pick<JournalStanding, 'epoch' | 'serverStart'> {
  /** The latest timeline that the statement has met. */
  readonly timeline: number
}

/** The names of the database server on its timelines, and when it was started: other ones come with another start. */
let known: { readonly start: string; readonly branches: readonly string[] } = { start: '', branches: [] }

/** This journal: another one begins with a restore, and with `new-epoch`. */
export async function journalOf(db: Db, { epoch, serverStart, timeline }: JournalState): Promise<Journal> {
  if (known.start !== serverStart || known.branches.length < timeline)
    known = { start: serverStart, branches: await q.readBranches(db, timeline) }
  return { epoch, branches: known.branches }
}
