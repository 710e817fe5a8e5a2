import { isRetryable } from '../lib/database-failure'
import { AppError, OvertakenError } from '../lib/errors'
import type { Db, Tx } from './client'
import { passedQuota, refusalOfQuota } from './quotas'
import type { CountedKind } from './schema'

const ATTEMPTS = 3

/**
 * Runs `work` in one transaction.
 *
 * The database may choose it as the victim of a deadlock or a conflict, what it refers to may be deleted meanwhile, or `work`
 * throws an `OvertakenError`: then it runs again, as if it had come later.
 * What would pass a quota is refused, whoever writes it: `writerId` names the writer where the records may be somebody else's.
 * Who locks a user's row locks it before any other row of that user.
 *
 * Throwing inside `work` rolls everything back. To refuse a request *and* keep what was written, see
 * `decideInTransaction`.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>, writerId?: number): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work)
    } catch (error) {
      if (attempt < ATTEMPTS && (isRetryable(error) || error instanceof OvertakenError)) continue
      throw refusalOfQuota(error, writerId) ?? error
    }
  }
}

/**
 * The same for who refuses and records: a refusal that `work` returns is thrown once what it wrote (a counter, an audit
 * row) is kept.
 */
export async function decideInTransaction<T>(db: Db, work: (tx: Tx) => Promise<T | AppError>): Promise<T> {
  const decision = await inTransaction(db, work)
  if (decision instanceof AppError) throw decision
  return decision
}

/** Writes what may be left out: where it is one record too many of the kind, nothing of it is kept, and the rest goes on. */
export async function writeWithinQuota(
  tx: Tx,
  kind: CountedKind,
  write: (tx: Tx) => Promise<void>,
): Promise<void> {
  try {
    await tx.transaction(write)
  } catch (error) {
    if (passedQuota(error)?.kind !== kind) throw error
  }
}
