import { beforeEach, describe, expect, test } from 'bun:test'
import { sessions, users } from '../../../../src/db/schema'
import { RunningClock } from '../../../support/fakes'
import { useHostileProvider } from '../../../support/hostile-provider'
import { type Browser, openBrowser } from '../../../support/oidc-browser'
import { useHarness } from '../../../support/use-harness'
import { beginAt, comeBack, expectRefused, REFUSED, signOnAt, UNAVAILABLE } from './hostile.scene'

const provider = await useHostileProvider()
const h = useHarness({ per: 'test', env: provider.env, clock: new RunningClock(new Date().toISOString()) })
beforeEach(async () => {
  provider.behave()
  provider.asked.length = 0
  await h.user({ username: 'first', role: 'admin' })
})

const begun = (browser: Browser, query = '') => beginAt(provider, browser, query)
const signOn = (browser = openBrowser(h)) => signOnAt(h, provider, browser)
const refused = (browser: Browser, location: string) => expectRefused(h, browser, location)

const now = provider.seconds

describe('a proof that is asked for anew', () => {
  test.each([
    ['does not say when', () => undefined, REFUSED],
    ['was given before it was asked for', () => now() - 120, REFUSED],
    ['is fresh', () => now(), '/'],
    ['is fresh by a clock that is slow', () => now() - 50, '/'],
  ])('and that %s is judged by its time', async (_, time, expected) => {
    const browser = openBrowser(h)
    expect(await signOn(browser)).toBe('/')
    const [before] = await h.db.select().from(sessions)
    provider.state.claims = { auth_time: time() }
    const { answer } = await begun(browser, '?purpose=reauthenticate')
    const back = await comeBack(browser, answer)
    expect(back.location).toBe(expected === '/' ? '/' : '/settings/security?error=provider_refused')
    const [after] = await h.db.select().from(sessions)
    const isRenewed = Number(after?.authenticatedAt) > Number(before?.authenticatedAt)
    expect(isRenewed).toBe(expected === '/')
  })
})

describe('claims that the ID token lacks', () => {
  beforeEach(() => {
    provider.state.claims = { name: undefined, preferred_username: undefined, email: undefined }
  })

  test('are read from userinfo', async () => {
    const email = { email: 'grace@example.org', email_verified: true }
    provider.state.userinfo = { sub: 'sub-1', name: 'Grace', preferred_username: 'grace', ...email }
    expect(await signOn()).toBe('/')
    const made = (await h.db.select().from(users)).find(({ username }) => username === 'grace')
    expect(made?.email).toBe('grace@example.org')
  })

  test('are not read from the userinfo of somebody else', async () => {
    provider.state.userinfo = { sub: 'sub-2', preferred_username: 'grace' }
    const browser = openBrowser(h)
    expect(await refused(browser, await signOn(browser))).toBe(REFUSED)
  })

  test('make the e-mail of userinfo no verified one, where only the ID token says so', async () => {
    provider.state.claims = { preferred_username: 'grace', email: undefined, email_verified: true }
    provider.state.userinfo = { sub: 'sub-1', email: 'admin@example.org' }
    expect(await signOn()).toBe('/')
    const made = (await h.db.select().from(users)).find(({ username }) => username === 'grace')
    expect(made?.email).toBeNull()
  })

  test('are not needed: who has no name is called user', async () => {
    expect(await signOn()).toBe('/')
    const names = (await h.db.select().from(users)).map(({ username }) => username)
    expect(names).toContain('user')
  })
})

describe('a provider', () => {
  const huge = () => new Response('x'.repeat(300_000), { headers: { 'content-type': 'application/json' } })
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(0x20)),
      }),
      { headers: { 'content-type': 'application/json' } },
    )
  const inwards = () => Response.redirect('http://127.0.0.1:9/latest/meta-data', 302)
  const broken = () => new Response('boom', { status: 500 })
  const page = () => new Response('<html>', { headers: { 'content-type': 'text/html' } })

  test.each([
    ['huge', huge],
    ['endless', endless],
    ['redirecting inwards', inwards],
    ['broken', broken],
    ['that answers with a page', page],
  ])('%s is unavailable, at every endpoint', async (_, answer) => {
    provider.state.claims = { name: undefined }
    provider.state.answers = { discovery: answer }
    expect((await openBrowser(h).begin()).location).toBe(UNAVAILABLE)
    for (const endpoint of ['token', 'jwks', 'userinfo'] as const) {
      provider.state.answers = { [endpoint]: answer }
      const browser = openBrowser(h)
      expect([endpoint, await refused(browser, await signOn(browser))]).toEqual([endpoint, UNAVAILABLE])
    }
    provider.state.answers = {}
    expect(await signOn()).toBe('/')
  })

  test('whose document names another issuer is refused', async () => {
    provider.state.discovery = { issuer: 'https://evil.example' }
    expect((await openBrowser(h).begin()).location).toBe(REFUSED)
  })

  test.each(['token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
    'whose document leads inwards at %s is not followed',
    async (name) => {
      let isReached = false
      await using inner = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        fetch: () => {
          isReached = true
          return Response.json({})
        },
      }) as ReturnType<typeof Bun.serve> & AsyncDisposable
      provider.state.discovery = { [name]: `http://127.0.0.1:${inner.port}/` }
      provider.state.claims = { name: undefined }
      const browser = openBrowser(h)
      expect(await refused(browser, await signOn(browser))).toBe(UNAVAILABLE)
      expect(isReached).toBe(false)
    },
  )
})
