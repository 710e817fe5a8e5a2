import { gt, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { ById } from '../lib/wire/page'
import { among } from './among'

/**
 * The id, to page through what one user has. The sum keeps PostgreSQL from walking through all rows by their ids, those of others
 * included, until it has found enough.
 */
export const idOf = (id: SQLWrapper): SQL => sql`${id} + 0`

/** Whether a row with this id is among those that are wanted; the order is by `idOf`, and `mostOf` the limit. */
export const isSelected = (id: AnyPgColumn, by: ById): SQL =>
  'ids' in by ? among(id, by.ids) : gt(idOf(id), by.afterId)

/** The most rows that are wanted. */
export const mostOf = (by: ById): number => ('ids' in by ? by.ids.length : by.limit)
