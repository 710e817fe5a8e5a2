import type { administer } from './database'
import { until } from './service'

const WAIT_MS = 10_000

/** Resolves once `count` others wait for a lock in the database that `sql` is connected to. */
export const lockWaiters = (sql: ReturnType<typeof administer>, count = 1) =>
  until(
    async () => {
      const [row] = await sql`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      return row?.['count'] >= count
    },
    WAIT_MS,
    `${count} wait for a lock in the database`,
  )
