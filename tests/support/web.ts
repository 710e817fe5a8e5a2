import { expect } from 'bun:test'
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core'
import { LATE_MS } from '../../src/web/events/DeleteDialog'
import { launchBrowser } from './browser'
import { RunningClock } from './fakes'
import { type Actor, type Harness, START, startHarness } from './harness'

/** The screens that every page is looked at on: those of a laptop and of a phone. */
export const SCREENS = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
} as const

interface Opened {
  /** The context's own cookies sign this user in; nobody is signed in without it. */
  readonly as?: Actor
  readonly options?: BrowserContextOptions
}

/** What a page must never do. */
export const watch = (page: Page, origin: string, complaints: string[]) => {
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    // The browser itself reports each refused request; the client's answer to it is what the test looks at.
    if (message.text().startsWith('Failed to load resource')) return
    // Only the tests of the service worker let it in, as requests pass it by that a test wants to see.
    if (message.text().startsWith('Service Worker registration blocked')) return
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${origin}/`))
      complaints.push(`foreign request: ${request.url()}`)
  })
}

/** Answers of the API that come late, each by another time, show what a test or the client takes for granted. */
const isSlow = process.env['TEST_NETWORK'] === 'slow'
const SLOW_MS = 200

/**
 * The built client before a service on a database of its own, and a browser. Their clocks begin alike and run.
 * Disposing fails if any page logged an error, broke its policy or called another host.
 */
export async function startClient(given: Parameters<typeof startHarness>[0] = {}) {
  const build = Bun.spawn(['bun', 'src/web/build.ts'], { stdio: ['ignore', 'inherit', 'inherit'] })
  if ((await build.exited) !== 0) throw new Error('The web client could not be built')
  let h: Harness
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: async (request) => {
      if (isSlow && new URL(request.url).pathname.startsWith('/api/'))
        await Bun.sleep(Math.random() * SLOW_MS)
      const answer = await h.app.fetch(request)
      answer.headers.set('date', h.clock.now().toUTCString())
      return answer
    },
  })
  const origin = `http://localhost:${server.port}`
  h = await startHarness({
    clock: new RunningClock(START),
    ...given,
    env: { PUBLIC_URL: origin, AUTH_RATE_LIMIT: 'off', ...given.env },
  })
  const launched = await launchBrowser()
  if (!launched) throw new Error('Chromium is missing')
  const browser: Browser = launched
  const complaints: string[] = []

  /** A browser of its own, on no page yet. `baseURL` may name what stands before the service. */
  async function open({ as, options }: Opened = {}) {
    const own = options?.baseURL ?? origin
    const context = await browser.newContext({
      baseURL: origin,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      ...SCREENS.desktop,
      serviceWorkers: 'block',
      ...options,
    })
    if (as) await context.addCookies([{ name: 'session', value: as.token, url: own }])
    await context.addInitScript((start) => {
      const ahead = start - Temporal.Now.instant().epochMilliseconds
      const real = Temporal.Now.instant.bind(Temporal.Now)
      Object.defineProperty(Temporal.Now, 'instant', { value: () => real().add({ milliseconds: ahead }) })
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        reportError(new Error(`policy: ${violatedDirective} ${blockedURI}`)),
      )
    }, h.clock.now().getTime())
    const page = await context.newPage()
    watch(page, own, complaints)
    context.on('page', (other) => watch(other, own, complaints))
    return { context, page }
  }

  return {
    h,
    origin,
    browser,
    open,
    complaints,
    async [Symbol.asyncDispose]() {
      await browser.close()
      await server.stop(true)
      await h[Symbol.asyncDispose]()
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
    },
  }
}
export type Client = Awaited<ReturnType<typeof startClient>>

/**
 * Holds the requests that fit the pattern until the function that it returns is called: what shows before that is the client's
 * own doing. They are answered by the service then, or as given.
 */
export async function hold(
  page: Page,
  pattern: string,
  answer: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  await page.route(pattern, async (route) => {
    await gate.promise
    await answer(route)
  })
  return gate.resolve
}

/** Holds the answers of requests that fit the pattern: what they say is old when they arrive. `asked` says that there is one. */
export async function holdAnswers(page: Page, pattern: string) {
  const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(pattern, async (route) => {
    const response = await route.fetch()
    asked.resolve()
    await gate.promise
    await route.fulfill({ response })
  })
  return { asked: asked.promise, release: gate.resolve }
}

/** Releases what is held, and waits until the page has drawn what its answer changes. */
export async function releaseAndDraw(page: Page, pattern: string, release: () => void): Promise<void> {
  const answered = page.waitForResponse(pattern)
  release()
  await (await answered).finished()
  await drawn(page)
}

/** Holds the requests that fit the pattern. The function that it returns releases them and waits until the page has drawn the answer. */
export async function holdToDraw(page: Page, pattern: string): Promise<() => Promise<void>> {
  const release = await hold(page, pattern)
  return () => releaseAndDraw(page, pattern, release)
}

/** Lets the clock of a page go on, as if it had been left alone. */
export const passMinutes = (page: Page, minutes: number): Promise<void> =>
  page.evaluate((more) => {
    const before = Temporal.Now.instant.bind(Temporal.Now)
    Object.defineProperty(Temporal.Now, 'instant', {
      value: () => before().add({ minutes: more }),
      configurable: true,
    })
    document.dispatchEvent(new Event('visibilitychange'))
  }, minutes)

/** Lets who deletes an event wait for the service, however late it answers on a busy machine, rather than be asked meanwhile. */
export const waitForAnswers = (page: Page): Promise<void> =>
  page.evaluate((late) => {
    const before = window.setTimeout.bind(window)
    const later = (run: () => void, ms?: number) => before(run, ms === late ? 60_000 : ms)
    Object.defineProperty(window, 'setTimeout', { value: later })
  }, LATE_MS)

/** Waits until the page has drawn what it did so far: a scroll is told, and an effect has run, before the second frame. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

/**
 * Lets requests that fit the pattern through again, and asks for another try. The client tries by itself when it becomes live;
 * this waits for that, so that only the user's own try can succeed.
 */
export async function tryAgain(page: Page, pattern: string): Promise<void> {
  await page.getByRole('status', { name: 'Connection' }).getByText('Live').waitFor()
  const button = page.getByRole('button', { name: 'Try again' })
  const [refused] = await Promise.all([page.waitForRequest(pattern), button.click()])
  await refused.response()
  await page.unroute(pattern)
  await button.click()
}

/** Waits for the page of who is signed out. A document that another one replaces while it loads would end a wait for its address. */
export const signedOut = (page: Page): Promise<void> =>
  page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()

/** Waits until a read says what is expected: changes show before the service has them. Fails with what it says at last. */
export async function eventually<T>(read: () => Promise<T>, expected: T): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (Bun.deepEquals(await read(), expected)) return
    await Bun.sleep(25)
  }
  const found: unknown = await read()
  expect(found).toEqual(expected)
}

/** The same for what is only a part of what the read says. */
export async function eventuallyMatches(read: () => Promise<unknown>, expected: object): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const found: unknown = await read()
    try {
      expect(found).toMatchObject(expected)
      return
    } catch {
      await Bun.sleep(25)
    }
  }
  expect(await read()).toMatchObject(expected)
}
