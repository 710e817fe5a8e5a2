import { and, eq, exists, or, type SQL, sql } from 'drizzle-orm'
import { among } from '../../../db/among'
import type { Db } from '../../../db/client'
import {
  connections,
  eventInvitations,
  events,
  eventSources,
  eventTexts,
  invitationParts,
  users,
} from '../../../db/schema'

/** The network names of the user and of those of the others with whom they are connected. */
export const named = (db: Db, userId: number, others: readonly number[]) => {
  const isConnected = exists(
    db
      .select({ one: sql`1` })
      .from(connections)
      .where(and(eq(connections.userId, userId), eq(connections.otherUserId, users.id))),
  )
  return db
    .select({ id: users.id, networkName: users.networkName })
    .from(users)
    .where(or(eq(users.id, userId), and(among(users.id, others), isConnected)))
}

/** How many lines of the text match; `n` lets ^ and $ match at each line, `i` ignores case. */
const lines = (pattern: string): SQL => sql`regexp_count(${eventTexts.text}, ${pattern}, 1, 'in')`

/** Every component of the text says that it takes up no time (RFC 5545, section 3.8.2.7). */
const isTextTransparent = sql`case when ${eventTexts.text} ilike '%transparent%'
  then ${lines(String.raw`^TRANSP(;[^\n]*)?:[ \t]*TRANSPARENT[ \t\r]*$`)} >= ${lines(String.raw`^BEGIN:VEVENT[ \t\r]*$`)}
  else false end`

/** Those of the events whose programs have said that they take up no time. */
export const transparentAmong = (db: Db, eventIds: readonly number[]) =>
  db
    .select({ id: events.id })
    .from(events)
    .leftJoin(eventTexts, eq(eventTexts.eventId, events.id))
    .leftJoin(eventSources, eq(eventSources.eventId, events.id))
    .where(
      and(
        among(events.id, eventIds),
        or(isTextTransparent, sql`${eventSources.kept} @> '["TRANSP:TRANSPARENT"]'::jsonb`),
      ),
    )

/** Those of the events of which a program of the invitee has said that they take up none of their time. */
export const transparentTo = (db: Db, userId: number, eventIds: readonly number[]) =>
  db
    .select({ id: eventInvitations.eventId })
    .from(eventInvitations)
    .innerJoin(invitationParts, eq(invitationParts.invitationId, eventInvitations.id))
    .where(
      and(
        eq(eventInvitations.userId, userId),
        among(eventInvitations.eventId, eventIds),
        sql`${invitationParts.parts} -> '' ->> 'transparency' = 'TRANSPARENT'`,
      ),
    )
