import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { prepared } from '../../db/prepared'
import { people } from '../../db/schema'

const isOneOfDays = sql`right(${people.birthday}, 5) = any(string_to_array(${sql.placeholder('monthDays')}::text, ','))`

const birthdays = prepared((db, isLimited: boolean) =>
  db
    .select({
      firstName: people.firstName,
      lastName: people.lastName,
      nickname: people.nickname,
      birthday: people.birthday,
      version: people.version,
      createdAt: people.createdAt,
      updatedAt: people.updatedAt,
    })
    .from(people)
    .where(
      and(
        eq(people.userId, sql.placeholder('userId')),
        isNotNull(people.birthday),
        isLimited ? isOneOfDays : undefined,
      ),
    )
    .orderBy(people.id)
    .prepare('birthday_events'),
)

/** Everybody in the user's address book whose birthday is known and, where `MM-DD`s are given, on one of these. */
export const withBirthday = (db: Db, userId: number, monthDays?: readonly string[]) =>
  birthdays(db, monthDays !== undefined).execute({ userId, monthDays: monthDays?.join() ?? '' })
