import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { auditLog, mfaTokens, sessions, users } from '../../../../src/db/schema'
import { auditOf } from '../../../support/accounts'
import { RunningClock } from '../../../support/fakes'
import { drawKey, signedJwt, unsignedJwt, useHostileProvider } from '../../../support/hostile-provider'
import { lockWaiters } from '../../../support/locks'
import { OIDC, openBrowser } from '../../../support/oidc-browser'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const provider = await useHostileProvider()
const h = useHarness({ env: provider.env, clock: new RunningClock(new Date().toISOString()) })
const holder = useSql(h)
const watcher = useSql(h)
beforeEach(() => provider.behave())

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }

/** A user of the provider, in a session of theirs there. */
async function signedOn(sub: string, sid: string | undefined) {
  if ((await h.db.select().from(sessions)).length === 0)
    await h.signedIn({ username: 'first', role: 'admin' })
  const browser = openBrowser(h)
  const asked = new URL((await browser.begin()).location).searchParams
  provider.state.nonce = asked.get('nonce') ?? ''
  provider.state.claims = { sub, sid, preferred_username: sub }
  const answer = { state: asked.get('state') ?? '', code: 'c', iss: provider.issuer }
  const back = await browser.request('GET', `${OIDC}/callback?${new URLSearchParams(answer)}`)
  expect(back.location).toBe('/')
  return browser
}

const isSignedIn = async (browser: ReturnType<typeof openBrowser>) =>
  (await browser.request('GET', '/api/auth/status')).body.authenticated

/** A good logout token, with other claims. */
const logoutToken = async (claims: object, header: object = { typ: 'logout+jwt' }) => {
  const { iss, aud, iat, exp } = provider.claimsNow()
  const good = { iss, aud, iat, exp, jti: crypto.randomUUID(), events: EVENTS }
  return signedJwt(provider.state.key, { ...good, ...claims }, header)
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const send = (fields: Record<string, string> | string) =>
  h.request('POST', `${OIDC}/back-channel-logout`, {
    body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
    headers: FORM,
  })
const logOut = async (claims: object) => send({ logout_token: await logoutToken(claims) })

describe('a logout token', () => {
  test('of a session ends what came from it, and nothing else', async () => {
    const [here, there, other] = [
      await signedOn('ada', 'sid-1'),
      await signedOn('ada', 'sid-2'),
      await signedOn('bob', 'sid-1b'),
    ]
    const { status, body, headers } = await logOut({ sub: 'ada', sid: 'sid-1' })
    expect([status, body, headers.get('cache-control')]).toEqual([200, { message: 'Signed out' }, 'no-store'])
    expect([await isSignedIn(here), await isSignedIn(there), await isSignedIn(other)]).toEqual([
      false,
      true,
      true,
    ])
    expect((await logOut({ sid: 'sid-2' })).status).toBe(200)
    expect(await isSignedIn(there)).toBe(false)
  })

  test('of a subject ends all sessions that came from it, also where the provider named none', async () => {
    const browsers = [await signedOn('carol', 'sid-3'), await signedOn('carol', undefined)]
    const { user_id: id } = (await browsers[0]?.request('GET', '/api/auth/status'))?.body ?? {}
    const own = await h.session(id)
    expect((await logOut({ sub: 'carol' })).status).toBe(200)
    for (const browser of browsers) expect(await isSignedIn(browser)).toBe(false)
    expect((await h.request('GET', '/api/auth/status', { cookie: own.token })).body.authenticated).toBe(true)
    expect((await auditOf(h, id)).at(-1)).toMatchObject({
      action: 'auth.oidc_logout',
      detail: { revoked: 2 },
    })
  })

  test('with a session ends also what named no session of the subject', async () => {
    const browser = await signedOn('dave', undefined)
    expect((await logOut({ sub: 'dave', sid: 'sid-4' })).status).toBe(200)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('ends a sign-in whose second factor is still missing', async () => {
    const browser = await signedOn('erin', 'sid-5')
    const { user_id: id } = (await browser.request('GET', '/api/auth/status')).body
    await h.db.execute(sql`update users set mfa_required = true where id = ${id}`)
    const again = openBrowser(h)
    const asked = new URL((await again.begin()).location).searchParams
    provider.state.nonce = asked.get('nonce') ?? ''
    const answer = { state: asked.get('state') ?? '', code: 'c', iss: provider.issuer }
    const { location } = await again.request('GET', `${OIDC}/callback?${new URLSearchParams(answer)}`)
    expect(location).toStartWith('/second-factor/set-up#')
    expect((await logOut({ sub: 'erin' })).status).toBe(200)
    expect(await h.db.select().from(mfaTokens).where(eq(mfaTokens.userId, id))).toEqual([])
  })

  test('of nobody whom the service knows is fine, and ends nothing', async () => {
    const browser = await signedOn('frank', 'sid-6')
    expect((await logOut({ sub: 'nobody', sid: 'nowhere' })).status).toBe(200)
    expect(await isSignedIn(browser)).toBe(true)
  })

  test('for an account that is being deleted waits for that, and has nothing left to end', async () => {
    const browser = await signedOn('hugo', 'sid-7')
    const { user_id: id } = (await browser.request('GET', '/api/auth/status')).body
    const admin = await h.signedIn({ role: 'admin' })
    const answers = await holder.begin(async (held) => {
      await held`select 1 from sessions where user_id = ${id} for update`
      const deleting = admin.request('DELETE', `/api/admin/users/${id}`)
      await lockWaiters(watcher)
      const ending = logOut({ sub: 'hugo' })
      await lockWaiters(watcher, 2)
      return [deleting, ending]
    })
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200])
    expect(await h.db.$count(users, eq(users.id, id))).toBe(0)
  })

  const seconds = provider.seconds
  test.each([
    ['without a subject and a session', () => logoutToken({})],
    ['without the event', () => logoutToken({ sub: 'gina', events: {} })],
    ['without any events', () => logoutToken({ sub: 'gina', events: undefined })],
    ['with a nonce, as an ID token has', () => logoutToken({ sub: 'gina', nonce: 'x' })],
    ['for another client', () => logoutToken({ sub: 'gina', aud: 'other' })],
    ['of another issuer', () => logoutToken({ sub: 'gina', iss: 'https://evil.example' })],
    ['that has expired', () => logoutToken({ sub: 'gina', exp: seconds() - 3600 })],
    ['without an end', () => logoutToken({ sub: 'gina', exp: undefined })],
    ['without an id', () => logoutToken({ sub: 'gina', jti: undefined })],
    ['that was issued in the future', () => logoutToken({ sub: 'gina', iat: seconds() + 3600 })],
    [
      'that nobody signed',
      async () => unsignedJwt({ ...provider.claimsNow(), sub: 'gina', jti: 'x', events: EVENTS }),
    ],
    [
      'that another key signed',
      async () =>
        signedJwt(await drawKey('first'), {
          ...provider.claimsNow(),
          sub: 'gina',
          jti: 'x',
          events: EVENTS,
        }),
    ],
    ['that is an ID token', () => signedJwt(provider.state.key, { ...provider.claimsNow(), sub: 'gina' })],
    ['that is garbage', async () => 'garbage'],
    ['that is empty', async () => ''],
    ['that is too long', () => logoutToken({ sub: 'gina', padding: 'x'.repeat(20_000) })],
  ])('%s is refused, and ends nothing', async (_, make) => {
    const browser = await signedOn('gina', 'sid-7')
    const { status, body } = await send({ logout_token: await make() })
    expect([status, body]).toEqual([400, { detail: 'Invalid logout token' }])
    expect(await isSignedIn(browser)).toBe(true)
    const entries = await h.db.select().from(auditLog).where(eq(auditLog.action, 'auth.oidc_logout'))
    expect(entries.some(({ detail }) => JSON.stringify(detail).includes('gina'))).toBe(false)
  })

  test('is taken once in a form, and in nothing else', async () => {
    const token = await logoutToken({ sub: 'nobody' })
    expect((await send(`logout_token=${token}&logout_token=${token}`)).status).toBe(400)
    expect((await send('')).status).toBe(400)
    expect((await send('x'.repeat(70_000))).status).toBe(413)
    const json = await h.request('POST', `${OIDC}/back-channel-logout`, { body: { logout_token: token } })
    expect(json.status).toBe(415)
  })

  test('is refused while the keys cannot be had, and the log tells why', async () => {
    provider.state.key = await drawKey('unknown')
    expect((await logOut({ sub: 'gina' })).status).toBe(400)
    expect(h.log.entries).toContainEqual({
      level: 'warn',
      message: 'A sign-out by the identity provider failed',
      fields: { reason: 'OAUTH_KEY_SELECTION_FAILED' },
    })
  })
})
