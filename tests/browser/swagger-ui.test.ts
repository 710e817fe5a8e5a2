import { afterAll, beforeAll, expect } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, test } from '../support/browser'
import { type Harness, PASSWORD, startHarness } from '../support/harness'
import { documentOf, operationsOf } from '../support/openapi'

const BROWSER_TIMEOUT_MS = 60_000

let h: Harness
let server: ReturnType<typeof Bun.serve>
let browser: Browser | undefined
beforeAll(async () => {
  h = await startHarness()
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: h.app.fetch })
  browser = await launchBrowser()
}, BROWSER_TIMEOUT_MS)
afterAll(async () => {
  await browser?.close()
  await server.stop(true)
  await h[Symbol.asyncDispose]()
})

/** Opens a page and collects whatever a reader should never see: calls to other hosts, violations, errors. */
async function open(path: string, work: (page: Page) => Promise<void>) {
  if (!browser) throw new Error('Chromium is missing')
  const context = await browser.newContext({ baseURL: server.url.origin })
  const trouble: string[] = []
  await context.route(
    (url) => url.host !== server.url.host,
    (route) => {
      trouble.push(`request to ${route.request().url()}`)
      return route.abort()
    },
  )
  const page = await context.newPage()
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) trouble.push(message.text())
  })
  page.on('pageerror', (error) => trouble.push(error.message))
  await page.goto(path)
  await work(page)
  await context.close()
  expect(trouble).toEqual([])
}

const operationBlock = (page: Page, path: string) =>
  page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) })

/** Presses "Execute" and answers the status that the page shows. */
async function execute(page: Page, path: string) {
  const block = operationBlock(page, path)
  await block.getByRole('button', { name: 'Execute', exact: true }).click()
  return block.locator('.live-responses-table .response .response-col_status').innerText()
}

/** What scrolling down the page shows: of 150 rows and more it draws only those in view. */
async function summariesOn(page: Page): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let isAtEnd = false; !isAtEnd;) {
    for (const text of await page.locator('.opblock-summary-description').allInnerTexts()) found.add(text)
    isAtEnd = await page.evaluate(async () => {
      const before = window.scrollY
      window.scrollBy(0, window.innerHeight / 2)
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
      return window.scrollY === before
    })
  }
  return found
}

test(
  'the documentation page shows every operation and asks no other host',
  () =>
    open('/api/docs', async (page) => {
      const document = await documentOf(h.app.fetch)
      await page.locator('.opblock').first().waitFor()
      const documented = new Set(operationsOf(document).map(({ operation }) => String(operation.summary)))
      expect([...(await summariesOn(page))].toSorted()).toEqual([...documented].toSorted())
      expect(await page.locator('.topbar').count()).toBe(0)
    }),
  BROWSER_TIMEOUT_MS,
)

test(
  'an operation can be tried out from the documentation page',
  () =>
    open('/api/docs#/Sessions/getStatus', async (page) => {
      const block = operationBlock(page, '/api/auth/status')
      await block.getByRole('button', { name: 'Try it out' }).click()
      expect(await execute(page, '/api/auth/status')).toContain('200')
      expect(await block.locator('.live-responses-table').innerText()).toContain('setup_required')
    }),
  BROWSER_TIMEOUT_MS,
)

test(
  'the first account can be made, and is signed in, from the address that the service prints at start',
  () =>
    open('/api/docs#/Accounts/setUp', async (page) => {
      const block = operationBlock(page, '/api/auth/setup')
      await block.getByRole('button', { name: 'Try it out' }).click()
      await block.locator('textarea').fill(JSON.stringify({ username: 'ada', password: PASSWORD }))
      expect(await execute(page, '/api/auth/setup')).toContain('200')
      const status = await page.evaluate(async () => (await fetch('/api/auth/status')).json())
      expect(status).toMatchObject({ authenticated: true, username: 'ada', role: 'admin' })
    }),
  BROWSER_TIMEOUT_MS,
)
