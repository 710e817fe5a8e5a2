import { allows, type Area, type Granted, mayRead } from './scopes'

/** What a column of a table refers to. */
export interface Reference {
  readonly column: string
  readonly to: TableName
}

/** Types of items that can be in the trash. */
export type TrashType =
  | 'calendar'
  | 'event'
  | 'event_template'
  | 'todo_list'
  | 'todo'
  | 'reminder'
  | 'project'
  | 'task'
  | 'comment'
  | 'person'
  | 'address_book'

/** What an operation that can be undone may change. */
type TouchedType = TrashType | 'settings'

interface TableRules {
  /** The area whose scope an access token needs; null where no token may. */
  readonly area: Area | null
  /** The item that the row is, or is part of. */
  readonly type: TouchedType
  /** The columns of the primary key, whose values `row_key` joins. */
  readonly key: readonly string[]
  /** Without these a row cannot be; the first says in what it is. */
  readonly within?: readonly Reference[]
  /** What the row names, and can be without. */
  readonly link?: Reference
  /** The columns that identify the list in which the row has a rank. */
  readonly list?: readonly string[]
  /** The columns with which `named` is unique. */
  readonly named?: 'name'
  /** The columns that identify the row in other programs. */
  readonly uid?: readonly string[]
}

/** The tables of which history is kept, each after those that it refers to (contract: undo.restoring). */
const TABLES = {
  users: { area: null, type: 'settings', key: ['id'] },
  settings: { area: null, type: 'settings', key: ['user_id'] },
  calendars: { area: 'calendars', type: 'calendar', key: ['id'], named: 'name' },
  events: {
    area: 'calendars',
    type: 'event',
    key: ['id'],
    within: [{ column: 'calendar_id', to: 'calendars' }],
    uid: ['calendar_id', 'uid'],
  },
  event_occurrences: {
    area: 'calendars',
    type: 'event',
    key: ['event_id', 'occurrence_start'],
    within: [{ column: 'event_id', to: 'events' }],
  },
  event_extra_starts: {
    area: 'calendars',
    type: 'event',
    key: ['event_id', 'start'],
    within: [{ column: 'event_id', to: 'events' }],
  },
  event_sources: {
    area: 'calendars',
    type: 'event',
    key: ['event_id'],
    within: [{ column: 'event_id', to: 'events' }],
  },
  event_texts: {
    area: 'calendars',
    type: 'event',
    key: ['event_id'],
    within: [{ column: 'event_id', to: 'events' }],
  },
  event_invitations: {
    area: 'calendars',
    type: 'event',
    key: ['id'],
    within: [{ column: 'event_id', to: 'events' }],
    link: { column: 'display_calendar_id', to: 'calendars' },
  },
  occurrence_responses: {
    area: 'calendars',
    type: 'event',
    key: ['invitation_id', 'occurrence_start'],
    within: [{ column: 'invitation_id', to: 'event_invitations' }],
  },
  event_templates: {
    area: 'calendars',
    type: 'event_template',
    key: ['id'],
    link: { column: 'calendar_id', to: 'calendars' },
    named: 'name',
  },
  todo_lists: { area: 'tasks', type: 'todo_list', key: ['id'], list: ['user_id'], named: 'name' },
  todos: {
    area: 'tasks',
    type: 'todo',
    key: ['id'],
    within: [{ column: 'list_id', to: 'todo_lists' }],
    list: ['user_id'],
  },
  todo_texts: {
    area: 'tasks',
    type: 'todo',
    key: ['todo_id'],
    within: [{ column: 'todo_id', to: 'todos' }],
  },
  reminders: { area: 'tasks', type: 'reminder', key: ['id'] },
  reminder_texts: {
    area: 'tasks',
    type: 'reminder',
    key: ['reminder_id'],
    within: [{ column: 'reminder_id', to: 'reminders' }],
  },
  projects: { area: 'tasks', type: 'project', key: ['id'], list: ['user_id'] },
  project_tasks: {
    area: 'tasks',
    type: 'task',
    key: ['id'],
    within: [
      { column: 'project_id', to: 'projects' },
      { column: 'parent_task_id', to: 'project_tasks' },
    ],
    list: ['project_id', 'parent_task_id'],
  },
  task_comments: {
    area: 'tasks',
    type: 'comment',
    key: ['id'],
    within: [{ column: 'task_id', to: 'project_tasks' }],
  },
  address_books: { area: 'people', type: 'address_book', key: ['id'], list: ['user_id'], named: 'name' },
  people: {
    area: 'people',
    type: 'person',
    key: ['id'],
    within: [{ column: 'book_id', to: 'address_books' }],
    uid: ['book_id', 'vcard_uid'],
  },
  person_texts: {
    area: 'people',
    type: 'person',
    key: ['person_id'],
    within: [{ column: 'person_id', to: 'people' }],
  },
  loose_cards: {
    area: 'people',
    type: 'person',
    key: ['id'],
    within: [{ column: 'book_id', to: 'address_books' }],
    uid: ['book_id', 'uid'],
  },
} as const satisfies Readonly<
  Record<string, Omit<TableRules, 'within' | 'link'> & { within?: unknown; link?: unknown }>
>

export type TableName = keyof typeof TABLES

export const rulesOf = (table: TableName): TableRules => TABLES[table]

const isTable = (name: string): name is TableName => Object.hasOwn(TABLES, name)

/** All tables in an order in which each follows those that it refers to. */
export const IN_ORDER: readonly TableName[] = Object.keys(TABLES).filter(isTable)

/** Types whose items can be in the trash, with their tables. */
const TRASHED: Readonly<Record<TrashType, TableName>> = {
  calendar: 'calendars',
  event: 'events',
  event_template: 'event_templates',
  todo_list: 'todo_lists',
  todo: 'todos',
  reminder: 'reminders',
  project: 'projects',
  task: 'project_tasks',
  comment: 'task_comments',
  person: 'people',
  address_book: 'address_books',
}

export const isTrashType = (type: string): type is TrashType => Object.hasOwn(TRASHED, type)
export const TRASH_TYPES: readonly TrashType[] = Object.keys(TRASHED).filter(isTrashType)
export const tableOf = (type: TrashType): TableName => TRASHED[type]

/** The words for what has to be restored first. */
export const WORDS: Partial<Record<TableName, string>> = {
  calendars: 'calendar',
  todo_lists: 'list',
  projects: 'project',
  project_tasks: 'task',
  address_books: 'address book',
}

/** What was in these comes back without them once they are gone for good: a todo into the default list, a person into the default address book. */
export const isReplaceable = (table: TableName): boolean =>
  table === 'todo_lists' || table === 'address_books'

/** Whether the caller may change rows of the table: always with a session. */
export const mayWriteIn = ({ token }: Granted, table: TableName): boolean => {
  const { area } = rulesOf(table)
  return !token || (area !== null && allows(token.scopes, `${area}:write`))
}

/** The tables whose rows the caller may read: all with a session. */
export const readableTables = (caller: Granted): readonly TableName[] =>
  IN_ORDER.filter((table) => {
    const { area } = rulesOf(table)
    return area === null ? caller.token === undefined : mayRead(caller, area)
  })
