import { beforeAll, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import {
  auditLog,
  notifications,
  pushDeliveries,
  seenUserAgents,
  systemConfig,
} from '../../../../src/db/schema'
import { purgeUserAgents } from '../../../../src/access/user-agents/service'
import type { Authenticator } from '../../../support/authenticator'
import { codeAt } from '../../../support/authenticator-app'
import { calendarOf } from '../../../support/calendar-files'
import { type Actor, PASSWORD, setCookieOf, startHarness } from '../../../support/harness'
import { begin, PASSKEYS, register, type Sender, signIn } from '../../../support/passkeys'
import { withTotp } from '../../../support/totp'
import { raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()
beforeAll(() => {
  h.peer.address = '192.168.7.7'
})

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
const firefox = { 'user-agent': FIREFOX }
const NEW_BROWSER = 'A sign-in with a new browser'

const toldTo = (userId: number) =>
  h.db
    .select()
    .from(notifications)
    .where(and(eq(notifications.userId, userId), eq(notifications.type, 'security')))
    .orderBy(notifications.id)
const titles = async (userId: number) => (await toldTo(userId)).map(({ title }) => title)
const signInWith = (username: string, userAgent: string | undefined) =>
  h.request('POST', '/api/auth/login', {
    body: { username, password: PASSWORD },
    headers: userAgent === undefined ? {} : { 'user-agent': userAgent },
  })

/** Whoever sends their requests with that browser. */
const withBrowser = (sender: Sender, userAgent: string): Sender => ({
  request: (method, path, sent) =>
    sender.request(method, path, { ...sent, headers: { ...sent?.headers, 'user-agent': userAgent } }),
})

describe('a user is told', () => {
  test('of a new feed, with its calendar, the address and the browser, and what to do', async () => {
    const ada = await h.signedIn()
    const id = await calendarOf(ada)
    await ada.request('POST', `/api/calendars/${id}/feed`, { headers: firefox })
    const [listed] = (await ada.request('GET', '/api/notifications?type=security')).body.notifications
    expect(listed).toMatchObject({
      type: 'security',
      title: 'A calendar has a new feed',
      data: { calendar_id: id },
      is_read: false,
    })
    for (const part of ['"Personal"', '192.168.7.7', 'Firefox on Linux', 'change your password'])
      expect(listed.message).toContain(part)
    await ada.request('DELETE', `/api/calendars/${id}/feed`)
    expect(await titles(ada.row.id)).toHaveLength(1)
  })

  test('of a new passkey, and of none that failed or is there already', async () => {
    const ada = await h.signedIn()
    const { passkey, authenticator } = await register(withBrowser(ada, SAFARI), { name: 'Laptop' })
    const [told] = await toldTo(ada.row.id)
    expect(told).toMatchObject({
      title: 'A passkey was added to your account',
      data: { passkey_id: passkey.id },
    })
    for (const part of ['"Laptop"', '192.168.7.7', 'Safari on iOS']) expect(told?.message).toContain(part)
    const again = await authenticator.create(await begin(ada, 'register'))
    const refused = await ada.request('POST', `${PASSKEYS}/register/complete`, {
      body: { credential: again },
    })
    expect(refused.status).toBe(409)
    expect(await titles(ada.row.id)).toHaveLength(1)
  })

  test('of TOTP that is switched off and of new backup codes, and of nothing where that is refused', async () => {
    const ada = await h.signedIn()
    const { secret } = await withTotp(h, ada)
    expect(await titles(ada.row.id)).toEqual([])
    const send = (path: string, body: object) =>
      ada.request('POST', `/api/auth/totp/${path}`, { body, headers: firefox })
    expect((await send('backup-codes', { password: 'wrong' })).status).toBe(401)
    expect((await send('disable', { password: PASSWORD, code: 'wrong' })).status).toBe(400)
    expect(await titles(ada.row.id)).toEqual([])
    expect((await send('backup-codes', { password: PASSWORD })).status).toBe(200)
    const code = codeAt(secret, h.clock.now())
    expect((await send('disable', { password: PASSWORD, code })).status).toBe(200)
    const told = await toldTo(ada.row.id)
    expect(told.map(({ title }) => title)).toEqual([
      'You have new backup codes',
      'Your authenticator was switched off',
    ])
    for (const { message } of told) {
      for (const part of ['192.168.7.7', 'Firefox on Linux', 'change your password'])
        expect(message).toContain(part)
    }
  })

  test('of TOTP that an administrator switches off, without the administrator’s address, and of none that was off', async () => {
    const admin = await h.signedIn({ role: 'admin' })
    const [ada, bob] = [await h.signedIn(), await h.signedIn()]
    await withTotp(h, ada)
    await admin.request('POST', '/api/auth/verify-password', { body: { password: PASSWORD } })
    for (const { row } of [ada, bob]) {
      const disabled = await admin.request('POST', `/api/admin/users/${row.id}/disable-mfa`)
      expect(disabled.status).toBe(200)
    }
    const [told, ...more] = await toldTo(ada.row.id)
    expect([told?.title, more]).toEqual(['Your authenticator was switched off', []])
    expect(told?.message).toContain('administrator')
    expect(told?.message).not.toContain('192.168.7.7')
    expect(await titles(bob.row.id)).toEqual([])
  })

  test('within the transaction of the act: what cannot be told of does not happen', async () => {
    const ada = await h.signedIn()
    const id = await calendarOf(ada)
    await h.db.execute(`alter table notifications add constraint told check (user_id <> ${ada.row.id})`)
    expect((await ada.request('POST', `/api/calendars/${id}/feed`)).status).toBe(500)
    await h.db.execute('alter table notifications drop constraint told')
    const read = await ada.request('GET', `/api/calendars/${id}`)
    expect(read.body.feed_created_at).toBeNull()
    expect(await h.db.$count(auditLog, eq(auditLog.actorId, ada.row.id))).toBe(0)
  })

  test('Security notices are told in the application alone: none is pushed', async () => {
    expect(await h.db.$count(pushDeliveries)).toBe(0)
  })
})

describe('a sign-in from a user agent that was not seen in 90 days', () => {
  test('is told of, with the address and the browser, and a known one is not', async () => {
    const ada = await h.user()
    await signInWith(ada.username, FIREFOX)
    expect(await titles(ada.id)).toEqual([])
    await signInWith(ada.username, FIREFOX)
    expect(await titles(ada.id)).toEqual([])
    await signInWith(ada.username, SAFARI)
    const [told] = await toldTo(ada.id)
    expect(told).toMatchObject({ title: NEW_BROWSER, data: {} })
    for (const part of ['192.168.7.7', 'Safari on iOS', 'change your password'])
      expect(told?.message).toContain(part)
    await signInWith(ada.username, SAFARI)
    await signInWith(ada.username, FIREFOX)
    expect(await titles(ada.id)).toHaveLength(1)
  })

  test('is told of where a request names none at all, which is one of its own', async () => {
    const ada = await h.user()
    for (const userAgent of [FIREFOX, undefined, undefined]) await signInWith(ada.username, userAgent)
    expect(await titles(ada.id)).toEqual([NEW_BROWSER])
    expect((await toldTo(ada.id))[0]?.message).toContain('an unknown program')
  })

  test('is none where the session is the first: after a setup, a registration, or an administrator’s invitation', async () => {
    await using fresh = await startHarness()
    fresh.peer.address = '127.0.0.1'
    const body = (username: string) => ({
      username,
      password: PASSWORD,
      email: `${username}@example.org`,
      date_of_birth: '1990-01-01',
    })
    await fresh.request('POST', '/api/auth/setup', { body: body('root'), headers: firefox })
    await fresh.db.update(systemConfig).set({ allowRegistration: true })
    await fresh.request('POST', '/api/auth/register', { body: body('ada'), headers: firefox })
    expect(await fresh.db.$count(notifications)).toBe(0)
    for (const username of ['root', 'ada']) {
      const credentials = { username, password: PASSWORD }
      for (const headers of [firefox, { 'user-agent': 'Other/1' }])
        await fresh.request('POST', '/api/auth/login', { body: credentials, headers })
    }
    expect(await fresh.db.$count(notifications, eq(notifications.type, 'security'))).toBe(2)
  })

  test('is told of whichever way the user signs in: password, code, backup code, passkey', async () => {
    const ada = await h.signedIn()
    const { authenticator } = await register(ada)
    await signInWith(ada.row.username, FIREFOX)
    await signInWith(ada.row.username, 'Password/1')
    const { secret, backupCodes } = await withTotp(h, ada)
    const before = (await titles(ada.row.id)).length
    for (const [userAgent, code] of [
      ['Code/1', () => codeAt(secret, h.clock.now())],
      ['Backup/1', () => backupCodes[0]],
    ] as const) {
      const { mfa_token } = (await signInWith(ada.row.username, userAgent)).body
      expect((await titles(ada.row.id)).length).toBe(userAgent === 'Code/1' ? before : before + 1)
      const verified = await h.request('POST', '/api/auth/totp/verify', {
        body: { mfa_token, code: code() },
        headers: { 'user-agent': userAgent },
      })
      expect(verified.status).toBe(200)
    }
    expect((await signIn(withBrowser(h, 'Passkey/1'), authenticator)).status).toBe(200)
    const told = (await toldTo(ada.row.id)).filter(({ title }) => title === NEW_BROWSER)
    expect(told.map(({ message }) => /with (\w+\/1)/.exec(message)?.[1])).toEqual([
      'Password/1',
      'Code/1',
      'Backup/1',
      'Passkey/1',
    ])
  })

  test('is told of once, however many sign-ins race', async () => {
    for (let round = 0; round < 5; round++) {
      const ada = await h.user()
      await signInWith(ada.username, FIREFOX)
      const answers = await raceOf(10, () => signInWith(ada.username, SAFARI))
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
      expect(await titles(ada.id)).toEqual([NEW_BROWSER])
    }
  })

  test('is one again after 90 days, also where the purge has been by, and not a day before', async () => {
    const ada = await h.user()
    for (const userAgent of [FIREFOX, SAFARI]) await signInWith(ada.username, userAgent)
    h.clock.advance({ hours: 89 * 24 })
    await purgeUserAgents(h.deps)
    await signInWith(ada.username, SAFARI)
    expect(await titles(ada.id)).toHaveLength(1)
    h.clock.advance({ hours: 24 })
    await purgeUserAgents(h.deps)
    await signInWith(ada.username, FIREFOX)
    expect(await titles(ada.id)).toHaveLength(2)
    h.clock.advance({ hours: 400 * 24 })
    await purgeUserAgents(h.deps)
    expect(await h.db.$count(seenUserAgents, eq(seenUserAgents.userId, ada.id))).toBe(1)
    await signInWith(ada.username, 'Other/1')
    expect(await titles(ada.id)).toHaveLength(3)
  })

  test.each([
    ['that browser', FIREFOX],
    ['a program without a name', undefined],
  ])('is none where a session of %s went on until lately', async (_, userAgent) => {
    const ada = await h.user()
    let cookie = setCookieOf((await signInWith(ada.username, userAgent)).headers)?.value ?? ''
    for (let day = 0; day < 100; day += 4) {
      h.clock.advance({ hours: 4 * 24 })
      const { status, headers } = await h.request('GET', '/api/settings', { cookie })
      expect(status).toBe(200)
      cookie = setCookieOf(headers)?.value ?? cookie
    }
    await signInWith(ada.username, userAgent)
    expect(await titles(ada.id)).toEqual([])
  })

  test('is none where a session of that browser goes on after the purge has forgotten it', async () => {
    const ada = await h.user()
    const cookie = setCookieOf((await signInWith(ada.username, FIREFOX)).headers)?.value ?? ''
    await signInWith(ada.username, SAFARI)
    const before = await titles(ada.id)
    const isFirefox = and(eq(seenUserAgents.userId, ada.id), eq(seenUserAgents.userAgent, FIREFOX))
    await h.db.delete(seenUserAgents).where(isFirefox)
    h.clock.advance({ hours: 4 * 24 })
    expect((await h.request('GET', '/api/settings', { cookie })).status).toBe(200)
    await signInWith(ada.username, FIREFOX)
    expect(await titles(ada.id)).toEqual(before)
  })

  test('names in its notification a program, and no sentence that the request brought', async () => {
    const ada = await h.user()
    await signInWith(ada.username, FIREFOX)
    await signInWith(ada.username, 'Call +1 555 0100 to keep your account')
    expect((await toldTo(ada.id))[0]?.message).not.toContain('555')
  })
})

test('the unlocking of a session with a passkey is no sign-in', async () => {
  const ada = await h.signedIn()
  const authenticator: Authenticator = (await register(ada)).authenticator
  await signInWith(ada.row.username, FIREFOX)
  const before = await titles(ada.row.id)
  const actor: Actor = ada
  const credential = await authenticator.get(await begin(actor))
  const unlocked = await actor.request('POST', `${PASSKEYS}/login/complete`, {
    body: { credential, unlock: true },
    headers: { 'user-agent': 'Unlock/1' },
  })
  expect(unlocked.body).toEqual({ authenticated: true, unlocked: true })
  expect(await titles(ada.row.id)).toEqual(before)
})
