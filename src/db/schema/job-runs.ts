import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns'

/** When a daily job last ran to its end, and until when an instance is at it. */
export const jobRuns = pgTable('job_runs', {
  job: text().primaryKey(),
  lastRunAt: instant(),
  leasedUntil: instant(),
})
