import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  auditLog,
  calendarFeeds,
  calendars,
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

const CARD = 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Grace\r\nEND:VCARD\r\n'

const CALENDAR =
  'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260310\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
const ownCalendar = async (ada: Actor) =>
  `/api/calendars/${(await ada.request('POST', '/api/calendars', { body: { name: 'Work' } })).body.id}`

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
  ['a new person', send('POST', '/api/people', { nickname: 'Grace' })],
  [
    'an import of people',
    (ada) => () =>
      ada.request('POST', '/api/people/import', { body: CARD, headers: { 'content-type': 'text/vcard' } }),
  ],
  [
    'an import of events',
    async (ada) => {
      const path = await ownCalendar(ada)
      return () =>
        ada.request('POST', `${path}/import`, {
          body: CALENDAR,
          headers: { 'content-type': 'text/calendar' },
        })
    },
  ],
  [
    'a new feed',
    async (ada) => {
      const path = await ownCalendar(ada)
      return () => ada.request('POST', `${path}/feed`)
    },
  ],
  [
    'the end of a feed',
    async (ada) => {
      const path = await ownCalendar(ada)
      await ada.request('POST', `${path}/feed`)
      return () => ada.request('DELETE', `${path}/feed`)
    },
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
  feeds: await h.db.select().from(calendarFeeds),
  invitations: await h.db.select().from(eventInvitations),
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
