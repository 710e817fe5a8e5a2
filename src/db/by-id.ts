import { gt, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { ById } from '../lib/wire/page'
import { among } from './among'

/** Whether a row with this id is among those that are wanted; the order is by id, and `mostOf` the limit. */
export const isSelected = (id: AnyPgColumn, by: ById): SQL =>
  'ids' in by ? among(id, by.ids) : gt(id, by.afterId)

/** The most rows that are wanted. */
export const mostOf = (by: ById): number => ('ids' in by ? by.ids.length : by.limit)
