import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns'

/** When a daily job last finished, and until when an instance has claimed it. */
export const jobRuns = pgTable('job_runs', {
  job: text().primaryKey(),
  lastRunAt: instant(),
  leasedUntil: instant(),
})
