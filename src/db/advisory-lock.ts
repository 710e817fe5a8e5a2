import { sql } from 'drizzle-orm'
import type { Tx } from './client'

/** Locks of the whole service, held until the transaction ends. */
const LOCKS = { setup: 6_742_002 } as const

/** Waits until no other transaction holds the lock. */
export async function takeLock(tx: Tx, name: keyof typeof LOCKS): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS[name]})`)
}
