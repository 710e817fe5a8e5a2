import { afterAll, beforeAll, expect } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { test } from '../../support/browser'
import type { Actor } from '../../support/harness'
import { storedIn } from '../../support/browser-storage'
import { type Client, startClient } from '../../support/web'
import { add, connection, openStorePage, todo, waiting } from './store-page'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

/** A page that keeps a copy, with one todo that is saved. */
async function withCopy(as: Actor) {
  const { context, page } = await client.open({ as })
  await openStorePage(context, page)
  await connection(page, 'live confirmed')
  await page.getByLabel('Keep a copy on this device').check()
  await add(page, 'Secret plan')
  await waiting(page, 0)
  await expectKept(page, 'Secret plan')
  return { context, page }
}

async function expectKept(page: Page, text: string): Promise<void> {
  while (!(await storedIn(page)).includes(text)) await page.evaluate(() => new Promise(requestAnimationFrame))
}
async function expectForgotten(page: Page, text: string): Promise<void> {
  while ((await storedIn(page)).includes(text)) await page.evaluate(() => new Promise(requestAnimationFrame))
}

const signIn = (context: BrowserContext, { token }: Actor) =>
  context.addCookies([{ name: 'session', value: token, url: client.origin }])

test('changes that were not sent survive a reload where the device keeps a copy, and arrive once', async () => {
  const ada = await client.h.signedIn()
  const { context, page } = await withCopy(ada)
  await context.route('**/api/todos', (route) => route.abort())
  await add(page, 'Made offline')
  await waiting(page, 1)
  await expectKept(page, 'Made offline')
  await page.reload()
  await todo(page, 'Made offline').waitFor()
  await waiting(page, 1)
  await context.unroute('**/api/todos')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await waiting(page, 0)
  const { body } = await ada.request('GET', '/api/todos')
  expect(body.todos.map(({ title }: { title: string }) => title)).toEqual(['Secret plan', 'Made offline'])
  await context.close()
})

test('a page shows its copy before the service has answered', async () => {
  const ada = await client.h.signedIn()
  const { context, page } = await withCopy(ada)
  await context.route('**/api/changes**', (route) => route.abort())
  await page.reload()
  await todo(page, 'Secret plan').waitFor()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
})

test('without the service the copy opens, and what is changed in it arrives later', async () => {
  const ada = await client.h.signedIn()
  const { context, page } = await withCopy(ada)
  await context.route('**/api/**', (route) => route.abort())
  await page.reload()
  await todo(page, 'Secret plan').waitFor()
  await connection(page, 'offline')
  await add(page, 'Made without the service')
  await todo(page, 'Made without the service').waitFor()
  await waiting(page, 1)
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await page.getByRole('button', { name: 'Ask who I am' }).click()
  await waiting(page, 0)
  const { body } = await ada.request('GET', '/api/todos')
  expect(body.todos.map(({ title }: { title: string }) => title)).toEqual([
    'Secret plan',
    'Made without the service',
  ])
  await context.close()
})

test.each([
  [
    'the screen was locked',
    (page: Page) => page.evaluate(() => fetch('/api/auth/lock', { method: 'POST' })),
    'locked',
  ],
  [
    'its user signed out',
    (page: Page) => page.evaluate(() => fetch('/api/auth/logout', { method: 'POST' })),
    'signed-out',
  ],
] as const)('without the service the copy stays closed when %s', async (_, end, is) => {
  const ada = await client.h.signedIn()
  const { context, page } = await withCopy(ada)
  await end(page)
  await page.getByRole('button', { name: 'Ask who I am' }).click()
  await page.getByRole('status', { name: 'Session' }).getByText(is).waitFor()
  await context.route('**/api/**', (route) => route.abort())
  await page.reload()
  await page.getByRole('status', { name: 'Session' }).getByText('unreachable').waitFor()
  expect(await page.content()).not.toContain('Secret plan')
  await context.close()
})

test('without the service the copy stays closed while the device says that the screen is locked', async () => {
  const ada = await client.h.signedIn()
  const { context, page } = await withCopy(ada)
  await context.route('**/api/**', (route) => route.abort())
  await page.evaluate((id) => localStorage.setItem('locked', String(id)), ada.row.id)
  await page.reload()
  await page.getByRole('status', { name: 'Session' }).getByText('unreachable').waitFor()
  expect(await page.content()).not.toContain('Secret plan')
  await context.close()
})

test('what came from elsewhere while an answer was awaited is there after a reload', async () => {
  const ada = await client.h.signedIn()
  const { context, page } = await withCopy(ada)
  const [known] = (await ada.request('GET', '/api/todos')).body.todos
  const held = Promise.withResolvers<void>()
  await context.route('**/api/todos', async (route) => {
    await held.promise
    await route.continue()
  })
  const sent = page.waitForRequest('**/api/todos')
  await add(page, 'On its way')
  await sent
  await ada.request('POST', '/api/todos', { body: { title: 'From elsewhere' } })
  await ada.request('PUT', `/api/todos/${known.id}`, { body: { title: 'Open plan' } })
  await todo(page, 'Open plan').waitFor()
  await page.reload()
  held.resolve()
  await todo(page, 'From elsewhere').waitFor()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
})

test('nothing is kept without being asked, but what is being typed', async () => {
  const ada = await client.h.signedIn()
  const { context, page } = await client.open({ as: ada })
  await openStorePage(context, page)
  await connection(page, 'live confirmed')
  await add(page, 'Secret plan')
  await waiting(page, 0)
  await page.getByLabel('Add a todo').fill('Half a thou')
  await page.reload()
  await todo(page, 'Secret plan').waitFor()
  expect(await page.getByLabel('Add a todo').inputValue()).toBe('Half a thou')
  expect(await storedIn(page)).not.toContain('Secret plan')
  await context.close()
})

test('signing out deletes the copy and the drafts', async () => {
  const ada = await client.h.signedIn()
  const { context, page } = await withCopy(ada)
  await page.getByLabel('Add a todo').fill('Half a thought')
  await page.evaluate(() => fetch('/api/auth/logout', { method: 'POST' }))
  await page.getByRole('button', { name: 'Ask who I am' }).click()
  await page.getByRole('status', { name: 'Session' }).getByText('signed-out').waitFor()
  await expectForgotten(page, 'Secret plan')
  await expectForgotten(page, 'Half a thought')
  await context.close()
})

test('another user finds nothing of the one before, neither shown nor kept', async () => {
  const [ada, bob] = [await client.h.signedIn(), await client.h.signedIn()]
  const { context, page } = await withCopy(ada)
  await page.getByLabel('Add a todo').fill('Half a thought')
  await signIn(context, bob)
  await page.reload()
  await connection(page, 'live confirmed')
  await expectForgotten(page, 'Secret plan')
  await expectForgotten(page, 'Half a thought')
  expect(await storedIn(page)).not.toContain(`organiser-${ada.row.id}`)
  expect(await page.textContent('body')).not.toContain('Secret plan')
  await context.close()
})

test('a session that was revoked takes the copy along', async () => {
  const ada = await client.h.signedIn()
  const { context, page } = await withCopy(ada)
  const { token: cookie } = await client.h.session(ada.row.id)
  const { body } = await client.h.request('GET', '/api/auth/sessions', { cookie })
  const [other] = body.sessions.filter((each: { is_current: boolean }) => !each.is_current)
  const { status } = await client.h.request('DELETE', `/api/auth/sessions/${other.id}`, { cookie })
  expect(status).toBe(204)
  await page.getByRole('status', { name: 'Session' }).getByText('signed-out').waitFor()
  await expectForgotten(page, 'Secret plan')
  await context.close()
})
