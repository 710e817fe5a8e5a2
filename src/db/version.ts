import { inArray, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { ExpectedVersions } from '../lib/wire/versions'

/** Condition of a write with `If-Match`: the row still has one of the versions that the caller has read. */
export const versionIs = (column: AnyPgColumn, expected: ExpectedVersions): SQL | undefined =>
  expected && inArray(column, [...expected])
