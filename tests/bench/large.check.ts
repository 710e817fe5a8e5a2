import { administer } from '../support/database'

/** What must hold in a seeded database, as queries that find what breaks it: what triggers would have written is there, and nothing else. */
const BROKEN: Readonly<Record<string, string>> = {
  'items that the journal does not know': `
    select 1 from (
      select 'u'::"char" as kind, user_id as scope, 'todo' as type, id from todos
      union all select 'l', list_id, 'todo', id from todos
      union all select 'c', calendar_id, 'event', id from events
    ) as items where not exists (
      select from sync_changes where (scope_kind, scope_id, sync_changes.type, item, gone) = (kind, scope, items.type, id, false)
    )`,
  'notes of items that are not there': `
    select 1 from sync_changes where type in ('todo', 'event') and not gone and not exists (
      select from todos where type = 'todo' and id = item and scope_id = case scope_kind when 'u' then user_id else list_id end
    ) and not exists (select from events where type = 'event' and id = item and scope_id = calendar_id)`,
  'scopes that do not count as their notes do': `
    select 1 from sync_scopes join (
      select scope_kind, scope_id, max(seq) as last, count(*) as notes, count(distinct seq) as seqs from sync_changes group by 1, 2
    ) as noted on (scope_kind, scope_id) = (kind, id) where seq <> last or notes <> seqs`,
  'notes without a scope': `
    select 1 from sync_changes where not exists (select from sync_scopes where (kind, id) = (scope_kind, scope_id))`,
  'tallies that do not count what is there': `
    select 1 from (
      select 'todos' as kind, user_id, count(*) from todos group by 2
      union all select 'events', user_id, count(*) from events join calendars on calendars.id = calendar_id group by 2
      union all select 'people', user_id, count(*) from people group by 2
      union all select 'calendars', user_id, count(*) from calendars group by 2
    ) as counted full join (select * from tallies where kind in ('todos', 'events', 'people', 'calendars')) as tallied
      on (tallied.kind, owner_id) = (counted.kind, user_id)
    where tallied.count is distinct from counted.count`,
}

/** @throws {Error} that names what in a seeded database is not as the service would have written it. */
export async function checkSeeded(url: string): Promise<void> {
  const admin = administer(url)
  await admin`set work_mem = '256MB'`
  const found: string[] = []
  for (const [what, query] of Object.entries(BROKEN)) {
    const [row] = await admin.unsafe(`select count(*) from (${query}) as broken`)
    if (Number(row?.['count']) > 0) found.push(`${row?.['count']} ${what}`)
  }
  await admin.end({ timeout: 5 })
  if (found.length > 0) throw new Error(`what was seeded is not as the service writes: ${found.join(', ')}`)
}
