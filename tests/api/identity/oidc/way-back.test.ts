import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditLog, identities, passkeys, sessions, users } from '../../../../src/db/schema'
import { NO_PASSWORD } from '../../../../src/features/identity/passwords/rules'
import { sessionOf } from '../../../support/accounts'
import { codeAt } from '../../../support/authenticator-app'
import { RunningClock } from '../../../support/fakes'
import { useHostileProvider } from '../../../support/hostile-provider'
import { type Browser, openBrowser } from '../../../support/oidc-browser'
import { withTotp } from '../../../support/totp'
import { useHarness } from '../../../support/use-harness'
import { beginAt, comeBack, EXPIRED, expectRefused, REFUSED, signOnAt } from './hostile.scene'

const provider = await useHostileProvider()
const h = useHarness({ per: 'test', env: provider.env, clock: new RunningClock(new Date().toISOString()) })
beforeEach(async () => {
  provider.behave()
  await h.user({ username: 'first', role: 'admin' })
})

const begun = (browser: Browser, query = '') => beginAt(provider, browser, query)

async function goneOnTo(next: string): Promise<string> {
  const browser = openBrowser(h)
  const { answer } = await begun(browser, `?next=${encodeURIComponent(next)}`)
  return (await comeBack(browser, answer)).location
}

describe('a sign-in goes on', () => {
  test.each([
    '//evil.example',
    String.raw`/\evil.example`,
    '/\t/evil.example',
    '/x/..//evil.example',
    '/.//evil.example',
    '/%2e//evil.example',
    String.raw`/./\evil.example`,
    '/x/..///evil.example/%2f..',
    'https://evil.example/',
    'https:evil.example',
    'javascript:alert(1)',
    ' /todos',
    '@evil.example',
    `/${'x'.repeat(2000)}`,
  ])('to the start and not to another origin: %j', async (next) => {
    expect(await goneOnTo(next)).toBe('/')
  })

  test.each([
    '/api/auth/oidc/begin?purpose=link',
    '/api',
    '/x/../api/auth/oidc/begin?purpose=link',
    String.raw`/\..\api/auth/oidc/begin`,
    '/./api/auth/oidc/begin',
    '/%2e/api/auth/oidc/begin',
    '/api?next=/todos',
  ])('to the start and not to the API, where it might begin to link something: %j', async (next) => {
    expect(await goneOnTo(next)).toBe('/')
  })

  test.each([
    ['/todos?open=1#first', '/todos?open=1#first'],
    ['/todos\r\nset-cookie: session=x', '/todosset-cookie:%20session=x'],
    ['/search?q=//evil.example', '/search?q=//evil.example'],
    ['/apiary', '/apiary'],
  ])('to a page of the service, in one line: %j', async (next, expected) => {
    expect(await goneOnTo(next)).toBe(expected)
  })
})

test('two sign-ins of one browser do not disturb each other, whichever ends first', async () => {
  const browser = openBrowser(h)
  const first = await begun(browser, '?next=/first')
  const second = await begun(browser, '?next=/second')
  expect((await comeBack(browser, second.answer)).location).toBe('/second')
  provider.state.nonce = first.asked.get('nonce') ?? ''
  expect((await comeBack(browser, first.answer)).location).toBe('/first')
})

describe('a link', () => {
  const nothingIsLinked = async () => expect(await h.db.select().from(identities)).toEqual([])

  test.each([
    ['locked', (id: string) => h.db.update(sessions).set({ isLocked: true }).where(eq(sessions.id, id))],
    [
      'asked to change the password',
      (_: string, userId: number) =>
        h.db.update(users).set({ mustChangePassword: true }).where(eq(users.id, userId)),
    ],
    [
      'disabled',
      (_: string, userId: number) => h.db.update(users).set({ isActive: false }).where(eq(users.id, userId)),
    ],
  ])('and a session that is %s in between link nothing', async (_, change) => {
    const ada = await h.signedIn()
    const browser = openBrowser(h, ada.token)
    const { answer } = await begun(browser, '?purpose=link')
    await change(ada.sid, ada.row.id)
    expect((await comeBack(browser, answer)).location).toBe('/settings/security?error=expired')
    await nothingIsLinked()
  })

  test("of one user's begin does nothing in the browser of another, not even with the cookie planted", async () => {
    const [mallory, victim] = [await h.signedIn(), await h.signedIn()]
    const [attacking, attacked] = [openBrowser(h, mallory.token), openBrowser(h, victim.token)]
    const { answer } = await begun(attacking, '?purpose=link')
    expect((await comeBack(attacked, answer)).location).toBe(EXPIRED)
    for (const [name, value] of attacking.own) if (name !== 'session') attacked.own.set(name, value)
    expect((await comeBack(attacked, answer)).location).toBe('/settings/security?error=expired')
    expect(attacked.session).toBe(victim.token)
    await nothingIsLinked()
  })

  test('a sign-in that ends in a session of somebody else links nothing with it', async () => {
    const victim = await h.signedIn()
    const browser = openBrowser(h, victim.token)
    expect(await signOnAt(h, provider, browser)).toBe('/')
    expect(browser.session).not.toBe(victim.token)
    const [identity] = await h.db.select().from(identities)
    expect(identity?.userId).not.toBe(victim.row.id)
  })
})

/** A user with the identity of the provider. */
async function linkedUser(columns: Parameters<typeof h.signedIn>[0] = {}) {
  const ada = await h.signedIn(columns)
  const browser = openBrowser(h, ada.token)
  const { answer } = await begun(browser, '?purpose=link')
  expect((await comeBack(browser, answer)).location).toBe('/settings/security')
  const [identity] = (await ada.request('GET', '/api/auth/identities')).body.identities
  return { ada, browser, unlink: () => ada.request('DELETE', `/api/auth/identities/${identity.id}`) }
}

test('a proof counts for nothing once the account is disabled', async () => {
  const { ada, browser } = await linkedUser()
  await h.db.update(sessions).set({ isLocked: true }).where(eq(sessions.id, ada.sid))
  provider.state.claims = { auth_time: provider.seconds() }
  const { answer } = await begun(browser, '?purpose=reauthenticate')
  await h.db.update(users).set({ isActive: false }).where(eq(users.id, ada.row.id))
  expect((await comeBack(browser, answer)).location).toBe('/settings/security?error=expired')
  expect((await sessionOf(h, ada.sid)).isLocked).toBe(true)
})

test('unlinking an identity ends its sign-ins whose second factor is missing', async () => {
  const { ada, unlink } = await linkedUser()
  const { secret } = await withTotp(h, ada)
  const location = await signOnAt(h, provider)
  const token = new URLSearchParams(location.split('#')[1]).get('mfa_token')
  expect((await unlink()).status).toBe(204)
  const body = { mfa_token: token, code: codeAt(secret, h.clock.now()) }
  const answer = await h.request('POST', '/api/auth/totp/verify', { body })
  expect([answer.status, answer.body]).toEqual([401, { detail: 'Invalid or expired MFA token' }])
})

test('of the last identity and the last passkey, removed at once, one stays', async () => {
  for (let round = 0; round < 5; round++) {
    provider.state.claims = { sub: `sub-${round}` }
    const { ada, unlink } = await linkedUser({ passwordHash: NO_PASSWORD })
    await h.db.insert(passkeys).values({
      userId: ada.row.id,
      name: 'Key',
      credentialId: crypto.randomUUID(),
      publicKey: new Uint8Array(1),
      signCount: 0,
      transports: [],
      deviceType: 'singleDevice',
      backedUp: false,
      createdAt: h.clock.now(),
    })
    const [key] = (await ada.request('GET', '/api/auth/passkeys')).body.passkeys
    const answers = await Promise.all([unlink(), ada.request('DELETE', `/api/auth/passkeys/${key.id}`)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409])
  }
})

describe('what the provider says of somebody', () => {
  test.each([
    ['a subject with a null character', { sub: 'a\0b' }],
    ['a subject that is half a character', { sub: 'a\ud800' }],
    ['a session with a null character', { sid: 'a\0b' }],
    ['a session that is half a character', { sid: 'a\ud800' }],
  ])('is refused with %s, which the database cannot tell from others', async (_, claims) => {
    provider.state.claims = claims
    const browser = openBrowser(h)
    expect(await expectRefused(h, browser, await signOnAt(h, provider, browser))).toBe(REFUSED)
  })

  test.each([
    ['of another script', '\u0430dmin', 'dmin'],
    ['right to left', '\u202enimda\u202c', 'nimda'],
    ['of wide letters', '\uff41\uff44\uff4d\uff49\uff4e', 'admin'],
    ['with a line break', 'ad\r\nmin', 'ad-min'],
    ['with a null character', 'ad\0min', 'ad-min'],
    ['of half characters', '\ud800\udfff\ud800ab', 'user'],
    ['of an existing user, in wide letters', '\uff46irst', 'first2'],
    ['that is empty', '', 'somebody'],
    ['of 100,000 characters', 'x'.repeat(100_000), 'x'.repeat(32)],
  ])('makes a plain username of one %s', async (_, wanted, username) => {
    provider.state.claims = { preferred_username: wanted }
    const browser = openBrowser(h)
    expect(await signOnAt(h, provider, browser)).toBe('/')
    expect((await browser.request('GET', '/api/auth/status')).body.username).toBe(username)
  })

  test('is neither logged nor audited, and no more are codes, states and tokens', async () => {
    provider.state.claims = { name: 'zq-name', email: 'zq-mail@example.org', email_verified: true }
    const browser = openBrowser(h)
    const { answer } = await begun(browser)
    const code = 'zq-code'
    expect((await comeBack(browser, { ...answer, code })).location).toBe('/')
    expect((await comeBack(browser, { ...answer, code })).location).toBe(EXPIRED)
    provider.state.claims = { nonce: 'zq-nonce' }
    const again = await begun(browser)
    expect((await comeBack(browser, { ...again.answer, code })).location).toBe(REFUSED)
    const kept = JSON.stringify([h.log.entries, await h.db.select().from(auditLog)])
    expect(kept).not.toMatch(/zq-|an access token|eyJ/)
    for (const { state } of [answer, again.answer]) expect(kept).not.toContain(state)
  })
})
