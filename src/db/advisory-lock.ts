import { sql } from 'drizzle-orm'
import type { Tx } from './client'

/** Locks of the whole service, held until the end of the transaction. */
const LOCKS = { setup: 6_742_002, administrators: 6_742_003, push: 6_742_004 } as const

export type LockName = keyof typeof LOCKS

/** Waits until no other transaction holds the lock. */
export async function takeLock(tx: Tx, name: LockName): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS[name]})`)
}

/** Takes the lock if no other transaction holds it. Returns whether it did. */
export async function tryLock(tx: Tx, name: LockName): Promise<boolean> {
  const [row] = await tx.execute<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCKS[name]}) as taken`,
  )
  return row?.taken === true
}
