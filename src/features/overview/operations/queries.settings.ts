import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/client'

/**
 * What undoing leaves as it is (contract: undo.operations): where messages go, and whether; and what the user shows others, which is
 * never shown again by undoing.
 */
export const FINAL_SETTINGS: readonly string[] = [
  'ntfy_enabled',
  'ntfy_server_url',
  'ntfy_topic',
  'ntfy_auth_token',
  'accept_connections',
  'share_first_name',
  'share_last_name',
  'share_preferred_name',
  'share_email',
  'share_phone',
  'share_mobile',
  'share_birthday',
  'share_address',
  'share_company',
  'share_job_title',
]

/** An image of settings, as far as undoing would bring it back. */
const restorable = (image: SQL): SQL =>
  sql`(${image} - 'version' - 'updated_at' - array(select jsonb_array_elements_text(${JSON.stringify(FINAL_SETTINGS)}::jsonb)))`

/** Whether the operation changed settings alone, and none that undoing would bring back. */
export const isFinal = (operation: SQL): SQL => sql`(
  exists (select from history where operation = ${operation})
  and not exists (select from history where operation = ${operation} and tab <> 'settings')
  and not exists (
    select from (
      select row_key, min(id) as first_id, max(id) as last_id from history
      where operation = ${operation} and tab = 'settings' group by row_key
    ) as touched
      join history as first on first.id = touched.first_id
      left join lateral (
        select before from history as later
        where later.tab = 'settings' and later.row_key = touched.row_key and later.id > touched.last_id order by later.id limit 1
      ) as next on true
      left join settings as now_there on now_there.user_id = touched.row_key::integer
    where ${restorable(sql`first.before`)} is distinct from
      ${restorable(sql`coalesce(next.before, public.history_image(to_jsonb(now_there)))`)}
  )
)`

/** Whether undoing the operation would change nothing. */
export async function isFinalChange(tx: Tx, operation: string): Promise<boolean> {
  const [row] = await tx.execute<{ isFinal: boolean }>(
    sql`select ${isFinal(sql`${operation}::uuid`)} as "isFinal"`,
  )
  return row?.isFinal ?? false
}
