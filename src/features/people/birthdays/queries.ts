import { celebratedValues, isCelebrated } from '../../../db/birthdays'
import type { Db } from '../../../db/client'
import { prepared } from '../../../db/prepared'
import { people } from '../../../db/schema'

const celebrated = prepared((db, onDays: boolean) =>
  db
    .select({
      id: people.id,
      firstName: people.firstName,
      lastName: people.lastName,
      nickname: people.nickname,
      birthday: people.birthday,
    })
    .from(people)
    .where(isCelebrated(onDays))
    .prepare('birthdays_celebrated'),
)

/** The user's people with a known birthday; if `MM-DD`s are given, only those born on one of these days. */
export const list = (db: Db, userId: number, monthDays?: readonly string[]) =>
  celebrated(db, monthDays !== undefined).execute(celebratedValues(userId, monthDays))
