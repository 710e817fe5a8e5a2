import type { Deps } from '../../deps'
import type { Stretch } from '../../lib/page'
import { pauses } from '../../lib/pauses'
import { streamOf } from '../../lib/text-stream'
import { formatInstant } from '../../lib/time'
import { listSessions } from '../active-sessions/service'
import { stretchOfBlocks } from '../blocks/service'
import { stretchOfMembers } from '../calendar-members/service'
import { stretchOfCalendars } from '../calendars/service'
import { stretchOfComments } from '../comments/service'
import { stretchOfRequests } from '../connection-requests/service'
import { stretchOfConnections } from '../connections/service'
import { stretchOfEvents } from '../event-exports/service'
import { stretchOfInvitations } from '../event-invitations/service'
import { stretchOfEventTemplates } from '../event-templates/service'
import { stretchOfNotifications } from '../notifications/service'
import { listPasskeys } from '../passkeys/service'
import { stretchOfPeople } from '../people/service'
import { stretchOfProjects } from '../projects/service'
import { stretchOfReminders } from '../reminders/service'
import { authenticate } from '../sessions/service'
import { type Reader, readSettings } from '../settings/service'
import { stretchOfTasks } from '../tasks/service'
import { stretchOfTodos } from '../todos/service'
import { viewUser } from '../user-directory/service'
import type { HeadView, LongLists } from './model'

type ExportDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log'>

/** How many records are read at once. */
const PAGE = 500
/** Characters that are written at once, or one record where that has more. */
const PIECE = 65_536

/**
 * Everything that the account owns, as one JSON document that is written while it is read. It holds no transaction while its
 * reader pauses and reads on only as they do. Where reading fails it breaks off: what has arrived by then is no JSON.
 */
export async function exportAccount(deps: ExportDeps, reader: Reader): Promise<ReadableStream<Uint8Array>> {
  const means = {
    pause: pauses(deps.clock),
    refuseEnded: async () => void (await authenticate(deps, reader)),
  }
  const pieces = documentOf(await readHead(deps, reader), longLists(deps, reader), means)
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

type Reading<Name extends keyof LongLists> = (stretch: Stretch) => Promise<LongLists[Name]>

/** How each list is read, in the order of the document. */
function longLists(deps: ExportDeps, reader: Reader): { readonly [Name in keyof LongLists]: Reading<Name> } {
  const { userId } = reader
  return {
    calendars: (stretch) => stretchOfCalendars(deps, userId, stretch),
    calendar_members: (stretch) => stretchOfMembers(deps, userId, stretch),
    events: (stretch) => stretchOfEvents(deps, userId, stretch),
    event_templates: (stretch) => stretchOfEventTemplates(deps, userId, stretch),
    event_invitations: (stretch) => stretchOfInvitations(deps, userId, stretch),
    todos: (stretch) => stretchOfTodos(deps, userId, stretch),
    reminders: (stretch) => stretchOfReminders(deps, userId, stretch),
    projects: (stretch) => stretchOfProjects(deps, userId, stretch),
    tasks: (stretch) => stretchOfTasks(deps, userId, stretch),
    comments: (stretch) => stretchOfComments(deps, userId, stretch),
    people: (stretch) => stretchOfPeople(deps, reader, stretch),
    connections: (stretch) => stretchOfConnections(deps, userId, stretch),
    connection_requests: (stretch) => stretchOfRequests(deps, userId, stretch),
    blocks: (stretch) => stretchOfBlocks(deps, userId, stretch),
    notifications: (stretch) => stretchOfNotifications(deps, userId, stretch),
  }
}

type Records = ReadonlyArray<{ readonly id: number | null }>
type Lists = Readonly<Record<string, (stretch: Stretch) => Promise<Records>>>

interface Means {
  readonly pause: () => Promise<void>
  /** Breaks the export off once its session has ended: nobody reads on who was thrown out. */
  readonly refuseEnded: () => Promise<void>
}

async function* documentOf(head: HeadView, lists: Lists, means: Means): AsyncGenerator<string, void, void> {
  yield JSON.stringify(head).slice(0, -1)
  for (const [name, read] of Object.entries(lists)) {
    let piece = `,${JSON.stringify(name)}:[`
    let separator = ''
    for await (const record of recordsOf(read, means)) {
      piece += separator + JSON.stringify(record)
      separator = ','
      await means.pause()
      if (piece.length < PIECE) continue
      yield piece
      piece = ''
    }
    yield `${piece}]`
  }
  yield '}'
}

async function* recordsOf(
  read: (stretch: Stretch) => Promise<Records>,
  { refuseEnded }: Means,
): AsyncGenerator<Records[number], void, void> {
  let afterId: number | null | undefined = 0
  while (afterId != null) {
    await refuseEnded()
    const page: Records = await read({ afterId, limit: PAGE })
    yield* page
    afterId = page.at(-1)?.id
  }
}
