import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { prepared } from '../../../db/prepared'
import { accessTokens, sessions, users } from '../../../db/schema'

/** A scope, as `u 5`, and its number in the journal. */
export interface Moved {
  readonly scope: string
  readonly seq: number
}

/**
 * Returns the scopes that were stepped by transactions that were not over at the horizon, and the next horizon. Without one,
 * returns no scopes. Transactions end in any order, so a scope may be returned again.
 */
export async function movedSince(db: Db, horizon: string | undefined) {
  const rows = await db.execute<{ horizon: string; scope: string | null; seq: string | null }>(sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, concat(kind, ' ', id) as scope, seq
    from (select 1) as one left join sync_scopes on xid >= ${horizon ?? null}::xid8`)
  const [first] = rows
  if (!first) throw new Error('there is always a horizon')
  const moved = rows.flatMap(({ scope, seq }): Moved[] =>
    scope === null || seq === null ? [] : [{ scope, seq: Number(seq) }],
  )
  return { horizon: first.horizon, moved }
}

const session = sql`(select is_locked from ${sessions} where ${sessions.id} = ${sql.placeholder('id')})`
const expiries = sql`coalesce(
  (select expires_at from ${sessions} where ${sessions.id} = ${sql.placeholder('id')}),
  (select expires_at from ${accessTokens} where 'token-' || ${accessTokens.id} = ${sql.placeholder('id')})
)`

/** Finds whether a session or access token may still read, and until when; undefined when its user is gone. */
export const findCredential = prepared((db) =>
  db
    .select({
      isLive: sql<boolean>`${users.isActive} and not ${users.mustChangePassword}
        and public.credential_is_live(${sql.placeholder('id')}, ${users.id}, ${sql.placeholder('now')})`,
      isLocked: sql<boolean>`coalesce(${session}, false)`,
      expiresAt: sql<Date | null>`${expiries}`.mapWith(sessions.expiresAt),
    })
    .from(users)
    .where(eq(users.id, sql.placeholder('userId')))
    .prepare('live_find_credential'),
)
