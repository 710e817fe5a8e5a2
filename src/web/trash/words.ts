import type { TrashItemView } from '../../features/overview/trash/model'
import { counted, defineMessages } from '../messages/messages'
import type { IconName } from '../parts/Icon'

export type TrashedKind = TrashItemView['type']

/** The kinds of things that can be in the trash, in the order in which they are offered. */
export const TRASHED_KINDS = [
  'event',
  'todo',
  'reminder',
  'project',
  'task',
  'comment',
  'person',
  'calendar',
  'todo_list',
  'address_book',
  'event_template',
] as const satisfies readonly TrashedKind[]

export const KIND_ICONS: Readonly<Record<TrashedKind | 'settings', IconName>> = {
  event: 'calendar',
  todo: 'todos',
  reminder: 'reminders',
  project: 'projects',
  task: 'todos',
  comment: 'edit',
  person: 'people',
  calendar: 'calendar',
  todo_list: 'todos',
  address_book: 'people',
  event_template: 'copy',
  settings: 'settings',
}

/** What a person calls one thing of a kind. */
export const kindNames = defineMessages({
  en: {
    event: 'Event',
    todo: 'Todo',
    reminder: 'Reminder',
    project: 'Project',
    task: 'Task',
    comment: 'Comment',
    person: 'Person',
    calendar: 'Calendar',
    todo_list: 'Todo list',
    address_book: 'Address book',
    event_template: 'Template',
    settings: 'Settings',
  },
  de: {
    event: 'Termin',
    todo: 'Aufgabe',
    reminder: 'Erinnerung',
    project: 'Projekt',
    task: 'Projektaufgabe',
    comment: 'Kommentar',
    person: 'Person',
    calendar: 'Kalender',
    todo_list: 'Aufgabenliste',
    address_book: 'Adressbuch',
    event_template: 'Vorlage',
    settings: 'Einstellungen',
  },
})

/** What was in a thing of a kind, and goes and comes back with it. */
export const insideNames = defineMessages({
  en: {
    calendar: (count: number) => `with ${count} ${counted(count, 'event', 'events')}`,
    todo_list: (count: number) => `with ${count} ${counted(count, 'todo', 'todos')}`,
    address_book: (count: number) => `with ${count} ${counted(count, 'person', 'people')}`,
    other: (count: number) => `with ${count} ${counted(count, 'thing', 'things')} in it`,
  },
  de: {
    calendar: (count) => `mit ${count} ${counted(count, 'Termin', 'Terminen')}`,
    todo_list: (count) => `mit ${count} ${counted(count, 'Aufgabe', 'Aufgaben')}`,
    address_book: (count) => `mit ${count} ${counted(count, 'Person', 'Personen')}`,
    other: (count) => `mit ${count} ${counted(count, 'Eintrag', 'Einträgen')} darin`,
  },
})

type InsideNames = Readonly<Record<keyof (typeof insideNames)['en'], (count: number) => string>>

/** Says what was in something; undefined when nothing was. */
export function insideOf({ type, contains }: Pick<TrashItemView, 'type' | 'contains'>, m: InsideNames) {
  if (contains === 0) return undefined
  const name = type === 'calendar' || type === 'todo_list' || type === 'address_book' ? type : 'other'
  return m[name](contains)
}
