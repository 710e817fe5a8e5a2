import { cron } from '@elysiajs/cron'
import { Elysia } from 'elysia'
import type { Jobs } from './schedule'

/** Every 60 s (contract: push.delivery): at the beginning of each minute. */
const EVERY_MINUTE = '0 * * * * *'

/** Ticks the jobs, in time as the machine has it; answers how to end that, which waits for what runs. */
export function startCron(jobs: Jobs, pattern = EVERY_MINUTE): () => Promise<void> {
  const { store } = new Elysia({ name: 'jobs' }).use(cron({ name: 'jobs', pattern, run: () => jobs.tick() }))
  return async () => {
    store.cron.jobs.stop()
    await jobs.stop()
  }
}
