import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { prepared } from '../../../db/prepared'
import { accessTokens, sessions, users } from '../../../db/schema'

/** How far the journal was looked at: a snapshot, and when its server was started. */
export interface Horizon {
  readonly snapshot: string
  readonly server: string
}

/**
 * A server that was killed, or one that takes its place, gives ids of transactions again of which nothing was left: more than a server can
 * have given and not yet written down.
 */
const IDS_GIVEN_AGAIN = 100_000

/**
 * Returns the scopes, as `u 5`, that were stepped by transactions that have committed since the horizon, and the present
 * horizon. Without one, returns no scopes; after one of another server, or one that is not `sure`, also some that have not moved.
 * Ids of transactions to come are those of another server.
 */
export async function movedSince(db: Db, horizon: Horizon | undefined, isSure: boolean) {
  const { snapshot: before = null, server: former = null } = horizon ?? {}
  const rows = await moved(db).execute({ before, former, isSure })
  const [first] = rows
  if (!first) throw new Error('there is always a snapshot')
  const { snapshot, server } = first
  return { horizon: { snapshot, server }, moved: rows.flatMap(({ scope }) => scope ?? []) }
}

const MOVED = sql`(
  with given as (
    select ${sql.placeholder('before')}::pg_snapshot as before, pg_current_snapshot() as present,
      pg_postmaster_start_time()::text as server
  ), looked as (
    select *, ${sql.placeholder('isSure')}::boolean and server = ${sql.placeholder('former')}::text as is_same from given
  ), since as (
    select *, case when is_same then pg_snapshot_xmin(before) else greatest(
      least(pg_snapshot_xmin(before), pg_snapshot_xmin(present))::text::bigint - ${IDS_GIVEN_AGAIN}, 0
    )::text::xid8 end as oldest from looked where before is not null
  )
  select present::text as snapshot, server, scope from given left join (
    select concat(kind, ' ', id) as scope from since join sync_scopes
      on xid >= oldest and xid < pg_snapshot_xmax(present) and (not is_same or not pg_visible_in_snapshot(xid, before))
  ) as moved on true
) as found`

const moved = prepared((db) =>
  db
    .select({
      snapshot: sql<string>`snapshot`,
      server: sql<string>`server`,
      scope: sql<string | null>`scope`,
    })
    .from(MOVED)
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
