import { type Area, type Granted, mayRead } from '../../../lib/scopes'

/** The kinds of items. Cursors name them by their place here, so further ones are added at the end. */
export const TYPES = [
  'calendar',
  'event',
  'event_template',
  'todo',
  'reminder',
  'project',
  'task',
  'comment',
  'person',
  'connection',
  'connection_request',
  'calendar_invite',
  'notification',
  'settings',
  'todo_list',
  'address_book',
] as const
export type ChangeType = (typeof TYPES)[number]

/** The area whose records they are; `own` is the reader's own overview. */
const AREAS: Readonly<Record<ChangeType, Area | 'own'>> = {
  calendar: 'calendars',
  event: 'calendars',
  event_template: 'calendars',
  todo_list: 'tasks',
  todo: 'tasks',
  reminder: 'tasks',
  project: 'tasks',
  task: 'tasks',
  comment: 'tasks',
  person: 'people',
  connection: 'people',
  connection_request: 'people',
  calendar_invite: 'calendars',
  notification: 'own',
  settings: 'own',
  address_book: 'people',
}

/** The types that the caller may read (contract: tokens.scopes). */
export const readableTypes = (caller: Granted): readonly ChangeType[] =>
  TYPES.filter((type) => {
    const area = AREAS[type]
    return area === 'own' || mayRead(caller, area)
  })

/** The types in a comma-separated list, or all, in so far as they may be read. */
export function typesOf(list: string | undefined, readable: readonly ChangeType[]): readonly ChangeType[] {
  const named = list?.split(',').map((name) => name.trim())
  return TYPES.filter((type) => readable.includes(type) && (named?.includes(type) ?? true))
}
