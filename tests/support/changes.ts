import { expect } from 'bun:test'
import type { ChangesPage, ChangeView } from '../../src/features/overview/changes/model'
import type { Actor } from './harness'

const PATH = '/api/changes'

type Query = Readonly<Record<string, string | number | undefined>>

/** Asks for a page, whatever the answer is. */
export const askChanges = (actor: Pick<Actor, 'request'>, query: Query = {}) => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return actor.request('GET', `${PATH}?${new URLSearchParams(given).toString()}`)
}

/** A page of changes; anything but 200 is an error. */
export async function changesOf(actor: Pick<Actor, 'request'>, query: Query = {}): Promise<ChangesPage> {
  const { status, body } = await askChanges(actor, query)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

const nameOf = ({ type, id }: Pick<ChangeView, 'type' | 'id'>) => `${type} ${id}`

/** A change in short: `+ todo 1` or `- todo 1`. */
export const brief = (change: ChangeView) => `${change.op === 'put' ? '+' : '-'} ${nameOf(change)}`

/** A client that keeps what the pages tell. */
export class Follower {
  readonly #actor: Pick<Actor, 'request'>
  readonly #types: string | undefined
  readonly items = new Map<string, ChangeView>()
  since: string | undefined

  constructor(actor: Pick<Actor, 'request'>, types?: string) {
    this.#actor = actor
    this.#types = types
  }

  /** Applies one page. */
  async poll(limit?: number): Promise<ChangesPage> {
    const page = await changesOf(this.#actor, { since: this.since, types: this.#types, limit })
    this.take(page)
    return page
  }

  /** Applies a page that came by another way. */
  take(page: Pick<ChangesPage, 'changes' | 'next'>): void {
    this.since = page.next
    for (const change of page.changes) this.#apply(change)
  }

  /** Applies pages to the end of the run. */
  async catchUp(limit?: number): Promise<ChangeView[]> {
    const changes: ChangeView[] = []
    for (;;) {
      const page = await this.poll(limit)
      changes.push(...page.changes)
      if (!page.has_more) return changes
    }
  }

  #apply(change: ChangeView) {
    if (change.op === 'put') this.items.set(nameOf(change), change)
    else this.#forget(change)
  }

  /** Forgets an item with all that is in it. */
  #forget({ type, id }: Pick<ChangeView, 'type' | 'id'>) {
    this.items.delete(nameOf({ type, id }))
    for (const item of this.items.values()) {
      if (isWithin(item, type, id)) this.#forget(item)
    }
  }
}

const PARENTS: Readonly<Record<string, string>> = {
  event: 'calendar',
  todo: 'todo_list',
  task: 'project',
  comment: 'task',
  person: 'address_book',
}

const isWithin = (change: ChangeView, type: string, id: number) =>
  (PARENTS[change.type] === type && change.parent_id === id) ||
  (type === 'task' && change.type === 'task' && change.item?.parent_task_id === id)

/** What a follower knows, by type and id, in the form of `truthOf`. */
export const knownTo = (follower: Follower) =>
  tidied([...follower.items].map(([name, { item }]) => [name, item]))

type Json = Record<string, unknown>

/** Without what changes by itself: where others stand. */
const tidied = (items: ReadonlyArray<readonly [name: string, item: unknown]>) =>
  Object.fromEntries(
    items
      .map(([name, item]) => [name, { ...(item as Json), position: undefined }] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

const EXPORTED: Readonly<Record<string, string>> = {
  event_templates: 'event_template',
  todo_lists: 'todo_list',
  todos: 'todo',
  reminders: 'reminder',
  projects: 'project',
  tasks: 'task',
  comments: 'comment',
  people: 'person',
  address_books: 'address_book',
  connections: 'connection',
  connection_requests: 'connection_request',
  notifications: 'notification',
}

/** All entries of a paged list. */
export async function listed(actor: Actor, path: string, name: string): Promise<Json[]> {
  const found: Json[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body } = await actor.request('GET', `${path}?limit=200${cursor && `&cursor=${cursor}`}`)
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    found.push(...body[name])
    cursor = body.next_cursor
  }
  return found
}

/** What the user sees by the export and the lists, by type and id. */
export async function truthOf(actor: Actor) {
  const { body } = await actor.request('GET', '/api/export')
  const items: Array<readonly [string, Json]> = [[`settings ${actor.row.id}`, body.settings]]
  const add = (type: string, records: readonly Json[]) =>
    items.push(...records.map((record) => [`${type} ${String(record['id'])}`, record] as const))
  // What other programs wrote is in the export alone.
  const withoutText = (record: Json): Json => ({ ...record, vcard: undefined, icalendar: undefined })
  for (const [list, type] of Object.entries(EXPORTED)) add(type, body[list].map(withoutText))
  const calendars = await listed(actor, '/api/calendars', 'calendars')
  add('calendar', calendars)
  add('calendar_invite', await listed(actor, '/api/calendars/invites', 'invites'))
  add('event', body.events.map(bare))
  for (const { id, access } of calendars) {
    if (access !== 'owner') add('event', await listed(actor, `/api/calendars/${String(id)}/events`, 'events'))
  }
  const known = new Set(items.map(([name]) => name))
  for (const invitation of await listed(actor, '/api/event-invitations', 'invitations')) {
    const name = `event ${String(invitation['event_id'])}`
    if (!known.has(name)) items.push([name, await eventOfGuest(actor, invitation)])
  }
  return tidied(items)
}

/** An event that the user sees by invitation only; its series stays without changed occurrences in these tests. */
async function eventOfGuest(actor: Actor, invitation: Json): Promise<Json> {
  const path = `/api/events/${String(invitation['event_id'])}`
  const event: Json = (await actor.request('GET', path)).body
  const exported: { event_invitations: Json[] } = (await actor.request('GET', '/api/export')).body
  const own = exported.event_invitations.find(({ id }) => id === invitation['id'])
  return {
    ...bare(event),
    overrides: expect.any(Array),
    exceptions: expect.any(Array),
    invitations: [own],
  }
}

/** Without what an event has from its calendar, and without the text that only the export has. */
function bare(event: Json): Json {
  const { calendar_name: _name, calendar_color: _color, access: _access, icalendar: _text, ...rest } = event
  return Array.isArray(rest['overrides']) ? { ...rest, overrides: rest['overrides'].map(bare) } : rest
}
