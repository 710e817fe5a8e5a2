import type { Deps } from '../../../deps'
import type { PageById } from '../../../lib/wire/page'
import { pauses } from '../../../lib/pauses'
import { inPieces, streamOf } from '../../../lib/text-stream'
import { formatInstant } from '../../../lib/time/time'
import { listSessions } from '../../identity/active-sessions/service'
import { pageBlocksById } from '../../people/blocks/service'
import { pageMembersById } from '../../calendars/members/service'
import { pageCalendarsById } from '../../calendars/calendars/service'
import { pageCommentsById } from '../../tasks/comments/service'
import { pageRequestsById } from '../../people/requests/service'
import { pageConnectionsById } from '../../people/connections/service'
import { pageEventsById } from '../../events/exports/service'
import { pageInvitationsById } from '../../events/invitations/service'
import { pageEventTemplatesById } from '../../events/templates/service'
import { pageNotificationsById } from '../../notifications/notifications/service'
import { listPasskeys } from '../../identity/passkeys/service'
import { pagePeopleById } from '../../people/people/service'
import { pageProjectsById } from '../../tasks/projects/service'
import { pageRemindersById } from '../../tasks/reminders/service'
import { authenticate } from '../../../access/sessions/service'
import { type Reader } from '../../../access/reader/service'
import { readSettings } from '../../identity/settings/service'
import { pageTasksById } from '../../tasks/tasks/service'
import { pageTodosById } from '../../tasks/todos/service'
import { viewUser } from '../../administration/directory/service'
import type { HeadView, LongLists } from './model'

type ExportDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log'>

/** How many records are read at once: fewer of long texts, as a page arrives in one go. */
const PAGE = { first: 50, least: 10, most: 500 }
/** Characters that a page should not exceed. */
const PAGE_LENGTH = 1_048_576

/**
 * Everything that the account owns, as one JSON document that is written while it is read. It holds no transaction while its
 * reader pauses and reads on only as they do. Where reading fails it breaks off: what has arrived by then is no JSON.
 */
export async function exportAccount(deps: ExportDeps, reader: Reader): Promise<ReadableStream<Uint8Array>> {
  const refuseEnded = async () => void (await authenticate(deps, reader))
  const parts = partsOf(await readHead(deps, reader), longLists(deps, reader), refuseEnded)
  const pieces = inPieces(parts, pauses(deps.clock))
  return streamOf(pieces, deps.log, { user_id: reader.userId })
}

async function readHead(deps: ExportDeps, reader: Reader): Promise<HeadView> {
  const { userId, owner } = reader
  const settings = readSettings(deps, owner)
  const [user, passkeys, sessions] = await Promise.all([
    viewUser(deps.db, deps, userId),
    listPasskeys(deps, userId),
    listSessions(deps, userId, reader.id),
  ])
  return {
    format: 'organiser-export',
    version: 1,
    exported_at: formatInstant(deps.config.timeZone, deps.clock.now()),
    profile: { ...user, date_of_birth: settings.date_of_birth, network_name: settings.network_name },
    settings,
    passkeys,
    sessions,
  }
}

type Reading<Name extends keyof LongLists> = (byId: PageById) => Promise<LongLists[Name]>

/** How each list is read, in the order of the document. */
function longLists(deps: ExportDeps, reader: Reader): { readonly [Name in keyof LongLists]: Reading<Name> } {
  const { userId } = reader
  return {
    calendars: (byId) => pageCalendarsById(deps, userId, byId),
    calendar_members: (byId) => pageMembersById(deps, userId, byId),
    events: (byId) => pageEventsById(deps, userId, byId),
    event_templates: (byId) => pageEventTemplatesById(deps, userId, byId),
    event_invitations: (byId) => pageInvitationsById(deps, userId, byId),
    todos: (byId) => pageTodosById(deps, userId, byId),
    reminders: (byId) => pageRemindersById(deps, userId, byId),
    projects: (byId) => pageProjectsById(deps, userId, byId),
    tasks: (byId) => pageTasksById(deps, userId, byId),
    comments: (byId) => pageCommentsById(deps, userId, byId),
    people: (byId) => pagePeopleById(deps, reader, byId),
    connections: (byId) => pageConnectionsById(deps, userId, byId),
    connection_requests: (byId) => pageRequestsById(deps, userId, byId),
    blocks: (byId) => pageBlocksById(deps, userId, byId),
    notifications: (byId) => pageNotificationsById(deps, userId, byId),
  }
}

type Records = ReadonlyArray<{ readonly id: number | null }>
type Lists = Readonly<Record<string, (byId: PageById) => Promise<Records>>>

/** Breaks the export off once its session has ended: nobody reads on who was thrown out. */
type RefuseEnded = () => Promise<void>

async function* partsOf(
  head: HeadView,
  lists: Lists,
  refuseEnded: RefuseEnded,
): AsyncGenerator<string, void, void> {
  yield JSON.stringify(head).slice(0, -1)
  for (const [name, read] of Object.entries(lists)) {
    yield `,${JSON.stringify(name)}:`
    let separator = '['
    for await (const record of recordsOf(read, refuseEnded)) {
      yield separator + record
      separator = ','
    }
    yield separator === '[' ? '[]' : ']'
  }
  yield '}'
}

/** Page by page, each as large as the one before lets expect. */
async function* recordsOf(
  read: (byId: PageById) => Promise<Records>,
  refuseEnded: RefuseEnded,
): AsyncGenerator<string, void, void> {
  let afterId: number | null | undefined = 0
  let limit = PAGE.first
  while (afterId != null) {
    await refuseEnded()
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
