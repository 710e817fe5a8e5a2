import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { calendars, identities, notifications, oidcBegins, sessions, users } from '../../../../src/db/schema'
import { actionsOf, auditOf, sessionsOf, userOf } from '../../../support/accounts'
import { RunningClock } from '../../../support/fakes'
import { startHarness } from '../../../support/harness'
import { lockWaiters } from '../../../support/locks'
import { openBrowser } from '../../../support/oidc-browser'
import { useOidcProvider } from '../../../support/oidc-provider'
import { race } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const provider = await useOidcProvider()
const clock = () => new RunningClock(new Date().toISOString())
const env = { ...provider.env, OIDC_REGISTER: 'on', TRUSTED_PROXIES: '203.0.113.7/32' }
const h = useHarness({ env, clock: clock() })
const holder = useSql(h)
const deleter = useSql(h)
const watcher = useSql(h)
beforeAll(async () => {
  await h.user({ username: 'first', role: 'admin' })
})

const statusOf = async (session: string | undefined) =>
  (await h.request('GET', '/api/auth/status', session === undefined ? {} : { cookie: session })).body

describe('a first sign-in at the provider', () => {
  test('makes a standard account without a password, with calendars and settings, and signs it in', async () => {
    const browser = openBrowser(h)
    const claims = {
      preferred_username: 'Ada.Löve lace',
      name: 'Ada Lovelace',
      email: 'ada@example.org',
      email_verified: true,
    }
    const { status, location } = await browser.signOn({ sub: 'ada-1', claims }, '?next=/todos%3Fopen=1')
    expect({ status, location }).toEqual({ status: 302, location: '/todos?open=1' })
    const seen = await statusOf(browser.session)
    expect(seen).toMatchObject({
      authenticated: true,
      username: 'Ada.Love-lace',
      role: 'standard',
      has_password: false,
      oidc: { name: 'Home' },
    })
    const user = await userOf(h, seen.user_id)
    expect(user).toMatchObject({ email: 'ada@example.org', dateOfBirth: null, networkName: 'ada.love-lace' })
    expect((await h.db.select().from(calendars).where(eq(calendars.userId, user.id))).length).toBe(2)
    expect(await sessionsOf(h, user.id)).toMatchObject([
      { authMethod: 'oidc', oidcIssuer: provider.issuer, oidcSubject: 'ada-1' },
    ])
    expect(await actionsOf(h, user.id)).toEqual(['auth.registration', 'auth.oidc_login_success'])
    expect([...browser.own.keys()]).toEqual(['session'])
    const { body } = await browser.request('GET', '/api/auth/identities')
    expect(body.identities).toMatchObject([
      { issuer: provider.issuer, name: 'Ada Lovelace', email: 'ada@example.org' },
    ])
    const exported = (await browser.request('GET', '/api/export')).body
    expect(exported.identities).toEqual(body.identities)
    const wrong = { username: user.username, password: 'correct horse battery' }
    expect((await h.request('POST', '/api/auth/login', { body: wrong })).status).toBe(401)
    const verified = { body: { password: 'x' }, cookie: browser.session ?? '' }
    expect((await h.request('POST', '/api/auth/verify-password', verified)).status).toBe(401)
  })

  test('is the same account the next time, also from another browser', async () => {
    const who = { sub: 'twice', claims: { preferred_username: 'twice' } }
    const [one, other] = [openBrowser(h), openBrowser(h)]
    await one.signOn(who)
    await other.signOn({ ...who, claims: { preferred_username: 'renamed', name: 'New' } })
    const [first, second] = [await statusOf(one.session), await statusOf(other.session)]
    expect(second.user_id).toBe(first.user_id)
    expect(second.username).toBe('twice')
    const [identity] = await h.db.select().from(identities).where(eq(identities.subject, 'twice'))
    expect(identity?.name).toBe('New')
  })

  test.each([
    ['an unverified e-mail', { email: 'unverified@example.org', email_verified: false }],
    ['an e-mail that is verified in words', { email: 'words@example.org', email_verified: 'true' }],
    ['an e-mail that is none', { email: 'not an address', email_verified: true }],
  ])('takes over nothing from %s', async (_, claims) => {
    const browser = openBrowser(h)
    await browser.signOn({ sub: claims.email, claims })
    const user = await userOf(h, (await statusOf(browser.session)).user_id)
    expect(user.email).toBeNull()
  })

  test.each(['admin', 'standard'] as const)(
    'with the e-mail and name of a local %s links nothing, and makes another account',
    async (role) => {
      const local = await h.user({ username: `local-${role}`, role, email: `${role}@example.org` })
      const browser = openBrowser(h)
      const claims = {
        preferred_username: `LOCAL-${role}`,
        email: `${role}@example.org`,
        email_verified: true,
      }
      await browser.signOn({ sub: `impostor-${role}`, claims })
      const seen = await statusOf(browser.session)
      expect(seen.user_id).not.toBe(local.id)
      expect(seen).toMatchObject({ username: `LOCAL-${role}2`, role: 'standard' })
      expect((await userOf(h, seen.user_id)).email).toBeNull()
      expect(await h.db.select().from(identities).where(eq(identities.userId, local.id))).toEqual([])
      expect(await userOf(h, local.id)).toEqual(local)
    },
  )

  test('fifty times at once makes one account', async () => {
    const who = { sub: 'crowd', claims: { preferred_username: 'crowd' } }
    // Each from an address of its own, or they would wait in one line.
    const from = (at: number) => ({ 'x-forwarded-for': `198.51.100.${at + 1}` })
    const browsers = Array.from({ length: 50 }, () => openBrowser(h))
    const paths: string[] = []
    for (const browser of browsers) paths.push(await browser.visit((await browser.begin()).location, who))
    const before = (await h.db.select().from(users)).length
    const answers = await race(
      browsers.map((browser, at) => async () => {
        const path = paths[at] || (await browser.visit((await browser.begin()).location, who))
        // A service that is overloaded may have used up what was begun.
        paths[at] = ''
        return browser.request('GET', path, from(at))
      }),
      50,
    )
    expect(answers.map(({ location }) => location)).toEqual(Array(50).fill('/'))
    expect((await h.db.select().from(users)).length).toBe(before + 1)
    expect(await h.db.select().from(identities).where(eq(identities.subject, 'crowd'))).toHaveLength(1)
    const opened = await h.db.select().from(sessions).where(eq(sessions.oidcSubject, 'crowd'))
    expect(new Set(opened.map(({ userId }) => userId)).size).toBe(1)
    expect(opened.length).toBeGreaterThanOrEqual(50)
  })

  test('asks for the set-up of a second factor where new users need one', async () => {
    await using strict = await startHarness({ env: { ...provider.env, OIDC_REGISTER: 'on' }, clock: clock() })
    const admin = await strict.signedIn({ role: 'admin' })
    await admin.request('PUT', '/api/admin/config', { body: { enforce_mfa_new_users: true } })
    const browser = openBrowser(strict)
    const { location } = await browser.signOn({ sub: 'new-1', claims: {} })
    expect(location).toMatch(/^\/second-factor\/set-up#mfa_token=[\w-]{43}$/)
    expect(browser.session).toBeUndefined()
  })
})

test('a sign-in is noted, tells of a new browser, and leaves nothing of the provider behind', async () => {
  const who = { sub: 'noted', claims: { preferred_username: 'noted' } }
  const browser = openBrowser(h)
  await browser.signOn(who)
  const { user_id: id } = await statusOf(browser.session)
  const other = openBrowser(h)
  const { location } = await other.begin()
  await other.request('GET', await other.visit(location, who), { 'user-agent': 'Elsewhere/1' })
  const told = await h.db.select().from(notifications).where(eq(notifications.userId, id))
  expect(told.map(({ title }) => title)).toEqual(['A sign-in with a new browser'])
  expect(await h.db.select().from(oidcBegins)).toEqual([])
  expect((await userOf(h, id)).lastLoginAt).not.toBeNull()
})

test.each([
  ['//evil.example/x', '/'],
  ['/\\evil.example/x', '/'],
  ['/\t/evil.example', '/'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['todos', '/'],
  ['/todos/../settings?a=b#c', '/settings?a=b#c'],
])('comes back to a path of this service alone: %s', async (next, expected) => {
  const { location } = await openBrowser(h).signOn(
    { sub: 'next', claims: {} },
    `?${new URLSearchParams({ next })}`,
  )
  expect(location).toBe(expected)
})

test('a person who cancels at the provider is told so, and can begin again', async () => {
  const browser = openBrowser(h)
  const { location } = await browser.signOn(undefined)
  expect(location).toBe('/sign-in?error=cancelled')
  expect(browser.session).toBeUndefined()
  expect((await browser.signOn({ sub: 'again', claims: {} })).location).toBe('/')
})

describe('an account that may not sign in', () => {
  test.each([
    ['disabled', { isActive: false }, 'account_disabled'],
    ['locked', { lockedUntil: new Date('2099-01-01') }, 'account_locked'],
    ['disabled and locked', { isActive: false, lockedUntil: new Date('2099-01-01') }, 'account_disabled'],
  ])('as it is %s gets no session', async (name, columns, code) => {
    const who = { sub: name, claims: {} }
    const browser = openBrowser(h)
    await browser.signOn(who)
    const { user_id: id } = await statusOf(browser.session)
    await h.db.update(users).set(columns).where(eq(users.id, id))
    const other = openBrowser(h)
    expect((await other.signOn(who)).location).toBe(`/sign-in?error=${code}`)
    expect(other.session).toBeUndefined()
    expect((await auditOf(h, id)).at(-1)).toMatchObject({
      action: 'auth.oidc_login_failed',
      detail: { purpose: 'sign-in', code, reason: code },
    })
    expect(h.log.entries).toContainEqual({
      level: 'warn',
      message: 'A sign-in at the identity provider failed',
      fields: { purpose: 'sign-in', code, reason: code, user_id: id },
    })
  })

  test('is refused in the same words while it is being deleted', async () => {
    const who = { sub: 'deleted', claims: {} }
    const [browser, other] = [openBrowser(h), openBrowser(h)]
    await browser.signOn(who)
    const { user_id: id } = await statusOf(browser.session)
    await h.db.update(users).set({ isActive: false }).where(eq(users.id, id))
    const back = await other.visit((await other.begin()).location, who)
    const answers = await holder.begin(async (held) => {
      await held`lock table audit_log in share mode`
      const refusing = other.request('GET', back).then(({ location }) => location)
      await lockWaiters(watcher)
      const deleting = deleter`delete from users where id = ${id}`.then(({ count }) => count)
      await lockWaiters(watcher, 2)
      return [refusing, deleting]
    })
    expect(await Promise.all<unknown>(answers)).toEqual(['/sign-in?error=account_disabled', 1])
  })
})

test('a session ends when the provider signs its user out', async () => {
  const browser = openBrowser(h)
  await browser.signOn({ sub: 'leaver', claims: {} })
  const { user_id: id } = await statusOf(browser.session)
  const [session] = await sessionsOf(h, id)
  expect(session?.oidcSid).toBeString()
  const body = await provider.signOut('leaver', session?.oidcSid ?? '')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await h.request('POST', '/api/auth/oidc/back-channel-logout', { body, headers })
  expect(answer.status).toBe(200)
  expect((await statusOf(browser.session)).authenticated).toBe(false)
  expect(await actionsOf(h, id)).toContain('auth.oidc_logout')
})
