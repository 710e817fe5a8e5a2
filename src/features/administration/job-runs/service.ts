import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { addMinutes } from '../../../lib/time/time'
import * as q from './queries'
import { lastDue } from './rules'

const LEASE_MINUTES = 10

/** Steps of a job that runs once a day. */
type Steps = ReadonlyArray<() => Promise<unknown>>

/**
 * Runs the steps one after the other if the job has not run since 03:00, on one instance; whoever is stopped or killed meanwhile
 * leaves it to the next. A step that fails keeps no other from running.
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
