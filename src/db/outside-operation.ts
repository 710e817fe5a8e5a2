import { sql } from 'drizzle-orm'
import type { Tx } from './client'

/** Runs `work`, which happens by itself, so that it does not count as part of the transaction's operation. */
export async function outsideOperation(tx: Tx, work: () => Promise<void>): Promise<void> {
  const [row] = await tx.execute<{ operation: string }>(
    sql`select coalesce(current_setting('organiser.operation', true), '') as operation, set_config('organiser.operation', '', true)`,
  )
  await work()
  await tx.execute(sql`select set_config('organiser.operation', ${row?.operation ?? ''}, true)`)
}
