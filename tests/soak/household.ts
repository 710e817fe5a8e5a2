import { basic, DAV_SCOPES } from '../support/dav'
import { PASSWORD, setCookieOf } from '../support/harness'
import { Line, type Records } from './calls'
import type { Servers } from './servers'

/** Two people who share a calendar, and what their programs sign in with. */

export interface Member {
  readonly id: number
  readonly username: string
  /** Requests with their session. */
  readonly session: Line
  /** Headers of their programs. */
  readonly cookie: string
  readonly bearer: string
  readonly basic: string
  readonly calendarId: number
}

const PROGRAM = ['overview:read', 'tasks:write', 'calendars:write', 'people:write']

async function made<T>(line: Line, method: string, path: string, body?: unknown): Promise<T> {
  const { status, body: answered, text } = await line.sure(method, path, body === undefined ? {} : { body })
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
  return answered as T
}

async function signedUp(servers: Servers, records: Records, username: string, path: string): Promise<string> {
  const credentials = { username, password: PASSWORD }
  const anonymous = new Line(servers, records, {})
  const more = path.endsWith('register')
    ? { email: `${username}@example.org`, date_of_birth: '1990-05-05' }
    : {}
  await made(anonymous, 'POST', path, { ...credentials, ...more })
  const { headers } = await anonymous.sure('POST', '/api/auth/login', { body: credentials })
  return `session=${setCookieOf(headers)?.value}`
}

async function memberOf(
  servers: Servers,
  records: Records,
  { username, cookie, settings }: { username: string; cookie: string; settings: object },
): Promise<Member> {
  const session = new Line(servers, records, { cookie })
  await made(session, 'PUT', '/api/settings', { accept_connections: true, ...settings })
  const status = await made<{ user_id: number }>(session, 'GET', '/api/auth/status')
  const script = await made<{ token: string }>(session, 'POST', '/api/auth/tokens', {
    name: 'Script',
    scopes: PROGRAM,
  })
  const phone = await made<{ token: string }>(session, 'POST', '/api/auth/tokens', {
    name: 'Phone',
    scopes: DAV_SCOPES,
  })
  const calendar = await made<{ id: number }>(session, 'POST', '/api/calendars', { name: `Of ${username}` })
  return {
    id: status.user_id,
    username,
    session,
    cookie,
    bearer: `Bearer ${script.token}`,
    basic: basic(username, phone.token),
    calendarId: calendar.id,
  }
}

export interface Household {
  readonly ada: Member
  readonly bob: Member
}

/** The first has push messages; the second may write into the calendar of the first. */
export async function moveIn(servers: Servers, records: Records, ntfyUrl: string): Promise<Household> {
  const first = await signedUp(servers, records, 'ada', '/api/auth/setup')
  const admin = new Line(servers, records, { cookie: first })
  await made(admin, 'PUT', '/api/admin/config', { allow_registration: true })
  const second = await signedUp(servers, records, 'bob', '/api/auth/register')
  const push = { ntfy_enabled: true, ntfy_server_url: ntfyUrl, ntfy_topic: 'ada' }
  const ada = await memberOf(servers, records, {
    username: 'ada',
    cookie: first,
    settings: { time_zone: 'Europe/Berlin', ...push },
  })
  const bob = await memberOf(servers, records, {
    username: 'bob',
    cookie: second,
    settings: { time_zone: 'Europe/London' },
  })
  await made(ada.session, 'POST', '/api/connections/requests', { network_name: 'bob' })
  const asked = await made<{ requests: ReadonlyArray<{ id: number }> }>(
    bob.session,
    'GET',
    '/api/connections/requests?direction=incoming&status=pending',
  )
  for (const { id } of asked.requests)
    await made(bob.session, 'PUT', `/api/connections/requests/${id}/accept`)
  const sharing = { user_id: bob.id, permission: 'write' }
  const invite = await made<{ id: number }>(
    ada.session,
    'POST',
    `/api/calendars/${ada.calendarId}/members`,
    sharing,
  )
  await made(bob.session, 'PUT', `/api/calendars/invites/${invite.id}/accept`)
  return { ada, bob }
}
