import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { people } from './schema'

/**
 * Condition for prepared statements: people of `userId` with a known birthday; with `onDays`, only those born on one of the
 * `monthDays`.
 */
export const isCelebrated = (onDays: boolean) =>
  and(
    eq(people.userId, sql.placeholder('userId')),
    isNotNull(people.birthday),
    onDays
      ? sql`right(${people.birthday}, 5) = any(string_to_array(${sql.placeholder('monthDays')}::text, ','))`
      : undefined,
  )

/** The parameters of `isCelebrated`; days as `MM-DD`. */
export const celebratedValues = (userId: number, monthDays: readonly string[] | undefined) => ({
  userId,
  monthDays: monthDays?.join() ?? '',
})
