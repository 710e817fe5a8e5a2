import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { people } from './schema'

/**
 * For prepared statements: everybody in the address book of `userId` whose birthday is known and, where days are given, on one of
 * the `monthDays`.
 */
export const isCelebrated = (onDays: boolean) =>
  and(
    eq(people.userId, sql.placeholder('userId')),
    isNotNull(people.birthday),
    onDays
      ? sql`right(${people.birthday}, 5) = any(string_to_array(${sql.placeholder('monthDays')}::text, ','))`
      : undefined,
  )

/** What `isCelebrated` is given; days as `MM-DD`. */
export const celebratedValues = (userId: number, monthDays: readonly string[] | undefined) => ({
  userId,
  monthDays: monthDays?.join() ?? '',
})
