import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { blocks } from './schema'

/** Whether either of the two users has blocked the other: to each the other is as if absent. */
export const isBlockedBetween = (one: number | SQLWrapper, other: number | SQLWrapper): SQL<boolean> =>
  sql`exists (
    select from ${blocks} where (${blocks.userId} = ${one} and ${blocks.blockedUserId} = ${other})
      or (${blocks.userId} = ${other} and ${blocks.blockedUserId} = ${one}))`
