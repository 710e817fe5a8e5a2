import { inArray, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { ExpectedVersions } from '../lib/wire/versions'

/** The guard of a write that `If-Match` conditions: the row is still one that the caller has read. */
export const versionIs = (column: AnyPgColumn, expected: ExpectedVersions): SQL | undefined =>
  expected && inArray(column, [...expected])
