import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Names as people sort them, without regard to case, whatever the locale of the database is. */
export const alphabetical = (name: SQLWrapper): SQL<string> =>
  sql`lower(${name} collate "und-x-icu") collate "und-x-icu"`

/** Names in the order of their bytes, whatever the locale of the database is: for those of a small alphabet. */
export const inByteOrder = (name: SQLWrapper): SQL<string> => sql`${name} collate "C"`
