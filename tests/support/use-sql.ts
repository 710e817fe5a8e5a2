import { administer } from './database'
import type { Harness } from './harness'
import { type Per, useStarted } from './use-started'

export type Sql = ReturnType<typeof administer>

/** SQL on the database of the harness, which is there as long, without the service's time-outs. */
export const useSql = (h: Pick<Harness, 'url'>, per: Per = 'file'): Sql =>
  useStarted<Sql>(
    per,
    () => administer(h.url),
    (sql) => sql.end({ timeout: 5 }),
  )
