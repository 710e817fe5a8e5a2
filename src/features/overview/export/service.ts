import type { Deps } from '../../../deps'
import type { PageById } from '../../../lib/wire/page'
import { type Area, mayRead } from '../../../lib/scopes'
import { pauses } from '../../../lib/pauses'
import { inPieces, streamOf } from '../../../lib/text-stream'
import { formatInstant } from '../../../lib/time/time'
import { listSessions } from '../../identity/active-sessions/service'
import { pageAddressBooksById } from '../../people/address-books/service'
import { pageBlocksById } from '../../people/blocks/service'
import { pageMembersById } from '../../calendars/members/service'
import { pageCalendarsById } from '../../calendars/calendars/service'
import { pageCommentsById } from '../../tasks/comments/service'
import { pageRequestsById } from '../../people/requests/service'
import { pageConnectionsById } from '../../people/connections/service'
import { pageEventsById } from '../../events/exports/service'
import { keptTextsOf } from '../../calendars/event-files/service'
import { pageInvitationsById } from '../../events/invitations/service'
import { pageEventTemplatesById } from '../../events/templates/service'
import { pageNotificationsById } from '../../notifications/notifications/service'
import { listTokens } from '../../identity/tokens/service'
import { listIdentities } from '../../identity/identities/service'
import { listPasskeys } from '../../identity/passkeys/service'
import { pageContactGroups, pageExportedPeople } from '../../people/vcards/service.account'
import { pageProjectsById } from '../../tasks/projects/service'
import { pageRemindersById } from '../../tasks/reminders/service'
import { refuseEnded } from '../../../access/sessions/service'
import { type Reader } from '../../../access/reader/service'
import { readSettings } from '../../identity/settings/service'
import { pageTasksById } from '../../tasks/tasks/service'
import { pageTodoListsById } from '../../tasks/todo-lists/service'
import { keptTextsOfReminders } from '../../tasks/reminder-files/service'
import { keptTextsOfTodos } from '../../tasks/todo-files/service'
import { pageTodosById } from '../../tasks/todos/service'
import { viewUser } from '../../administration/directory/service'
import type { HeadView, LongLists } from './model'

type ExportDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log' | 'calendarFiles'>

/** Records per page. It shrinks for long texts, because a page is loaded into memory as a whole. */
const PAGE = { first: 50, least: 10, most: 500 }
/** Target size of a page, in characters. */
const PAGE_LENGTH = 1_048_576

/**
 * Streams everything that the account owns as one JSON document. No transaction stays open while the client pauses, and the next
 * page is read only when the client is ready for it. If reading fails, the stream breaks off, and what was sent is not valid
 * JSON.
 */
export async function exportAccount(deps: ExportDeps, reader: Reader): Promise<ReadableStream<Uint8Array>> {
  const refuseSignedOut = () => refuseEnded(deps.db, reader, deps.clock.now())
  const parts = partsOf(await readHead(deps, reader), longLists(deps, reader), refuseSignedOut)
  const pieces = inPieces(parts, pauses(deps.clock))
  return streamOf(pieces, deps.log, { user_id: reader.userId })
}

async function readHead(deps: ExportDeps, reader: Reader): Promise<HeadView> {
  const { userId, owner, token } = reader
  const settings = readSettings(deps, owner)
  const [user, passkeys, identities, sessions, access_tokens] = await Promise.all([
    viewUser(deps.db, deps, userId),
    token ? [] : listPasskeys(deps, userId),
    token ? [] : listIdentities(deps, userId),
    token ? [] : listSessions(deps, userId, reader.id),
    token ? [] : listTokens(deps, userId),
  ])
  return {
    format: 'organiser-export',
    version: 1,
    exported_at: formatInstant(deps.config.timeZone, deps.clock.now()),
    profile: { ...user, date_of_birth: settings.date_of_birth, network_name: settings.network_name },
    settings,
    passkeys,
    identities,
    sessions,
    access_tokens,
  }
}

type ReadPage<Name extends keyof LongLists> = (byId: PageById) => Promise<LongLists[Name]>

/** Reads each list, in the order of the document. */
function longLists(deps: ExportDeps, reader: Reader): { readonly [Name in keyof LongLists]: ReadPage<Name> } {
  const { userId } = reader
  const [ofCalendars, ofTasks, ofPeople] = [
    listOf(reader, 'calendars'),
    listOf(reader, 'tasks'),
    listOf(reader, 'people'),
  ]
  return {
    calendars: ofCalendars((byId) => pageCalendarsById(deps, userId, byId)),
    calendar_members: ofCalendars((byId) => pageMembersById(deps, userId, byId)),
    events: ofCalendars((byId) => pageWrittenEvents(deps, userId, byId)),
    event_templates: ofCalendars((byId) => pageEventTemplatesById(deps, userId, byId)),
    event_invitations: ofCalendars((byId) => pageInvitationsById(deps, userId, byId)),
    todo_lists: ofTasks((byId) => pageTodoListsById(deps, userId, byId)),
    todos: ofTasks((byId) => pageWrittenTodos(deps, userId, byId)),
    reminders: ofTasks((byId) => pageWrittenReminders(deps, userId, byId)),
    projects: ofTasks((byId) => pageProjectsById(deps, userId, byId)),
    tasks: ofTasks((byId) => pageTasksById(deps, userId, byId)),
    comments: ofTasks((byId) => pageCommentsById(deps, userId, byId)),
    address_books: ofPeople((byId) => pageAddressBooksById(deps, userId, byId)),
    people: ofPeople((byId) => pageExportedPeople(deps, reader, byId)),
    contact_groups: ofPeople((byId) => pageContactGroups(deps, userId, byId)),
    connections: ofPeople((byId) => pageConnectionsById(deps, userId, byId)),
    connection_requests: ofPeople((byId) => pageRequestsById(deps, userId, byId)),
    blocks: ofPeople((byId) => pageBlocksById(deps, userId, byId)),
    notifications: (byId) => pageNotificationsById(deps, userId, byId),
  }
}

async function pageWrittenTodos(
  deps: ExportDeps,
  userId: number,
  byId: PageById,
): Promise<LongLists['todos']> {
  const todos = await pageTodosById(deps, userId, byId)
  const texts = await keptTextsOfTodos(
    deps,
    deps.db,
    todos.map(({ id }) => id),
  )
  return todos.map((todo) => ({ ...todo, icalendar: texts.get(todo.id)?.text ?? null }))
}

async function pageWrittenReminders(
  deps: ExportDeps,
  userId: number,
  byId: PageById,
): Promise<LongLists['reminders']> {
  const reminders = await pageRemindersById(deps, userId, byId)
  const texts = await keptTextsOfReminders(
    deps,
    deps.db,
    reminders.map(({ id }) => id),
  )
  return reminders.map((reminder) => ({ ...reminder, icalendar: texts.get(reminder.id)?.text ?? null }))
}

/** Reads events with their texts. */
async function pageWrittenEvents(
  deps: ExportDeps,
  userId: number,
  byId: PageById,
): Promise<LongLists['events']> {
  const events = await pageEventsById(deps, userId, byId)
  const texts = await keptTextsOf(
    deps,
    deps.db,
    events.map(({ id }) => id ?? 0),
  )
  return events.map((event) => ({ ...event, icalendar: texts.get(event.id ?? 0) ?? null }))
}

/** Empties the lists of an area that the caller's access token may not read. */
const listOf =
  (reader: Reader, area: Area) =>
  <Row>(read: (byId: PageById) => Promise<Row[]>): ((byId: PageById) => Promise<Row[]>) =>
    mayRead(reader, area) ? read : async () => []

type Records = ReadonlyArray<{ readonly id: number | null }>
type Lists = Readonly<Record<string, (byId: PageById) => Promise<Records>>>

/** Stops the export once its session has ended, so that a user who was signed out gets no more data. */
type RefuseSignedOut = () => Promise<void>

async function* partsOf(
  head: HeadView,
  lists: Lists,
  refuseSignedOut: RefuseSignedOut,
): AsyncGenerator<string, void, void> {
  yield JSON.stringify(head).slice(0, -1)
  for (const [name, read] of Object.entries(lists)) {
    yield `,${JSON.stringify(name)}:`
    let separator = '['
    for await (const record of recordsOf(read, refuseSignedOut)) {
      yield separator + record
      separator = ','
    }
    yield separator === '[' ? '[]' : ']'
  }
  yield '}'
}

/** Reads page by page; the size of each page is estimated from the one before. */
async function* recordsOf(
  read: (byId: PageById) => Promise<Records>,
  refuseSignedOut: RefuseSignedOut,
): AsyncGenerator<string, void, void> {
  let afterId: number | null | undefined = 0
  let limit = PAGE.first
  while (afterId != null) {
    await refuseSignedOut()
    const page: Records = await read({ afterId, limit })
    let length = 0
    for (const record of page) {
      const text = JSON.stringify(record)
      length += text.length
      yield text
    }
    afterId = page.at(-1)?.id
    const fitting = Math.floor((PAGE_LENGTH * page.length) / length)
    limit = Math.min(PAGE.most, Math.max(PAGE.least, fitting))
  }
}
