import type { Db, Tx } from './client'

/**
 * Runs `work` in one transaction.
 *
 * Throwing inside `work` rolls everything back. To refuse a request *and* keep what was written (a failed-login
 * counter, an audit row), return an outcome and throw after this resolves.
 */
export const inTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> => db.transaction(work)
