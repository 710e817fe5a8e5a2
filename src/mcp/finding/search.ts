import { readEvent } from '../../features/events/events/service'
import { pagePeopleById } from '../../features/people/people/service'
import { search } from '../../features/overview/search/service'
import { pageProjectsById } from '../../features/tasks/projects/service'
import { pageRemindersById } from '../../features/tasks/reminders/service'
import { pageTasksById } from '../../features/tasks/tasks/service'
import { pageTodosById } from '../../features/tasks/todos/service'
import { isNotFound } from '../refusals'
import { type Assistant, zoneFor } from '../assistant'
import { eventItems } from '../items/events'
import type { AssistantItem } from '../items/item'
import { personItems } from '../items/people'
import { projectItem, reminderItem, taskItem, todoItem } from '../items/views'
import { readAfter, type Sought, type FoundKind } from './question'
import type { ItemSource } from './sources'

/** The kinds that the search of the service covers, by its names for them. */
const SEARCHED = {
  event: 'events',
  todo: 'todos',
  reminder: 'reminders',
  task: 'tasks',
  person: 'people',
  project: 'projects',
} as const satisfies Partial<Record<FoundKind, string>>

export type SearchedKind = keyof typeof SEARCHED

export const isSearched = (kind: FoundKind): kind is SearchedKind => Object.hasOwn(SEARCHED, kind)

/** Records that are read together, and the most that a search finds. */
const [PAGE, MOST] = [25, 200]

type Loader = (assistant: Assistant, ids: readonly number[]) => Promise<AssistantItem[]>

const LOADERS: Record<SearchedKind, Loader> = {
  event: async (assistant, ids) => {
    const { deps, session } = assistant
    const found = await Promise.all(ids.map((id) => readEvent(deps, session.userId, id).catch(unlessGone)))
    return eventItems(
      assistant,
      found.flatMap((event) => event ?? []),
    )
  },
  todo: async ({ deps, session }, ids) => (await pageTodosById(deps, session.userId, { ids })).map(todoItem),
  reminder: async (assistant, ids) => {
    const found = await pageRemindersById(assistant.deps, assistant.session.userId, { ids })
    return found.map((one) => reminderItem(zoneFor(assistant), one))
  },
  task: async ({ deps, session }, ids) => (await pageTasksById(deps, session.userId, { ids })).map(taskItem),
  person: async (assistant, ids) =>
    personItems(assistant, await pagePeopleById(assistant.deps, assistant.session, { ids })),
  project: async ({ deps, session }, ids) =>
    (await pageProjectsById(deps, session.userId, { ids })).map(projectItem),
}

function unlessGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}

/** The best matches of the query first, whatever their kind. */
export const searchSource =
  (assistant: Assistant, query: string, kinds: readonly SearchedKind[], asked: Sought): ItemSource =>
  async (after) => {
    const { deps, session } = assistant
    const types = kinds.map((kind) => SEARCHED[kind]).join(',')
    const begin = readAfter(after)
    const hits = await search(deps, session, { q: query, types, limit: MOST })
    const some = hits.slice(begin, begin + PAGE)
    const loaded = await Promise.all(kinds.map((kind) => LOADERS[kind](assistant, idsOf(some, kind))))
    const byKey = new Map(loaded.flat().map((item) => [`${item.type} ${item.id}`, item]))
    return {
      items: some.flatMap(({ type, id }) => byKey.get(`${type} ${id}`) ?? []).filter(isWanted(asked)),
      next: begin + PAGE < hits.length ? String(begin + PAGE) : null,
    }
  }

const idsOf = (
  hits: ReadonlyArray<{ readonly type: string; readonly id: number }>,
  kind: SearchedKind,
): number[] => hits.filter(({ type }) => type === kind).map(({ id }) => id)

/** Whether the item is done, or not, where that was asked for. */
const isWanted =
  ({ done }: Sought) =>
  ({ completed, status, is_dismissed: isDismissed }: AssistantItem): boolean =>
    done === undefined || done === (completed === true || status === 'completed' || isDismissed === true)
