import { type Placeholder, sql } from 'drizzle-orm'
import type { Db } from './client'
import { prepared } from './prepared'

/** How far the journal goes in a scope. */
interface ScopeEnd {
  /** Of a user's own things, or of a calendar. */
  readonly kind: 'u' | 'c'
  readonly id: number
  /** The last change. */
  readonly last: number
  /** The last timeline on which there was one. */
  readonly timeline: number
}

/** Where the journal stands for a user. */
export interface JournalStanding {
  readonly epoch: string
  /** When the database server was started. */
  readonly serverStart: string
  /** Whether a todo of theirs is due to reopen. */
  readonly anyPassed: boolean
  /** Those that the user may see. */
  readonly scopes: readonly ScopeEnd[]
}

/** The scopes that a user may see now. */
export const visibleTo = (userId: Placeholder) => sql`
  select 'u'::"char" as kind, ${userId}::integer as id
  union all select 'c', id from calendars where user_id = ${userId}
  union all select 'c', calendar_id from calendar_members where user_id = ${userId} and status = 'accepted'`

/** Where the journal stands for a user, as a column that stands in a row of any statement; `now` is given in ISO 8601. */
export const standingFor = (userId: Placeholder, now: Placeholder) => sql<JournalStanding>`(
  select json_build_object(
    'epoch', replace(epoch::text, '-', ''),
    'serverStart', pg_postmaster_start_time(),
    'anyPassed', (
      select coalesce(min(reset_at) <= ${now}::timestamptz, false) from todos where user_id = ${userId}
    ),
    'scopes', (
      select json_agg(json_build_object('kind', kind, 'id', id, 'last', coalesce(seq, 0), 'timeline', coalesce(timeline, 1)))
      from (${visibleTo(userId)}) as visible left join sync_scopes using (kind, id)
    )
  ) from sync_state
)`

const standing = prepared((db) =>
  db
    .select({ standing: standingFor(sql.placeholder('userId'), sql.placeholder('now')) })
    .from(sql`(select 1) as one`)
    .prepare('journal_standing'),
)

/** Where the journal stands for a user now. */
export async function readStanding(db: Db, userId: number, now: Date): Promise<JournalStanding> {
  const [row] = await standing(db).execute({ userId, now: now.toISOString() })
  if (!row) throw new Error('a journal stands somewhere')
  return row.standing
}
