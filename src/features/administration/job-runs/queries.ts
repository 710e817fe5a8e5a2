import { and, eq, gt, isNull, lt, lte, or } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import { jobRuns } from '../../../db/schema'

interface Turn {
  readonly now: Date
  readonly dueAt: Date
  readonly leasedUntil: Date
}

/**
 * Leases a job if it has not run since `dueAt` and no instance holds a lease. Returns whether it did. A stored time
 * further ahead than any that is ever written comes from a clock that was ahead, and is ignored.
 */
export async function lease(tx: Tx, job: string, { now, dueAt, leasedUntil }: Turn): Promise<boolean> {
  await tx.insert(jobRuns).values({ job }).onConflictDoNothing()
  const leased = await tx
    .update(jobRuns)
    .set({ leasedUntil })
    .where(
      and(
        eq(jobRuns.job, job),
        or(isNull(jobRuns.lastRunAt), lt(jobRuns.lastRunAt, dueAt), gt(jobRuns.lastRunAt, now)),
        or(isNull(jobRuns.leasedUntil), lte(jobRuns.leasedUntil, now), gt(jobRuns.leasedUntil, leasedUntil)),
      ),
    )
    .returning({ job: jobRuns.job })
  return leased.length > 0
}

export const release = async (tx: Tx, job: string, lastRunAt?: Date): Promise<void> => {
  await tx.update(jobRuns).set({ leasedUntil: null, lastRunAt }).where(eq(jobRuns.job, job))
}
