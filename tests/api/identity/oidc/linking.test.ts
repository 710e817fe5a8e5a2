import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { identities, notifications, passkeys, sessions, users } from '../../../../src/db/schema'
import { NO_PASSWORD } from '../../../../src/features/identity/passwords/rules'
import { actionsOf, auditOf, sessionOf } from '../../../support/accounts'
import { RunningClock } from '../../../support/fakes'
import { type Actor, PASSWORD, startHarness } from '../../../support/harness'
import { openBrowser } from '../../../support/oidc-browser'
import { useOidcProvider } from '../../../support/oidc-provider'
import { useHarness } from '../../../support/use-harness'

const provider = await useOidcProvider()
const h = useHarness({ env: provider.env, clock: new RunningClock(new Date().toISOString()) })

let serial = 0
const someone = () => ({ sub: `sub-${++serial}`, claims: { name: 'Ada', email: 'ada@example.org' } })

/** A user with an identity at the provider, in a browser with their session. */
async function linked(columns: Parameters<typeof h.signedIn>[0] = {}) {
  const ada = await h.signedIn(columns)
  const browser = openBrowser(h, ada.token)
  const who = someone()
  expect((await browser.signOn(who, '?purpose=link')).location).toBe('/settings/security')
  const [identity] = (await ada.request('GET', '/api/auth/identities')).body.identities
  return { ada, browser, who, identity }
}

const unlink = (ada: Actor, id: number) => ada.request('DELETE', `/api/auth/identities/${id}`)

describe('linking', () => {
  test('lets the user in by the provider from then on, and tells them', async () => {
    const { ada, who, identity } = await linked()
    expect(identity).toEqual({
      id: expect.any(Number),
      issuer: provider.issuer,
      name: 'Ada',
      email: 'ada@example.org',
      created_at: expect.any(String),
      last_used_at: expect.any(String),
    })
    const other = openBrowser(h)
    expect((await other.signOn(who)).location).toBe('/')
    const { body } = await other.request('GET', '/api/auth/status')
    expect(body).toMatchObject({ user_id: ada.row.id, has_password: true })
    const told = await h.db.select().from(notifications).where(eq(notifications.userId, ada.row.id))
    expect(told[0]).toMatchObject({ type: 'security', title: 'A sign-in was linked with your account' })
    expect(told[0]?.message).toContain(new URL(provider.issuer).host)
    expect(await auditOf(h, ada.row.id)).toMatchObject([
      { action: 'auth.identity_linked', detail: { identity_id: identity.id, issuer: provider.issuer } },
      { action: 'auth.oidc_login_success' },
    ])
  })

  test('leaves the session as it is, and comes back to where it began', async () => {
    const ada = await h.signedIn()
    const browser = openBrowser(h, ada.token)
    const { location } = await browser.signOn(someone(), '?purpose=link&next=/settings/account')
    expect(location).toBe('/settings/account')
    expect(browser.session).toBe(ada.token)
    expect(await h.db.select().from(sessions).where(eq(sessions.userId, ada.row.id))).toHaveLength(1)
  })

  test.each([
    ['without a session', async () => openBrowser(h), 401, 'Not authenticated'],
    [
      'with a session that has not proved itself lately',
      async () => {
        const { row } = await h.signedIn()
        const authenticatedAt = new Date(h.clock.now().getTime() - 16 * 60_000)
        return openBrowser(h, (await h.session(row.id, { authenticatedAt })).token)
      },
      403,
      'Recent authentication required',
    ],
    [
      'with a locked session',
      async () => openBrowser(h, (await h.session((await h.user()).id, { isLocked: true })).token),
      423,
      'Session is locked',
    ],
    [
      'with a password that must be changed',
      async () => openBrowser(h, (await h.signedIn({ mustChangePassword: true })).token),
      403,
      'Password change required',
    ],
  ])('%s is refused', async (_, open, status, detail) => {
    const answer = await (await open()).begin('?purpose=link')
    expect([answer.status, answer.body.detail, answer.location]).toEqual([status, detail, ''])
  })

  test.each(['cross-site', 'same-site'])('by a link of another site is refused: %s', async (site) => {
    const ada = await h.signedIn()
    for (const purpose of ['link', 'reauthenticate']) {
      const answer = await openBrowser(h, ada.token).begin(`?purpose=${purpose}`, { 'sec-fetch-site': site })
      expect([answer.status, answer.body]).toEqual([403, { detail: 'Cross-origin request rejected' }])
    }
    const began = await openBrowser(h, ada.token).begin('', { 'sec-fetch-site': site })
    expect(began.status).toBe(302)
  })

  test('an identity that somebody has is refused, to others and to themselves', async () => {
    const { ada, browser, who } = await linked()
    const bob = await h.signedIn()
    const refused = '/settings/security?error=already_linked'
    expect((await openBrowser(h, bob.token).signOn(who, '?purpose=link')).location).toBe(refused)
    expect((await browser.signOn(who, '?purpose=link')).location).toBe(refused)
    const rows = await h.db.select().from(identities).where(eq(identities.subject, who.sub))
    expect(rows.map(({ userId }) => userId)).toEqual([ada.row.id])
    expect((await auditOf(h, bob.row.id)).map(({ detail }) => detail)).toEqual([
      { purpose: 'link', code: 'already_linked', reason: 'already_linked' },
    ])
  })

  test('of one identity by ten users at once succeeds for one', async () => {
    const who = someone()
    const browsers = await Promise.all(
      Array.from({ length: 10 }, async () => openBrowser(h, (await h.signedIn()).token)),
    )
    const paths = await Promise.all(
      browsers.map(async (browser) => browser.visit((await browser.begin('?purpose=link')).location, who)),
    )
    const answers = await Promise.all(browsers.map((browser, at) => browser.request('GET', paths[at] ?? '')))
    const locations = answers.map(({ location }) => location)
    expect(locations.filter((location) => location === '/settings/security')).toHaveLength(1)
    expect(await h.db.select().from(identities).where(eq(identities.subject, who.sub))).toHaveLength(1)
  })

  test('that ends in another session, or in none, links nothing', async () => {
    const ada = await h.signedIn()
    const bob = await h.signedIn()
    for (const session of [bob.token, undefined, (await h.session(ada.row.id)).token]) {
      const who = someone()
      const browser = openBrowser(h, ada.token)
      const path = await browser.visit((await browser.begin('?purpose=link')).location, who)
      if (session === undefined) browser.own.delete('session')
      else browser.own.set('session', session)
      expect((await browser.request('GET', path)).location).toBe('/settings/security?error=expired')
      expect(await h.db.select().from(identities).where(eq(identities.subject, who.sub))).toEqual([])
    }
  })

  test('fails where the session cannot be read', async () => {
    const { token } = await h.signedIn()
    await h.db.execute('alter table sessions rename to unread')
    try {
      const { status } = await h.request('GET', '/api/auth/oidc/begin?purpose=link', { cookie: token })
      expect(status).toBe(500)
    } finally {
      await h.db.execute('alter table unread rename to sessions')
    }
  })

  test('that ends after signing out links nothing', async () => {
    const ada = await h.signedIn()
    const browser = openBrowser(h, ada.token)
    const path = await browser.visit((await browser.begin('?purpose=link')).location, someone())
    await ada.request('POST', '/api/auth/logout')
    expect((await browser.request('GET', path)).location).toBe('/settings/security?error=expired')
  })

  test('that is cancelled, or fails, leads back to the settings', async () => {
    const ada = await h.signedIn()
    const { location } = await openBrowser(h, ada.token).signOn(undefined, '?purpose=link')
    expect(location).toBe('/settings/security?error=cancelled')
  })
})

test('an identity that nobody has gets no account by itself', async () => {
  const browser = openBrowser(h)
  const before = (await h.db.select().from(users)).length
  expect((await browser.signOn(someone())).location).toBe('/sign-in?error=not_linked')
  expect(browser.session).toBeUndefined()
  expect((await h.db.select().from(users)).length).toBe(before)
})

describe('unlinking', () => {
  test('keeps the provider from letting the user in', async () => {
    const { ada, who, identity } = await linked()
    expect((await unlink(ada, identity.id)).status).toBe(204)
    expect((await openBrowser(h).signOn(who)).location).toBe('/sign-in?error=not_linked')
    expect((await ada.request('GET', '/api/auth/identities')).body).toEqual({ identities: [] })
    expect(await actionsOf(h, ada.row.id)).toEqual(['auth.identity_linked', 'auth.identity_removed'])
  })

  test('takes a session that has proved itself lately', async () => {
    const { ada, identity } = await linked()
    const authenticatedAt = new Date(h.clock.now().getTime() - 16 * 60_000)
    const { token } = await h.session(ada.row.id, { authenticatedAt })
    const answer = await h.request('DELETE', `/api/auth/identities/${identity.id}`, { cookie: token })
    expect([answer.status, answer.body.code]).toEqual([403, 'reauthentication_required'])
  })

  test('what is not there, or belongs to somebody else, is not found', async () => {
    const [{ identity }, bob] = [await linked(), await h.signedIn()]
    for (const id of [identity.id, 2_000_000_000, 'x']) {
      const answer = await bob.request('DELETE', `/api/auth/identities/${id}`)
      expect([answer.status, answer.body]).toEqual([404, { detail: 'Identity not found' }])
    }
  })

  const withPasskey = (userId: number) =>
    h.db.insert(passkeys).values({
      userId,
      name: 'Key',
      credentialId: crypto.randomUUID(),
      publicKey: new Uint8Array(1),
      signCount: 0,
      transports: [],
      deviceType: 'singleDevice',
      backedUp: false,
      createdAt: h.clock.now(),
    })

  test.each([
    ['a password', {}, 0, 204],
    ['neither password nor passkey', { passwordHash: NO_PASSWORD }, 0, 409],
    ['a passkey alone', { passwordHash: NO_PASSWORD }, 1, 204],
    ['a password that was given up, and passkeys', { passwordlessEnabled: true }, 2, 204],
    ['a password that was given up', { passwordlessEnabled: true }, 0, 409],
  ])('the only identity of a user with %s is answered as it should be', async (_, columns, keys, status) => {
    const { ada, who, identity } = await linked(columns)
    for (let key = 0; key < keys; key++) await withPasskey(ada.row.id)
    const answer = await unlink(ada, identity.id)
    expect(answer.status).toBe(status)
    if (status === 409) expect(answer.body).toEqual({ detail: 'Set a password or a passkey first' })
    const still = status === 409 ? '/' : '/sign-in?error=not_linked'
    expect((await openBrowser(h).signOn(who)).location).toBe(still)
  })

  test('one of two identities is possible, and the other is then the last', async () => {
    const { ada, identity } = await linked({ passwordHash: NO_PASSWORD })
    await openBrowser(h, ada.token).signOn(someone(), '?purpose=link')
    const [, second] = (await ada.request('GET', '/api/auth/identities')).body.identities
    const both = await Promise.all([unlink(ada, identity.id), unlink(ada, second.id)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409])
  })

  test('an identity of a provider that is no longer used is no way in', async () => {
    const { ada, identity } = await linked({ passwordHash: NO_PASSWORD })
    const now = h.clock.now()
    await h.db.insert(identities).values({
      userId: ada.row.id,
      issuer: 'https://former.example',
      subject: 'x',
      createdAt: now,
    })
    expect((await unlink(ada, identity.id)).status).toBe(409)
  })

  test('the last passkey of who has nothing else is refused too', async () => {
    const ada = await h.signedIn({ passwordHash: NO_PASSWORD })
    await withPasskey(ada.row.id)
    const [key] = (await ada.request('GET', '/api/auth/passkeys')).body.passkeys
    const answer = await ada.request('DELETE', `/api/auth/passkeys/${key.id}`)
    expect([answer.status, answer.body]).toEqual([
      409,
      { detail: 'This passkey is the only way into the account' },
    ])
  })
})

describe('proving oneself again at the provider', () => {
  const old = () => ({ authenticatedAt: new Date(h.clock.now().getTime() - 60 * 60_000) })

  test('makes the session recent, and unlocks it', async () => {
    const { ada, who } = await linked()
    const { id, token } = await h.session(ada.row.id, { ...old(), isLocked: true })
    const browser = openBrowser(h, token)
    const { location: address } = await browser.begin('?purpose=reauthenticate&next=/settings/security')
    const asked = new URL(address).searchParams
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0'])
    const { location } = await browser.request('GET', await browser.visit(address, who))
    expect(location).toBe('/settings/security')
    const session = await sessionOf(h, id)
    expect(session.isLocked).toBe(false)
    expect((await browser.request('GET', '/api/auth/identities')).status).toBe(200)
    expect((await h.request('POST', '/api/auth/totp/setup', { cookie: token })).status).toBe(200)
    expect(await actionsOf(h, ada.row.id)).toContain('auth.session_unlocked')
  })

  test('as somebody else, or as nobody whom the service knows, proves nothing', async () => {
    const { ada } = await linked()
    const { who: bob } = await linked()
    for (const who of [bob, someone()]) {
      const { id, token } = await h.session(ada.row.id, { ...old(), isLocked: true })
      const { location } = await openBrowser(h, token).signOn(who, '?purpose=reauthenticate')
      expect(location).toBe('/settings/security?error=not_linked')
      expect((await sessionOf(h, id)).isLocked).toBe(true)
      expect((await h.request('POST', '/api/auth/totp/setup', { cookie: token })).status).toBe(423)
    }
  })

  test('without a session is refused', async () => {
    const { status, body } = await openBrowser(h).begin('?purpose=reauthenticate')
    expect([status, body]).toEqual([401, { detail: 'Not authenticated' }])
  })
})

test('without a provider in the configuration there is nothing of all that', async () => {
  await using plain = await startHarness({ env: { AUTH_RATE_LIMIT: 'off' } })
  const ada = await plain.signedIn()
  const none = [404, { detail: 'Not found' }]
  for (const [method, path] of [
    ['GET', '/api/auth/oidc/begin'],
    ['GET', '/api/auth/oidc/begin?purpose=link'],
    ['GET', '/api/auth/oidc/callback'],
    ['GET', '/api/auth/identities'],
    ['DELETE', '/api/auth/identities/1'],
  ] as const) {
    const { status, body } = await ada.request(method, path)
    expect([status, body]).toEqual(none)
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const logout = { body: 'logout_token=x', headers: form }
  const { status, body } = await plain.request('POST', '/api/auth/oidc/back-channel-logout', logout)
  expect([status, body]).toEqual(none)
  const seen = (await ada.request('GET', '/api/auth/status')).body
  expect([seen.oidc, seen.has_password]).toEqual([null, true])
  expect(
    (
      await plain.request('POST', '/api/auth/login', {
        body: { username: ada.row.username, password: PASSWORD },
      })
    ).status,
  ).toBe(200)
})
