import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { people } from '../../db/schema'

const isOn = (monthDays: readonly string[]) =>
  sql`right(${people.birthday}, 5) = any(string_to_array(${monthDays.join()}::text, ','))`

/** Everybody in the user's address book whose birthday is known and, where `MM-DD`s are given, on one of these. */
export const withBirthday = (db: Db, userId: number, monthDays?: readonly string[]) =>
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
    .where(and(eq(people.userId, userId), isNotNull(people.birthday), monthDays && isOn(monthDays)))
    .orderBy(people.id)
