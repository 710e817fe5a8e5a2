import { and, gt, sql } from 'drizzle-orm'
import { celebratedValues, isCelebrated } from '../../../db/birthdays'
import type { Db } from '../../../db/client'
import { prepared } from '../../../db/prepared'
import { people } from '../../../db/schema'

const celebrated = prepared((db, onDays: boolean, limit: number) =>
  db
    .select({
      id: people.id,
      firstName: people.firstName,
      lastName: people.lastName,
      nickname: people.nickname,
      birthday: people.birthday,
      version: people.version,
      createdAt: people.createdAt,
      updatedAt: people.updatedAt,
    })
    .from(people)
    .where(and(isCelebrated(onDays), gt(people.id, sql.placeholder('afterId'))))
    // Keeps the planner from using the index of ids, which knows nothing of users.
    .orderBy(sql`${people.id} + 0`)
    .limit(limit)
    .prepare('birthday_events'),
)

/** People in one query. */
export const PAGE = 2000

/**
 * Returns the user's next people with a birthday, by id; with `monthDays` (`MM-DD`), only those on these days.
 */
export const withBirthday = (
  db: Db,
  userId: number,
  monthDays: readonly string[] | undefined,
  afterId: number,
) =>
  celebrated(db, monthDays !== undefined, PAGE).execute({ ...celebratedValues(userId, monthDays), afterId })
