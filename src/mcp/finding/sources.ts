import { listCalendars } from '../../features/calendars/calendars/service'
import { listEvents } from '../../features/events/windows/service'
import { upcomingBirthdays } from '../../features/people/birthdays/service'
import { listPeople } from '../../features/people/people/service'
import { pageProjectsById } from '../../features/tasks/projects/service'
import { listReminders } from '../../features/tasks/reminders/service'
import { pageTasksById } from '../../features/tasks/tasks/service'
import { listTodoLists } from '../../features/tasks/todo-lists/service'
import { listTodos } from '../../features/tasks/todos/service'
import { todayOf } from '../../access/reader/service'
import { invalid } from '../../lib/errors'
import { addDaysTo, daysBetween } from '../../lib/time/wall-time'
import { type Assistant, zoneFor } from '../assistant'
import { eventItems } from '../items/events'
import { type AssistantItem, present, told } from '../items/item'
import { birthdayItems, personItems } from '../items/people'
import { projectItem, reminderItem, taskItem, todoItem, todoListItem } from '../items/views'
import { countIn, type FoundKind, type Sought } from './question'

/** Some of what was asked for, and where the rest begins. */
interface FoundPage {
  readonly items: readonly AssistantItem[]
  readonly next: string | null
}

/** A list of records, page by page. */
export type ItemSource = (after: string | null) => Promise<FoundPage>

/** The most records that one page of a source has. */
const PAGE = 50
/** Without days, events and birthdays of so many days from today are found. */
const DAYS_AHEAD = 30
/** The most days in which events and birthdays are looked for. */
const MOST_DAYS = 400

interface Seeking {
  readonly assistant: Assistant
  readonly asked: Sought
}

/** Where records of a kind come from. */
export const sourceOf = (kind: FoundKind, asking: Seeking): ItemSource => {
  const read = SOURCES[kind]
  return (after) => read(asking, after)
}

type PageReader = (asking: Seeking, after: string | null) => Promise<FoundPage>

/** A page after the cursor of the page before. */
const paging = (after: string | null) => ({ limit: PAGE, ...(after !== null && { cursor: after }) })

/** The days that were asked for; by default the next thirty. */
function daysOf({ assistant: { deps, session }, asked }: Seeking) {
  const from = asked.from ?? todayOf(deps, session.owner)
  return { from, to: asked.to ?? addDaysTo(from, DAYS_AHEAD) }
}

const events: PageReader = async (asking, after) => {
  const { assistant, asked } = asking
  const { from, to } = daysOf(asking)
  const { events: all } = await listEvents(assistant.deps, assistant.session, {
    from,
    to: addDaysTo(to, 1),
    ...(asked.query !== undefined && { q: asked.query }),
  })
  // Birthdays are a kind of their own.
  const own = all.filter(({ is_virtual }) => !is_virtual)
  const begin = countIn(after)
  const items = await eventItems(assistant, own.slice(begin, begin + PAGE))
  return { items, next: begin + PAGE < own.length ? String(begin + PAGE) : null }
}

const todos: PageReader = async ({ assistant: { deps, session }, asked }, after) => {
  const { query, from, to, done, overdue } = asked
  const isDated = from !== undefined || to !== undefined
  const { todos: found, next_cursor } = await listTodos(deps, session.userId, {
    ...paging(after),
    ...(query !== undefined && { q: query }),
    ...(from !== undefined && !overdue && { due_from: from }),
    ...(to !== undefined && { due_to: to }),
    ...(done !== undefined && { completed: done }),
    ...(isDated && { sort: 'due_date' as const }),
  })
  // Those without a due date are listed last.
  const wanted = isDated ? found.filter(({ due_date }) => due_date !== null) : found
  return { items: wanted.map(todoItem), next: next_cursor }
}

const reminders: PageReader = async ({ assistant, asked }, after) => {
  const { deps, session } = assistant
  const { from, to, done, overdue, query } = asked
  const { reminders: found, next_cursor } = await listReminders(deps, session, {
    ...paging(after),
    state: done === true ? 'dismissed' : 'all',
    ...(from !== undefined && !overdue && { from }),
    ...(to !== undefined && { to }),
  })
  const isDated = from !== undefined || to !== undefined
  const items = found
    .filter((one) => done !== false || (!one.is_dismissed && one.is_active))
    .filter((one) => !isDated || one.remind_at !== null)
    .filter((one) => mentions(query, one.title, one.description))
    .map((one) => reminderItem(zoneFor(assistant), one))
  return { items, next: next_cursor }
}

const tasks: PageReader = async ({ assistant: { deps, session }, asked }, after) => {
  const { from = '', to, done, overdue, query } = asked
  const isDated = asked.from !== undefined || to !== undefined
  const isWithin = (due: string | null) =>
    due === null ? !isDated : (overdue === true || due >= from) && (to === undefined || due <= to)
  const rows = await pageTasksById(deps, session.userId, { afterId: countIn(after), limit: PAGE })
  const items = rows
    .filter(({ due_date }) => isWithin(due_date))
    .filter(({ status }) => done === undefined || (status === 'completed') === done)
    .filter(({ title, description }) => mentions(query, title, description))
    .map(taskItem)
  return { items, next: nextId(rows) }
}

const projects: PageReader = async ({ assistant: { deps, session }, asked: { query } }, after) => {
  const rows = await pageProjectsById(deps, session.userId, { afterId: countIn(after), limit: PAGE })
  const items = rows.filter(({ name, description }) => mentions(query, name, description)).map(projectItem)
  return { items, next: nextId(rows) }
}

const nextId = (rows: ReadonlyArray<{ readonly id: number }>): string | null =>
  rows.length < PAGE ? null : String(rows.at(-1)?.id)

const people: PageReader = async ({ assistant, asked: { query } }, after) => {
  const { deps, session } = assistant
  const page = await listPeople(deps, session, { ...paging(after), ...(query !== undefined && { q: query }) })
  return { items: await personItems(assistant, page.people), next: page.next_cursor }
}

const birthdays: PageReader = async (asking, after) => {
  const { assistant, asked } = asking
  const { deps, session } = assistant
  const { from, to } = daysOf(asking)
  const days = daysBetween(from, to)
  if (days < 0 || days > MOST_DAYS) {
    const message = `must be after from, and at most ${MOST_DAYS} days after it`
    throw invalid([{ field: 'to', message }])
  }
  const all = await upcomingBirthdays(deps, session, days, from)
  const found = all.filter(({ name }) => mentions(asked.query, name))
  const begin = countIn(after)
  const items = await birthdayItems(assistant, found.slice(begin, begin + PAGE))
  return { items, next: begin + PAGE < found.length ? String(begin + PAGE) : null }
}

const calendars: PageReader = async ({ assistant: { deps, session }, asked: { query } }, after) => {
  const page = await listCalendars(deps, session.userId, paging(after))
  const items = page.calendars
    .filter(({ name }) => mentions(query, name))
    .map(({ id, name, access, owner_network_name, is_default, is_system }) => ({
      type: 'calendar',
      id,
      ...present({
        title: told(name, access === 'owner' ? null : owner_network_name),
        access,
        is_default: is_default || null,
        is_read_only: is_system || null,
      }),
    }))
  return { items, next: page.next_cursor }
}

const todoLists: PageReader = async ({ assistant: { deps, session }, asked: { query } }, after) => {
  const page = await listTodoLists(deps, session.userId, paging(after))
  return {
    items: page.todo_lists.filter(({ name }) => mentions(query, name)).map(todoListItem),
    next: page.next_cursor,
  }
}

/** Whether one of the texts contains the query, regardless of case. */
const mentions = (query: string | undefined, ...texts: ReadonlyArray<string | null>): boolean =>
  query === undefined || texts.some((text) => text?.toLowerCase().includes(query.toLowerCase()) ?? false)

const SOURCES: Record<FoundKind, PageReader> = {
  event: events,
  todo: todos,
  reminder: reminders,
  task: tasks,
  birthday: birthdays,
  person: people,
  project: projects,
  calendar: calendars,
  todo_list: todoLists,
}
