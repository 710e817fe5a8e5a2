import { sql } from 'drizzle-orm'
import { type AnyPgColumn, check, integer, timestamp } from 'drizzle-orm/pg-core'

export const id = () => integer().primaryKey().generatedAlwaysAsIdentity()

/** An instant, to the millisecond that JavaScript's `Date` can hold. */
export const instant = () => timestamp({ mode: 'date', precision: 3, withTimezone: true })

export const timestamps = () => ({
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
})

/** A closed set of values as a CHECK: unlike a Postgres enum it can lose a value in a plain migration. */
export const oneOf = (name: string, column: AnyPgColumn, values: readonly string[]) =>
  check(name, sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`)

/** Of todos and of tasks, from the least pressing on. */
export const PRIORITIES = ['none', 'low', 'medium', 'high'] as const
