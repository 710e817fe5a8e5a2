import type { OperationsPage, OperationView } from '../../features/overview/operations/model'
import type { RestoredView, TrashItemView, TrashPage } from '../../features/overview/trash/model'
import { type Answer, call, pathOf, queryOf } from '../api/call'
import { randomKey } from '../api/random'
import type { ListPage } from '../api/use-pages'
import { PATTERNS } from '../app/addresses'
import type { TrashedKind } from './words'

const PAGE = 100

export async function readTrash(
  type: TrashedKind | undefined,
  cursor: string | undefined,
): Promise<ListPage<TrashItemView>> {
  const { body } = await call<TrashPage>('GET', `trash${queryOf({ type, cursor, limit: PAGE })}`)
  return { items: body.items, next: body.next_cursor }
}

export async function readOperations(cursor: string | undefined): Promise<ListPage<OperationView>> {
  const { body } = await call<OperationsPage>('GET', `operations${queryOf({ cursor, limit: PAGE })}`)
  return { items: body.operations, next: body.next_cursor }
}

export const restore = (id: number): Promise<Answer<RestoredView>> =>
  call('POST', pathOf`trash/${id}/restore`, { idempotencyKey: randomKey() })

export const deleteForGood = (id: number): Promise<Answer<undefined>> => call('DELETE', pathOf`trash/${id}`)

export const emptyTrash = (): Promise<Answer<undefined>> => call('DELETE', 'trash')

/** The list in which something shows that has no page of its own. */
const LISTS: Readonly<Record<string, string>> = {
  address_book: PATTERNS.people,
  todo_list: PATTERNS.todos,
  event_template: PATTERNS.settingsCalendars,
}

const PLACES: Readonly<Record<string, string>> = {
  event: 'events',
  todo: 'todos',
  reminder: 'reminders',
  project: 'projects',
  person: 'people',
  calendar: 'settings/calendars',
}

/** Where something that came back shows. */
export function addressOf({ type, id, item }: RestoredView): string {
  if (type === 'task') return `/projects/${item.project_id}/tasks/${id}`
  if (type === 'comment') return `/projects/${item.project_id}/tasks/${item.task_id}`
  return LISTS[type] ?? `/${PLACES[type]}/${id}`
}
