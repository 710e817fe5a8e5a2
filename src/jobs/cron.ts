import { cron } from '@elysiajs/cron'
import { Elysia } from 'elysia'
import type { Jobs } from './schedule'

/** At the start of each minute (contract: push.delivery). */
const EVERY_MINUTE = '0 * * * * *'

/**
 * Runs the jobs on a schedule in the machine's time zone. Returns a function that stops the schedule and waits for running jobs.
 */
export function startCron(jobs: Jobs, pattern = EVERY_MINUTE): () => Promise<void> {
  const { store } = new Elysia({ name: 'jobs' }).use(cron({ name: 'jobs', pattern, run: () => jobs.tick() }))
  return async () => {
    store.cron.jobs.stop()
    await jobs.stop()
  }
}
