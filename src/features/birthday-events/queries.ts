import { celebratedValues, isCelebrated } from '../../db/birthdays'
import type { Db } from '../../db/client'
import { prepared } from '../../db/prepared'
import { people } from '../../db/schema'

const celebrated = prepared((db, onDays: boolean) =>
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
    .where(isCelebrated(onDays))
    .orderBy(people.id)
    .prepare('birthday_events'),
)

/** Everybody in the user's address book whose birthday is known and, where `MM-DD`s are given, on one of these. */
export const withBirthday = (db: Db, userId: number, monthDays?: readonly string[]) =>
  celebrated(db, monthDays !== undefined).execute(celebratedValues(userId, monthDays))
