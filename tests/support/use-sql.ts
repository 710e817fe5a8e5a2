import { administer } from './database'
import type { Harness } from './harness'
import { useStarted } from './use-started'

export type Sql = ReturnType<typeof administer>

/** SQL on the database of the harness for all tests of the file, without the service's time-outs. */
export const useSql = (h: Harness): Sql =>
  useStarted<Sql>(
    'file',
    () => administer(h.url),
    (sql) => sql.end({ timeout: 5 }),
  )
