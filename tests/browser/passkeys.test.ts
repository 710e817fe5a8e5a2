import { afterAll, beforeAll, expect } from 'bun:test'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { launchBrowser, test } from '../support/browser'
import { type Harness, PASSWORD, startHarness } from '../support/harness'

const BROWSER_TIMEOUT_MS = 60_000
const PAGE = '/passkeys-test-page'

let h: Harness
let server: ReturnType<typeof Bun.serve>
let origin: string
let browser: Browser | undefined
beforeAll(async () => {
  // An address is no relying party id; a name is, and localhost is secure without TLS.
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => h.app.fetch(request) })
  origin = `http://localhost:${server.port}`
  h = await startHarness({ env: { PUBLIC_URL: origin, AUTH_RATE_LIMIT: 'off' } })
  browser = await launchBrowser()
}, BROWSER_TIMEOUT_MS)
afterAll(async () => {
  await browser?.close()
  await server.stop(true)
  await h[Symbol.asyncDispose]()
})

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** What the page's own script would do: a request, and the two ceremonies with what the service answers to it. */
const pageOf = (page: Page) => ({
  call: (method: string, path: string, body?: object): Promise<Answer> =>
    page.evaluate(
      async ([url, init]) => {
        const response = await fetch(url, init)
        return { status: response.status, body: await response.json().catch(() => ({})) }
      },
      [
        `/api/${path}`,
        {
          method,
          ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        },
      ] as const,
    ),
  create: (options: unknown): Promise<object> =>
    page.evaluate(async (json) => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as never)
      return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON()
    }, options),
  get: (options: unknown): Promise<object> =>
    page.evaluate(async (json) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json as never)
      return ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON()
    }, options),
})

const addAuthenticator = async (devtools: CDPSession) =>
  (
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
  ).authenticatorId

/** Opens a page of the service's origin in a browser with one virtual authenticator. */
async function open(running: Browser) {
  const context = await running.newContext({ baseURL: origin })
  const page = await context.newPage()
  await page.route(`**${PAGE}`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Passkeys</title>' }),
  )
  await page.goto(PAGE)
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  return { context, devtools, ...pageOf(page) }
}

test(
  'a user registers two passkeys, signs in, unlocks, leaves the password and comes back, in a real browser',
  async () => {
    if (!browser) throw new Error('Chromium is missing')
    const { context, devtools, call, create, get } = await open(browser)
    const credentials = { username: 'ada', password: PASSWORD }
    const assert = async (ceremony: string) => get((await call('POST', `${ceremony}/begin`)).body.options)

    expect((await call('POST', 'auth/setup', credentials)).status).toBe(200)
    expect((await call('PUT', 'admin/config', { allow_passwordless: true })).status).toBe(200)

    const first = await addAuthenticator(devtools)
    for (const name of ['Laptop', 'Phone']) {
      const { body } = await call('POST', 'auth/passkeys/register/begin')
      const credential = await create(body.options)
      const registered = await call('POST', 'auth/passkeys/register/complete', { credential, name })
      expect(registered).toMatchObject({ status: 201, body: { name, transports: ['internal'] } })
      if (name === 'Laptop') {
        // A browser has one authenticator of its own: the phone takes its place.
        await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: first })
        await addAuthenticator(devtools)
      }
    }

    expect((await call('POST', 'auth/logout')).status).toBe(200)
    const signedIn = await call('POST', 'auth/passkeys/login/complete', {
      credential: await assert('auth/passkeys/login'),
    })
    expect(signedIn).toEqual({ status: 200, body: { authenticated: true } })
    expect((await call('GET', 'auth/status')).body).toMatchObject({ username: 'ada', passkey_count: 2 })

    expect((await call('POST', 'auth/lock')).status).toBe(200)
    expect((await call('GET', 'auth/passkeys')).body).toMatchObject({ code: 'session_locked' })
    const unlocked = await call('POST', 'auth/passkeys/login/complete', {
      credential: await assert('auth/passkeys/login'),
      unlock: true,
    })
    expect(unlocked).toEqual({ status: 200, body: { authenticated: true, unlocked: true } })
    expect((await call('GET', 'auth/passkeys')).status).toBe(200)

    const enabled = await call('PUT', 'auth/passkeys/passwordless/enable', { password: PASSWORD })
    expect(enabled.body).toMatchObject({ passwordless_enabled: true })
    expect(await call('POST', 'auth/login', credentials)).toEqual({
      status: 403,
      body: { detail: 'Password sign-in is disabled for this account. Use a passkey.' },
    })

    const disabled = await call('PUT', 'auth/passkeys/passwordless/disable', {
      credential: await assert('auth/passkeys/passwordless/disable'),
    })
    expect(disabled.body).toMatchObject({ passwordless_enabled: false })
    expect(await call('POST', 'auth/login', credentials)).toEqual({
      status: 200,
      body: { authenticated: true },
    })
    await context.close()
  },
  BROWSER_TIMEOUT_MS,
)
