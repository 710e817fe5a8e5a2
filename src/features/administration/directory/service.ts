import type { Db, Tx } from '../../../db/client'
import type { Deps } from '../../../deps'
import { notFound } from '../../../lib/errors'
import { isIdKey, readPage, toPage } from '../../../lib/wire/page'
import { formatInstant } from '../../../lib/time/time'
import type { SessionView } from '../../identity/active-sessions/model'
import { listSessions } from '../../identity/active-sessions/service'
import { lockEnd } from '../../identity/passwords/rules'
import type { UserDetail, UsersPage, UsersQuery, UserView } from './model'
import * as q from './queries'

type ViewDeps = Pick<Deps, 'clock' | 'config'>

/** Lists the matching users, by id. @throws {AppError} 422 for a cursor of another list. */
export async function listUsers(deps: ViewDeps & Pick<Deps, 'db'>, query: UsersQuery): Promise<UsersPage> {
  const { limit, after } = readPage(query, isIdKey)
  const filter = { q: query.q, role: query.role, isActive: query.is_active }
  const rows = await q.list(deps.db, filter, { now: deps.clock.now(), after: after?.[0], limit: limit + 1 })
  const { page, next_cursor } = toPage(rows, limit, ({ id }) => [id])
  const total = await q.count(deps.db, filter)
  return { users: page.map((row) => toView(deps, row)), total, next_cursor }
}

/** Returns a user with the number of their live sessions. @throws {AppError} 404. */
export async function describeUser(deps: ViewDeps & Pick<Deps, 'db'>, userId: number): Promise<UserDetail> {
  const found = await q.findDetail(deps.db, userId, deps.clock.now())
  if (!found) throw notFound('User')
  const { user, activeSessions } = found
  return { ...toView(deps, user), active_sessions: activeSessions }
}

/** Returns a user as in the list; also works inside the transaction that changes them. @throws {AppError} 404. */
export async function viewUser(db: Db | Tx, deps: ViewDeps, userId: number): Promise<UserView> {
  const row = await q.find(db, userId, deps.clock.now())
  if (!row) throw notFound('User')
  return toView(deps, row)
}

/** Lists the live sessions of a user; `currentId` is the caller's session. @throws {AppError} 404. */
export async function listUserSessions(
  deps: ViewDeps & Pick<Deps, 'db'>,
  userId: number,
  currentId: string,
): Promise<SessionView[]> {
  if (!(await q.find(deps.db, userId, deps.clock.now()))) throw notFound('User')
  return listSessions(deps, userId, currentId)
}

/** Returns the id of the user with this username, or undefined when there is none. */
export const findUserId = ({ db }: Pick<Deps, 'db'>, username: string): Promise<number | undefined> =>
  q.findIdByUsername(db, username)

function toView({ clock, config }: ViewDeps, row: q.ListedUser): UserView {
  const at = (instant: Date | null) => instant && formatInstant(config.timeZone, instant)
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    role: row.role,
    is_active: row.isActive,
    last_login_at: at(row.lastLoginAt),
    locked_until: at(lockEnd(row, clock.now())),
    totp_enabled: row.totpEnabled,
    passwordless_enabled: row.passwordlessEnabled,
    mfa_required: row.mfaRequired,
    mfa_enforce_pending: row.mfaEnforcePending,
    must_change_password: row.mustChangePassword,
    passkey_count: row.passkeyCount,
    token_count: row.tokenCount,
    counts: toCounts(row.counts),
    created_at: formatInstant(config.timeZone, row.createdAt),
  }
}

const toCounts = ({ all_tasks: tasks, ...counts }: q.ListedUser['counts']): UserView['counts'] => ({
  calendars: 0,
  feeds: 0,
  events: 0,
  event_templates: 0,
  todo_lists: 0,
  todos: 0,
  reminders: 0,
  projects: 0,
  comments: 0,
  people: 0,
  address_books: 0,
  occurrences: 0,
  responses: 0,
  ...counts,
  tasks: tasks ?? 0,
})
