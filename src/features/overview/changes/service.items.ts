import type { WriteDeps } from '../../../deps'
import type { SessionKey } from '../../../access/sessions/service'
import { listNamedCalendars } from '../../calendars/calendars/service'
import { listNamedInvites } from '../../calendars/invites/service'
import { viewEvents } from '../../events/exports/service'
import { pageEventTemplatesById } from '../../events/templates/service'
import { readOwner, readSettings } from '../../identity/settings/service'
import { pageNotificationsById } from '../../notifications/notifications/service'
import { pageAddressBooksById } from '../../people/address-books/service'
import { pageConnectionsById } from '../../people/connections/service'
import { pagePeopleById } from '../../people/people/service'
import { pageRequestsById } from '../../people/requests/service'
import { pageCommentsById } from '../../tasks/comments/service'
import { pageProjectsById } from '../../tasks/projects/service'
import { pageRemindersById } from '../../tasks/reminders/service'
import { pageTasksById } from '../../tasks/tasks/service'
import { pageTodoListsById } from '../../tasks/todo-lists/service'
import { pageTodosById } from '../../tasks/todos/service'
import type { ChangeView } from './model'
import { type LogEntry, keyOf } from './rules'
import type { ChangeType } from './rules.types'

type Read = (ids: readonly number[]) => Promise<ChangeView[]>

/** Reads those of the items that the reader sees. */
function readers(deps: WriteDeps, session: SessionKey): Readonly<Record<ChangeType, Read>> {
  const { userId } = session
  return {
    calendar: async (ids) =>
      (await listNamedCalendars(deps, userId, ids)).map((item) => put('calendar', item)),
    event: async (ids) =>
      (await viewEvents(deps, userId, ids)).map(({ calendarId, view }) => put('event', view, calendarId)),
    event_template: async (ids) =>
      (await pageEventTemplatesById(deps, userId, { ids })).map((item) => put('event_template', item)),
    todo_list: async (ids) =>
      (await pageTodoListsById(deps, userId, { ids })).map((item) => put('todo_list', item)),
    todo: async (ids) =>
      (await pageTodosById(deps, userId, { ids })).map((item) => put('todo', item, item.list_id)),
    reminder: async (ids) =>
      (await pageRemindersById(deps, userId, { ids })).map((item) => put('reminder', item)),
    project: async (ids) =>
      (await pageProjectsById(deps, userId, { ids })).map((item) => put('project', item)),
    task: async (ids) =>
      (await pageTasksById(deps, userId, { ids })).map((item) => put('task', item, item.project_id)),
    comment: async (ids) =>
      (await pageCommentsById(deps, userId, { ids })).map((item) => put('comment', item, item.task_id)),
    person: async (ids) => {
      const owner = await readOwner(deps, userId)
      return (await pagePeopleById(deps, { ...session, owner }, { ids })).map((item) =>
        put('person', item, item.book_id),
      )
    },
    address_book: async (ids) =>
      (await pageAddressBooksById(deps, userId, { ids })).map((item) => put('address_book', item)),
    connection: async (ids) =>
      (await pageConnectionsById(deps, userId, { ids })).map((item) => put('connection', item)),
    connection_request: async (ids) =>
      (await pageRequestsById(deps, userId, { ids })).map((item) => put('connection_request', item)),
    calendar_invite: async (ids) =>
      (await listNamedInvites(deps, userId, ids)).map((item) => put('calendar_invite', item)),
    notification: async (ids) =>
      (await pageNotificationsById(deps, userId, { ids })).map((item) => put('notification', item)),
    settings: async () => [
      { ...put('settings', { id: userId }), item: readSettings(deps, await readOwner(deps, userId)) },
    ],
  }
}

interface Identified {
  readonly id: number | null
  readonly version?: number
}

function put<Type extends ChangeType, Item extends Identified>(
  type: Type,
  item: Item,
  parent_id: number | null = null,
) {
  if (item.id === null) throw new Error('only birthdays have no id')
  return { type, id: item.id, op: 'put' as const, parent_id, version: item.version ?? null, item }
}

/** The deletion of an item that the reader had, or never saw. */
export const gone = (type: ChangeType, id: number): ChangeView => ({
  type,
  id,
  op: 'delete',
  parent_id: null,
  version: null,
  item: null,
})

/**
 * Returns the changes of these items, in their order: as the reader sees them now, or gone if they may know them. Read the journal
 * before: what changes meanwhile comes again.
 */
export async function readItems(
  deps: WriteDeps,
  session: SessionKey,
  entries: readonly LogEntry[],
  mayBeKnown: (entry: LogEntry) => boolean,
): Promise<ChangeView[]> {
  const read = readers(deps, session)
  const puts = new Map<string, ChangeView>()
  for (const [type, wanted] of Map.groupBy(entries, (entry) => entry.type)) {
    const ids = wanted.map(({ item }) => item)
    for (const change of await read[type](ids)) puts.set(keyOf({ type, item: change.id }), change)
  }
  return entries.flatMap(
    (entry) => puts.get(keyOf(entry)) ?? (mayBeKnown(entry) ? gone(entry.type, entry.item) : []),
  )
}
