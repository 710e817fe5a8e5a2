import { sql } from 'drizzle-orm'
import type { Db } from '../../src/db/client'
import { SHARED_FIELDS } from '../../src/features/people/sharing/rules'

/** What the journal ought to say, judged from the tables themselves: every item in each of its scopes, with its state. */

/** The columns of a user's settings that others may see, with those that decide whether they do. */
const SHOWN_OF_SETTINGS = [
  'preferred_name',
  'first_name',
  'last_name',
  'phone',
  'mobile',
  'address',
  'company',
  'job_title',
  ...SHARED_FIELDS.map((field) => `share_${field}`),
]
  .map((column) => `t.${column}`)
  .join()

/**
 * For each watched table, its rows as parts of items: scope, type, id, what the scope's readers see, and the item with which it
 * goes. What others see of a user is part of their connections and linked people.
 */
const PARTS: Readonly<Record<string, string>> = {
  todos: `select 'u', t.user_id, 'todo', t.id, t::text, 'todo_list ' || t.list_id from todos t
    union all select 'l', t.list_id, 'todo', t.id, t::text, null from todos t`,
  todo_lists: own('todo_lists', 'todo_list'),
  reminders: `${own('reminders', 'reminder')}
    union all select 'r', t.user_id, 'reminder', t.id, t::text, null from reminders t`,
  event_templates: own('event_templates', 'event_template'),
  notifications: own('notifications', 'notification'),
  projects: own('projects', 'project'),
  address_books: own('address_books', 'address_book'),
  people: `${own('people', 'person')}
    union all ${inBook('people', 'person')}
    union all select 'c', c.id, 'birthday', t.id, (first_name, last_name, nickname, birthday)::text, null
       from people t join calendars c on c.user_id = t.user_id and c.is_system where birthday is not null`,
  loose_cards: `select 'u', t.user_id, 'card', t.id, t::text, 'address_book ' || t.book_id from loose_cards t
    union all ${inBook('loose_cards', 'card')}`,
  connections: `${own('connections', 'connection')}
    union all select 'u', t.user_id, 'connection', t.id, r::text, null
      from connections t join connections r on (r.user_id, r.other_user_id) = (t.other_user_id, t.user_id)
    union all select 'u', t.user_id, 'connection', t.id, p.id::text, null
      from connections t join people p on (p.user_id, p.linked_user_id) = (t.user_id, t.other_user_id)
    union all select 'u', p.user_id, 'person', p.id, r::text, null
      from people p join connections r on (r.user_id, r.other_user_id) = (p.linked_user_id, p.user_id)`,
  connection_requests: `
    select 'u', sender_id, 'connection_request', id, t::text, null from connection_requests t
    union all select 'u', receiver_id, 'connection_request', id, t::text, null from connection_requests t`,
  settings: `select 'u', user_id, 'settings', user_id, t::text, null from settings t
    union all ${shownToOthers('settings', 'user_id', SHOWN_OF_SETTINGS)}`,
  users: `select 'u', id, 'settings', id, (network_name, email, date_of_birth)::text, null from users
    union all ${shownToOthers('users', 'id', 't.network_name, t.email, t.date_of_birth')}
    union all select 'c', calendars.id, 'calendar', calendars.id, network_name, null
      from calendars join users on users.id = calendars.user_id
    union all select 'u', m.user_id, 'calendar_invite', m.id, network_name, null
      from calendar_members m join calendars c on c.id = m.calendar_id join users on users.id = c.user_id where m.status = 'pending'
    union all select 'c', e.calendar_id, 'event', e.id, network_name, 'calendar ' || e.calendar_id
      from event_invitations i join events e on e.id = i.event_id join users on users.id = i.user_id
    union all select 'u', i.user_id, 'event', i.event_id, network_name, null
      from event_invitations i join users on users.id = i.user_id
    union all select 'c', i.display_calendar_id, 'invitation', i.id, users.network_name, null
      from event_invitations i join events e on e.id = i.event_id join calendars c on c.id = e.calendar_id
        join users on users.id in (i.user_id, c.user_id) where i.display_calendar_id is not null
    union all select 'u', p.user_id, 'comment', c.id, network_name, 'task ' || c.task_id
      from task_comments c join project_tasks t on t.id = c.task_id join projects p on p.id = t.project_id
        join users on users.id = c.author_id`,
  calendars: `select 'u', user_id, 'calendar', id, t::text, null from calendars t
    union all select 'c', id, 'calendar', id, t::text, null from calendars t
    union all select 'u', m.user_id, 'calendar_invite', m.id, c.name, null
      from calendar_members m join calendars c on c.id = m.calendar_id where m.status = 'pending'`,
  calendar_feeds: `select 'u', c.user_id, 'calendar', c.id, f.token_hash, null
    from calendar_feeds f join calendars c on c.id = f.calendar_id`,
  calendar_members: `select 'u', user_id, 'calendar_invite', id, t::text, null from calendar_members t
    union all select 'u', user_id, 'calendar', calendar_id, t::text, null from calendar_members t
    union all select 'u', c.user_id, 'calendar', c.id, m::text, null
      from calendar_members m join calendars c on c.id = m.calendar_id`,
  events: ofEvents('events', 't.id = e.id'),
  event_occurrences: ofEvents('event_occurrences', 't.event_id = e.id'),
  event_extra_starts: ofEvents('event_extra_starts', 't.event_id = e.id'),
  event_invitations: ofEvents('event_invitations', 't.event_id = e.id', 'i.id = t.id'),
  invitation_parts: `select 'c', i.display_calendar_id, 'invitation', i.id, t::text, null
    from invitation_parts t join event_invitations i on i.id = t.invitation_id where i.display_calendar_id is not null`,
  event_alarms: `select 'c', e.calendar_id, 'alarm', t.id, t::text, 'event ' || e.id
    from event_alarms t join events e on e.id = t.event_id`,
  occurrence_responses: ofEvents(
    '(select a.*, b.event_id from occurrence_responses a join event_invitations b on b.id = a.invitation_id)',
    't.event_id = e.id',
    'i.id = t.invitation_id',
  ),
  project_tasks: `
    select 'u', p.user_id, 'task', t.id, t::text, coalesce('task ' || t.parent_task_id, 'project ' || t.project_id)
      from project_tasks t join projects p on p.id = t.project_id
    union all select 'u', p.user_id, 'project', p.id, (count(*), count(*) filter (where t.status = 'completed'))::text, null
      from project_tasks t join projects p on p.id = t.project_id group by p.id`,
  task_comments: `
    select 'u', p.user_id, 'comment', c.id, c::text, 'task ' || t.id
      from task_comments c join project_tasks t on t.id = c.task_id join projects p on p.id = t.project_id
    union all select 'u', p.user_id, 'task', t.id, count(*)::text,
        coalesce('task ' || t.parent_task_id, 'project ' || t.project_id)
      from task_comments c join project_tasks t on t.id = c.task_id join projects p on p.id = t.project_id
      group by p.id, t.id`,
}

function own(table: string, type: string): string {
  return `select 'u', t.user_id, '${type}', t.id, t::text, null from ${table} t`
}

/** What clients of /dav see of an address book; it goes with that. */
function inBook(table: string, type: string): string {
  return `select 'b', t.book_id, '${type}', t.id, t::text, null from ${table} t`
}

/** What others see of a user: in connections, linked people and requests that wait for an answer. */
function shownToOthers(table: string, id: string, columns: string): string {
  return `
    select 'u', c.user_id, 'connection', c.id, (${columns})::text, null from connections c join ${table} t on t.${id} = c.other_user_id
    union all select 'u', p.user_id, 'person', p.id, (${columns})::text, null from people p join ${table} t on t.${id} = p.linked_user_id
    union all select 'u', r.receiver_id, 'connection_request', r.id, (${columns})::text, null
      from connection_requests r join ${table} t on t.${id} = r.sender_id where r.status = 'pending'
    union all select 'u', r.sender_id, 'connection_request', r.id, (${columns})::text, null
      from connection_requests r join ${table} t on t.${id} = r.receiver_id where r.status = 'pending'`
}

function ofEvents(rows: string, isPart: string, isOfInvitation = 'true'): string {
  return `
    select 'c', e.calendar_id, 'event', e.id, t::text, 'calendar ' || e.calendar_id from events e join ${rows} t on ${isPart}
    union all select 'u', i.user_id, 'event', e.id, t::text, null
      from events e join ${rows} t on ${isPart} join event_invitations i on i.event_id = e.id and ${isOfInvitation}
    union all select 'c', i.display_calendar_id, 'invitation', i.id, t::text, null
      from events e join ${rows} t on ${isPart} join event_invitations i on i.event_id = e.id and ${isOfInvitation}
      where i.display_calendar_id is not null`
}

/** Tables of which no client that follows the changes hears, and why. */
export const SILENT: Readonly<Record<string, string>> = {
  access_tokens: 'secret',
  audit_log: 'is for administrators',
  backup_codes: 'secret',
  blocks: 'has lists of its own',
  dav_collections: 'addresses for clients of /dav',
  dav_gone: 'follows from the rest',
  dav_properties: 'what clients of /dav keep',
  event_sources: 'changes with its event',
  event_texts: 'changes with its event',
  history: 'is what clients had before',
  identities: 'has a list of its own',
  job_runs: 'of the service',
  mfa_tokens: 'secret',
  oidc_begins: 'secret',
  operations: 'has a list of its own',
  person_texts: 'changes with its person',
  passkeys: 'secret',
  push_deliveries: 'of the service',
  push_wakes: 'of the service',
  seen_user_agents: 'of the service',
  sent_invitations: 'of the service',
  reminder_texts: 'changes with its reminder',
  sessions: 'secret',
  sync_changes: 'the journal itself',
  sync_marks: 'the journal itself',
  sync_pending: 'the journal itself',
  sync_scopes: 'the journal itself',
  sync_state: 'the journal itself',
  sync_switches: 'the journal itself',
  system_config: 'is for administrators',
  tallies: 'follows from the rest',
  todo_texts: 'changes with its todo',
  totp_credentials: 'secret',
  webauthn_challenges: 'secret',
}

export const WATCHED = Object.keys(PARTS)

interface Item {
  readonly state: string
  /** The item with which it goes, as `project 5`. */
  readonly parent: string | null
}

/** All items by scope, type and id, as `u 1 todo 5`, and the counters of the scopes. */
export interface JournalView {
  readonly items: ReadonlyMap<string, Item>
  readonly seqs: ReadonlyMap<string, number>
}

export async function viewJournal(db: Db): Promise<JournalView> {
  const items = await db.execute<{ key: string; state: string; parent: string | null }>(
    sql.raw(`
    select concat_ws(' ', kind, scope, type, item) as key, max(parent) as parent,
      md5(string_agg(part, '' order by part)) as state
    from (${Object.values(PARTS).join(' union all ')}) as parts (kind, scope, type, item, part, parent)
    group by kind, scope, type, item`),
  )
  const scopes = await db.execute<{ key: string; seq: string }>(
    sql`select concat_ws(' ', kind, id) as key, seq from sync_scopes`,
  )
  return {
    items: new Map(items.map(({ key, state, parent }) => [key, { state, parent }])),
    seqs: new Map(scopes.map(({ key, seq }) => [key, Number(seq)])),
  }
}

/** Names what has changed between the two views and the journal does not: items whose note has no later number. */
export async function unnoted(db: Db, before: JournalView, after: JournalView): Promise<string[]> {
  const notes = await db.execute<{ key: string; seq: string }>(
    sql`select concat_ws(' ', scope_kind, scope_id, type, item) as key, seq from sync_changes`,
  )
  const noted = new Map(notes.map(({ key, seq }) => [key, Number(seq)]))
  const scopeOf = (key: string) => key.split(' ').slice(0, 2).join(' ')
  const isGone = (key: string) => before.items.has(key) && !after.items.has(key)
  const hasEnded = (key: string) => {
    const [kind, scope] = key.split(' ')
    const isThere = (item: string) => [...after.items.keys()].some((one) => one.endsWith(` ${item}`))
    if (kind === 'b') return !isThere(`address_book ${scope}`)
    if (kind === 'l') return !isThere(`todo_list ${scope}`)
    return !isThere(kind === 'c' ? `calendar ${scope}` : `settings ${scope}`)
  }
  const wentWithParent = (key: string) => {
    const parent = before.items.get(key)?.parent
    const [kind, scope] = key.split(' ')
    return parent != null && isGone(key) && isGone(`${kind} ${scope} ${parent}`)
  }
  return [...new Set([...before.items.keys(), ...after.items.keys()])].filter((key) => {
    if (before.items.get(key)?.state === after.items.get(key)?.state) return false
    if (hasEnded(key) || wentWithParent(key)) return false
    return (noted.get(key) ?? 0) <= (before.seqs.get(scopeOf(key)) ?? 0)
  })
}
