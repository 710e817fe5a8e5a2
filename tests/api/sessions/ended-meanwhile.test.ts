import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  auditLog,
  calendarMembers,
  calendars,
  connections,
  eventInvitations,
  events,
  notifications,
  passkeys,
  people,
  sessions,
  settings,
  users,
} from '../../../src/db/schema'
import { Authenticator } from '../../support/authenticator'
import { connect, set } from '../../support/connecting'
import { administer } from '../../support/database'
import { type Actor, type Harness, PASSWORD, startHarness } from '../../support/harness'
import { person } from '../../support/inviting'
import { begin, complete, PASSKEYS, register } from '../../support/passkeys'
import { sharer } from '../../support/sharing'

let h: Harness
let holder: ReturnType<typeof administer>
let watcher: ReturnType<typeof administer>
beforeAll(async () => {
  h = await startHarness()
  holder = administer(h.url)
  watcher = administer(h.url)
})
afterAll(async () => {
  await Promise.all([holder.end(), watcher.end()])
  await h[Symbol.asyncDispose]()
})

const isWaiting = async () =>
  (
    await watcher`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  ).length > 0

/** The answer to a request whose session ends while it waits for the row of its user. */
async function endedWhile(ada: Actor, send: () => ReturnType<Actor['request']>) {
  const answer = await holder.begin(async (sql) => {
    await sql`select 1 from users where id = ${ada.row.id} for update`
    const sent = send()
    while (!(await isWaiting()));
    await sql`update sessions set revoked = true where id = ${ada.sid}`
    return { sent }
  })
  return answer.sent
}

test('a passkey that comes too late to unlock has counted on all the same', async () => {
  const ada = await h.signedIn()
  const { authenticator, passkey } = await register(ada)
  const credential = await authenticator.get(await begin(ada))
  const answered = await endedWhile(ada, () => complete(ada, { credential, unlock: true }))
  expect([answered.status, answered.body]).toEqual([401, { detail: 'Session has been revoked or expired' }])
  const [kept] = await h.db.select().from(passkeys).where(eq(passkeys.id, passkey.id))
  expect(kept).toMatchObject({ signCount: 1, lastUsedAt: h.clock.now() })
})

/** What is sent, once it is prepared. */
type Prepared = () => ReturnType<Actor['request']>
type Prepare = (ada: Actor) => Prepared | Promise<Prepared>

const send =
  (method: string, path: string, body?: object): Prepare =>
  (ada) =>
  () =>
    ada.request(method, path, body ? { body } : {})

const proof = { password: PASSWORD, code: '000000' }

/** Something done with a calendar that may be deleted. */
const withCalendar =
  (method: string, body?: object): Prepare =>
  async (ada) => {
    const { id } = (await ada.request('POST', '/api/calendars', { body: { name: 'Work' } })).body
    return () => ada.request(method, `/api/calendars/${id}`, body ? { body } : {})
  }

const CHOIR = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }

/** Something done with an event of the user's. */
const withEvent =
  (method: string, body?: object): Prepare =>
  async (ada) => {
    const { id } = (await ada.request('POST', '/api/events', { body: CHOIR })).body
    return () => ada.request(method, `/api/events/${id}`, body ? { body } : {})
  }

/** An invitation of somebody with whom the user is connected. */
const invitation: Prepare = async (ada) => {
  const bob = await person(h)
  await connect(ada, bob)
  const { id } = (await ada.request('POST', '/api/events', { body: CHOIR })).body
  return () => ada.request('POST', `/api/events/${id}/invitations`, { body: { user_ids: [bob.row.id] } })
}

/** An invitation to the user, which `request` does something with. */
const invited =
  (request: (invitation: { id: number; event_id: number }) => Parameters<Actor['request']>): Prepare =>
  async (ada) => {
    const bob = await person(h)
    await set(h, ada, { acceptConnections: true })
    await connect(bob, ada)
    const { body } = await bob.invite((await bob.create(CHOIR)).id, ada)
    return () => ada.request(...request(body.invitations[0]))
  }
const OWN = '/api/event-invitations'

/** Something done with a connection of the user's. */
const connected =
  (request: (id: number) => Parameters<Actor['request']>): Prepare =>
  async (ada) => {
    await set(h, ada, { acceptConnections: true })
    const { theirs } = await connect(await person(h), ada)
    return () => ada.request(...request(theirs))
  }

/** Something done with a calendar that the user shares, and with whom. */
const sharing =
  (
    request: (ids: { calendar: number; member: number; other: number }) => Parameters<Actor['request']>,
  ): Prepare =>
  async (ada) => {
    const [bob, cyd] = [await person(h), await person(h)]
    await connect(ada, bob)
    await connect(ada, cyd)
    const calendar = (await ada.request('POST', '/api/calendars', { body: { name: 'Work' } })).body.id
    const body = { user_id: bob.row.id, permission: 'read' }
    const member = (await ada.request('POST', `/api/calendars/${calendar}/members`, { body })).body.id
    return () => ada.request(...request({ calendar, member, other: cyd.row.id }))
  }

/** Something done with a calendar that is shared with the user, who has accepted it or not. */
const shared =
  (
    isAccepted: boolean,
    request: (ids: { calendar: number; member: number }) => Parameters<Actor['request']>,
  ): Prepare =>
  async (ada) => {
    const bob = await sharer(h)
    await set(h, ada, { acceptConnections: true })
    await connect(bob, ada)
    const { id: calendar } = await bob.createCalendar('Work')
    const { id: member } = (await bob.shareWithId(calendar, ada.row.id, 'write')).body
    if (isAccepted) await ada.request('PUT', `/api/calendars/invites/${member}/accept`)
    return () => ada.request(...request({ calendar, member }))
  }

const CARD = 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Grace\r\nEND:VCARD\r\n'

const PREPARED: ReadonlyArray<readonly [string, Prepare]> = [
  ['verify-password', send('POST', '/api/auth/verify-password', proof)],
  [
    'change-password',
    send('POST', '/api/auth/change-password', {
      old_password: PASSWORD,
      new_password: 'a whole new password',
    }),
  ],
  ['account deletion', send('DELETE', '/api/auth/account', proof)],
  ['ending other sessions', send('DELETE', '/api/auth/sessions')],
  ['totp/setup', send('POST', '/api/auth/totp/setup')],
  ['totp/confirm', send('POST', '/api/auth/totp/confirm', proof)],
  ['passkeys/register/begin', send('POST', `${PASSKEYS}/register/begin`)],
  ['passwordless/enable', send('PUT', `${PASSKEYS}/passwordless/enable`, proof)],
  ['passwordless/disable/begin', send('POST', `${PASSKEYS}/passwordless/disable/begin`)],
  [
    'passkeys/register/complete',
    async (ada) => {
      const credential = await new Authenticator().create(await begin(ada, 'register'))
      return () => ada.request('POST', `${PASSKEYS}/register/complete`, { body: { credential } })
    },
  ],
  [
    'passkey deletion',
    async (ada) => {
      const { passkey } = await register(ada)
      return () => ada.request('DELETE', `${PASSKEYS}/${passkey.id}`)
    },
  ],
  [
    'passwordless/disable',
    async (ada) => {
      const { authenticator } = await register(ada)
      await h.db.update(users).set({ passwordlessEnabled: true }).where(eq(users.id, ada.row.id))
      const credential = await authenticator.get(await begin(ada, 'passwordless/disable'))
      return () => ada.request('PUT', `${PASSKEYS}/passwordless/disable`, { body: { credential } })
    },
  ],
  [
    'a change of settings',
    send('PUT', '/api/settings', { email: 'new@example.org', accept_connections: true }),
  ],
  ['a new calendar', send('POST', '/api/calendars', { name: 'Home', is_default: true })],
  ['a change of a calendar', withCalendar('PUT', { is_default: true })],
  ['the deletion of a calendar', withCalendar('DELETE')],
  ['a new event', send('POST', '/api/events', CHOIR)],
  ['a change of an event', withEvent('PUT', { title: 'Band' })],
  ['the deletion of an event', withEvent('DELETE')],
  ['an invitation', invitation],
  ['an answer', invited(({ id }) => ['PUT', `${OWN}/${id}`, { body: { response: 'Going' } }])],
  [
    'a choice of calendar',
    invited(({ id }) => ['PUT', `${OWN}/${id}/display-calendar`, { body: { calendar_id: null } }]),
  ],
  [
    'leaving an event',
    invited(({ id, event_id }) => ['DELETE', `/api/events/${event_id}/invitations/${id}`]),
  ],
  ['the end of a connection', connected((id) => ['DELETE', `/api/connections/${id}`])],
  [
    'a change of what a connected user is shown',
    connected((id) => ['PUT', `/api/connections/${id}/sharing`, { body: { share_email: true } }]),
  ],
  [
    'sharing a calendar',
    sharing(({ calendar, other }) => [
      'POST',
      `/api/calendars/${calendar}/members`,
      { body: { user_id: other, permission: 'read' } },
    ]),
  ],
  [
    'a change of a permission',
    sharing(({ calendar, member }) => [
      'PUT',
      `/api/calendars/${calendar}/members/${member}`,
      { body: { permission: 'write' } },
    ]),
  ],
  [
    'the end of a membership',
    sharing(({ calendar, member }) => ['DELETE', `/api/calendars/${calendar}/members/${member}`]),
  ],
  ['accepting a calendar', shared(false, ({ member }) => ['PUT', `/api/calendars/invites/${member}/accept`])],
  ['rejecting a calendar', shared(false, ({ member }) => ['PUT', `/api/calendars/invites/${member}/reject`])],
  [
    'an own view of a shared calendar',
    shared(true, ({ calendar }) => ['PUT', `/api/calendars/${calendar}`, { body: { color: '#000000' } }]),
  ],
  [
    'leaving a shared calendar',
    shared(true, ({ calendar, member }) => ['DELETE', `/api/calendars/${calendar}/members/${member}`]),
  ],
  [
    'a new event in a shared calendar',
    shared(true, ({ calendar }) => ['POST', '/api/events', { body: { ...CHOIR, calendar_id: calendar } }]),
  ],
  ['a new person', send('POST', '/api/people', { nickname: 'Grace' })],
  [
    'an import of people',
    (ada) => () =>
      ada.request('POST', '/api/people/import', { body: CARD, headers: { 'content-type': 'text/vcard' } }),
  ],
  ['reading all notifications', send('PUT', '/api/notifications/read-all')],
]

/** What belongs to the user, and what was recorded of them. */
const belongings = async (ada: Actor) => ({
  user: await h.db.select().from(users).where(eq(users.id, ada.row.id)),
  settings: await h.db.select().from(settings).where(eq(settings.userId, ada.row.id)),
  calendars: await h.db
    .select()
    .from(calendars)
    .where(eq(calendars.userId, ada.row.id))
    .orderBy(calendars.id),
  events: await h.db
    .select()
    .from(events)
    .innerJoin(calendars, eq(calendars.id, events.calendarId))
    .where(eq(calendars.userId, ada.row.id)),
  invitations: await h.db.select().from(eventInvitations),
  connections: await h.db.select().from(connections).orderBy(connections.id),
  members: await h.db.select().from(calendarMembers).orderBy(calendarMembers.id),
  allEvents: await h.db.$count(events),
  people: await h.db.select().from(people).where(eq(people.userId, ada.row.id)),
  notifications: await h.db.select().from(notifications).where(eq(notifications.userId, ada.row.id)),
  audited: await h.db.$count(auditLog),
})

test.each(PREPARED)('%s changes nothing for a session that ended meanwhile', async (_, prepare) => {
  const ada = await h.signedIn()
  const request = await prepare(ada)
  const other = await h.session(ada.row.id)
  const note = { type: 'system' as const, title: 'T', message: 'M', data: {}, createdAt: h.clock.now() }
  await h.db.insert(notifications).values({ ...note, userId: ada.row.id })
  const before = await belongings(ada)
  const { status, body } = await endedWhile(ada, request)
  expect([status, body]).toEqual([401, { detail: 'Session has been revoked or expired' }])
  expect(await belongings(ada)).toEqual(before)
  expect(await h.db.select().from(sessions).where(eq(sessions.id, other.id))).toMatchObject([
    { revoked: false },
  ])
})
