import { isLockTimeout, isRetryable } from '../lib/database-failure'
import { AppError, OvertakenError } from '../lib/errors'
import type { Db, Tx } from './client'
import { passedQuota, refusalOfQuota } from './quotas'
import type { CountedKind } from './schema'

const ATTEMPTS = 3

/**
 * Runs `work` in one transaction.
 *
 * `work` runs again, as if it had come later, when the database ends it because of a deadlock or a serialisation conflict, when a
 * record that it refers to is deleted meanwhile, or when it throws an `OvertakenError`; and when it has waited in vain for a lock,
 * which an undo of many records may hold for longer than one wait.
 * A write that exceeds a quota is refused, whoever writes. `writerId` names the writer when the records may belong to another
 * user.
 * If you lock a user's row, lock it before any other row of that user.
 *
 * Throwing inside `work` rolls everything back. To refuse a request *and* keep what was written, use `decideInTransaction`.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>, writerId?: number): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(async (tx) => {
        const result = await work(tx)
        await endings.get(tx)?.(result)
        return result
      })
    } catch (error) {
      if (attempt < ATTEMPTS && isWorthAnother(error)) continue
      throw refusalOfQuota(error, writerId) ?? error
    }
  }
}

const isWorthAnother = (error: unknown): boolean =>
  isRetryable(error) || isLockTimeout(error) || error instanceof OvertakenError

type Ending = (result: unknown) => Promise<void>
const endings = new WeakMap<Tx, Ending>()

/** Runs `ending` with the result of the transaction's work, before it commits. */
export const beforeCommit = (tx: Tx, ending: Ending): void => void endings.set(tx, ending)

/** Runs `work`, which only reads, so that all its statements see the same moment. */
export const inSnapshot = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction(work, { isolationLevel: 'repeatable read', accessMode: 'read only' })

/**
 * Like `inTransaction`, but `work` can refuse and still keep what it wrote (a counter, an audit row): a refusal that it returns
 * is thrown after the commit.
 */
export async function decideInTransaction<T>(db: Db, work: (tx: Tx) => Promise<T | AppError>): Promise<T> {
  const decision = await inTransaction(db, work)
  if (decision instanceof AppError) throw decision
  return decision
}

/** Runs an optional write. If it exceeds the quota of this kind, it is rolled back, and the transaction goes on. */
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
