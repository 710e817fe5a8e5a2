import { DatabaseSync } from 'node:sqlite'

/*
 * Locks between processes, on an empty SQLite file: the kernel drops them when their holder dies, even by SIGKILL,
 * so there is no stale lock to recognise, which a file made with O_EXCL cannot promise.
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

/** Alone, or null while anybody else holds the lock in either form. */
export const tryLockAlone = (path: string): HeldLock | null => tryLock(path, 'begin exclusive')

/** Together with others who hold it this way, or null while somebody holds it alone. */
export const tryLockTogether = (path: string): HeldLock | null =>
  tryLock(path, 'begin; select count(*) from sqlite_schema')

/** Runs `work` while no other process or caller does so under the same `path`; waits at most `waitMs` for its turn. */
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
