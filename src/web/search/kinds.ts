import type { SearchResult } from '../../features/overview/search/model'
import { eventAddress, PATTERNS } from '../app/addresses'
import { counted, defineMessages } from '../messages/messages'
import type { IconName } from '../parts/Icon'

export type { SearchResult }

interface FoundKind {
  readonly type: SearchResult['type']
  /** As the service and the address of a search call it. */
  readonly name: 'events' | 'todos' | 'reminders' | 'projects' | 'tasks' | 'people'
  readonly icon: IconName
}

/** What can be found, in the order in which it is shown. */
export const KINDS: readonly FoundKind[] = [
  { type: 'event', name: 'events', icon: 'calendar' },
  { type: 'todo', name: 'todos', icon: 'todos' },
  { type: 'reminder', name: 'reminders', icon: 'reminders' },
  { type: 'task', name: 'tasks', icon: 'done' },
  { type: 'project', name: 'projects', icon: 'projects' },
  { type: 'person', name: 'people', icon: 'people' },
]

export type KindName = FoundKind['name']

export const kindNames = defineMessages({
  en: {
    event: 'Event', todo: 'Todo', reminder: 'Reminder', task: 'Task', project: 'Project', person: 'Person',
    events: 'Events', todos: 'Todos', reminders: 'Reminders', tasks: 'Tasks', projects: 'Projects', people: 'People',
    count: (count: number) => counted(count, '1 result', `${count} results`),
  },
  de: {
    event: 'Termin', todo: 'Aufgabe', reminder: 'Erinnerung', task: 'Projektaufgabe', project: 'Projekt', person: 'Person',
    events: 'Termine', todos: 'Aufgaben', reminders: 'Erinnerungen', tasks: 'Projektaufgaben', projects: 'Projekte',
    people: 'Personen',
    count: (count: number) => counted(count, '1 Treffer', `${count} Treffer`),
  },
}) // prettier-ignore

/** The page of what was found; an event without its occurrence. */
export function addressOf({ type, id, parent_id: parent }: SearchResult): string {
  if (type === 'event') return eventAddress(id)
  if (type !== 'task') return PATTERNS[type].replace(':id', String(id))
  return PATTERNS.task.replace(':id', String(parent)).replace(':task', String(id))
}

/** The page of a search. */
export const searchAddress = (text: string, types: readonly KindName[] = []): string => {
  const query = new URLSearchParams({
    ...(text !== '' && { q: text }),
    ...(types.length > 0 && { types: types.join() }),
  })
  return query.size === 0 ? PATTERNS.search : `${PATTERNS.search}?${query}`
}
