import { sql } from 'drizzle-orm'
import { type AnyPgColumn, check, integer, text, timestamp } from 'drizzle-orm/pg-core'

export const id = () => integer().primaryKey().generatedAlwaysAsIdentity()

/** An instant, to the millisecond that JavaScript's `Date` can hold. */
export const instant = () => timestamp({ mode: 'date', precision: 3, withTimezone: true })

export const timestamps = () => ({
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
})

/** The session at the identity provider that a sign-in came from; null for other ways to sign in. */
export const providerSession = () => ({
  oidcIssuer: text(),
  oidcSubject: text(),
  /** Null also where the provider names no session. */
  oidcSid: text(),
})

/**
 * Restricts a column to a set of values. A value can be removed from a CHECK in a plain migration, but not from a Postgres enum.
 */
export const oneOf = (name: string, column: AnyPgColumn, values: readonly string[]) =>
  check(name, sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`)

/** Shared by todos and tasks, lowest first. */
export const PRIORITIES = ['none', 'low', 'medium', 'high'] as const
