import { DatabaseSync } from 'node:sqlite'

/*
 * Locks between processes, on an empty SQLite file. The kernel releases them when the holder dies, even by SIGKILL, so no lock
 * is ever stale. A file created with O_EXCL would stay behind.
 */

const POLL_MS = 20

export interface HeldLock {
  release(): void
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function tryLock(path: string, statement: string): HeldLock | null {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path)
    db.exec(statement)
    const held = db
    return { release: () => held.close() }
  } catch (error) {
    db?.close()
    const reason = error instanceof Error ? error.message : String(error)
    if (reason.includes('database is locked')) return null
    throw new Error(`The lock file ${path} cannot be used: ${reason}`, { cause: error })
  }
}

/** Takes the exclusive lock; null while anybody else holds it, exclusively or shared. */
export const tryLockAlone = (path: string): HeldLock | null => tryLock(path, 'begin exclusive')

/** Takes the shared lock; null while somebody holds it exclusively. */
export const tryLockTogether = (path: string): HeldLock | null =>
  tryLock(path, 'begin; select count(*) from sqlite_schema')

/** Runs `work` under the exclusive lock on `path`. It waits at most `waitMs` for the lock. */
export async function withLock<T>(path: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + waitMs
  let lock = tryLockAlone(path)
  while (lock === null) {
    if (performance.now() > deadline) {
      throw new Error(`Another process has held ${path} for more than ${waitMs / 1000} seconds.`)
    }
    await sleep(POLL_MS)
    lock = tryLockAlone(path)
  }
  try {
    return await work()
  } finally {
    lock.release()
  }
}
