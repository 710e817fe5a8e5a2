import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { people } from '../../db/schema'

/** Everybody in the user's address book whose birthday is known. */
export const withBirthday = (db: Db, userId: number) =>
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
    .where(and(eq(people.userId, userId), isNotNull(people.birthday)))
    .orderBy(people.id)
