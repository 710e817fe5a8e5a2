import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { prepared } from '../../../db/prepared'
import { accessTokens, sessions, users } from '../../../db/schema'

/**
 * Returns the scopes, as `u 5`, that were stepped by transactions that have committed since the snapshot, and the present
 * snapshot. Without a snapshot, returns no scopes. Ids of transactions to come are those of another server.
 */
export async function movedSince(db: Db, snapshot: string | undefined) {
  const rows = await moved(db).execute({ snapshot: snapshot ?? null })
  const [first] = rows
  if (!first) throw new Error('there is always a snapshot')
  return { snapshot: first.snapshot, moved: rows.flatMap(({ scope }) => scope ?? []) }
}

const moved = prepared((db) =>
  db
    .select({
      snapshot: sql<string>`present::text`,
      scope: sql<string | null>`case when kind is not null then concat(kind, ' ', id) end`,
    })
    .from(
      sql`(select ${sql.placeholder('snapshot')}::pg_snapshot as before, pg_current_snapshot() as present) as given
        left join sync_scopes on xid >= pg_snapshot_xmin(before) and xid < pg_snapshot_xmax(present)
          and not pg_visible_in_snapshot(xid, before)`,
    )
    .prepare('live_moved_since'),
)

const session = sql`(select is_locked from ${sessions} where ${sessions.id} = ${sql.placeholder('id')})`
/** The token that stands in for a session, if it is one. */
const tokenId = sql`case when starts_with(${sql.placeholder('id')}, 'token-') then substr(${sql.placeholder('id')}, 7)::integer end`
const expiries = sql`coalesce(
  (select expires_at from ${sessions} where ${sessions.id} = ${sql.placeholder('id')}),
  (select expires_at from ${accessTokens} where ${accessTokens.id} = ${tokenId})
)`

/** Finds whether a session or access token may still read, and until when; undefined when its user is gone. */
export const findCredential = prepared((db) =>
  db
    .select({
      isLive: sql<boolean>`${users.isActive} and not ${users.mustChangePassword}
        and not (${users.mfaEnforcePending} and ${tokenId} is not null)
        and public.credential_is_live(${sql.placeholder('id')}, ${users.id}, ${sql.placeholder('now')})`,
      isLocked: sql<boolean>`coalesce(${session}, false)`,
      expiresAt: sql<Date | null>`${expiries}`.mapWith(sessions.expiresAt),
    })
    .from(users)
    .where(eq(users.id, sql.placeholder('userId')))
    .prepare('live_find_credential'),
)
