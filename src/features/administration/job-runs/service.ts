import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { addMinutes } from '../../../lib/time/time'
import * as q from './queries'
import { lastDue } from './rules'

const LEASE_MINUTES = 10

/** The steps of a daily job. */
type Steps = ReadonlyArray<() => Promise<unknown>>

/**
 * Runs the steps in sequence if the job has not run since 03:00, on one instance only. If this instance stops or is
 * killed, the next one runs the job again. A failing step does not keep the others from running.
 */
export async function runDaily(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  job: string,
  steps: Steps,
  isStopping: () => boolean,
): Promise<void> {
  const { db, clock, config } = deps
  const now = clock.now()
  const dueAt = lastDue(config.timeZone, now)
  const leasedUntil = addMinutes(now, LEASE_MINUTES)
  if (!(await inTransaction(db, (tx) => q.lease(tx, job, { now, dueAt, leasedUntil })))) return
  const failures: unknown[] = []
  for (const step of steps) {
    if (!isStopping()) await step().catch((error: unknown) => failures.push(error))
  }
  const isDone = failures.length === 0 && !isStopping()
  await inTransaction(db, (tx) => q.release(tx, job, isDone ? dueAt : undefined))
  if (failures.length > 0) throw failures[0]
}
