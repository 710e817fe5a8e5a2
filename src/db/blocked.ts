import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { blocks } from './schema'

/** Whether either of the two users has blocked the other. Each is then invisible to the other. */
export const isBlockedBetween = (one: number | SQLWrapper, other: number | SQLWrapper): SQL<boolean> =>
  sql`exists (
    select from ${blocks} where (${blocks.userId} = ${one} and ${blocks.blockedUserId} = ${other})
      or (${blocks.userId} = ${other} and ${blocks.blockedUserId} = ${one}))`
