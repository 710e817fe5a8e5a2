import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Sorts names alphabetically, ignoring case, in every locale of the database. */
export const alphabetical = (name: SQLWrapper): SQL<string> =>
  sql`lower(${name} collate "und-x-icu") collate "und-x-icu"`

/** Sorts by bytes, in every locale of the database; meant for names with a small alphabet. */
export const inByteOrder = (name: SQLWrapper): SQL<string> => sql`${name} collate "C"`
