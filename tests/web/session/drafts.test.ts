import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { PASSWORD } from '../../support/harness'
import { type Client, eventually, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

/** Signs in again in the dialog over the page. */
async function signInAgain(page: Page): Promise<void> {
  const asked = page.getByRole('dialog', { name: 'Sign in again' })
  await asked.waitFor()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await asked.waitFor({ state: 'detached' })
}

const FIELDS = [
  ['/events/new?from=2026-03-10T12:00', 'Title', 'Save'],
  ['/today', 'What do you want to add?', 'Add event'],
] as const

// (contract: web.session-end)
test.each(FIELDS)(
  'when the session ends while something is typed at %s, the dialog over the page keeps it',
  async (address, label) => {
    const as = await client.h.signedIn()
    const { page, context } = await client.open({ as })
    await page.goto(address)
    const field = page.getByRole('textbox', { name: label })
    await field.fill('Lunch tomorrow 12:30')
    await as.request('POST', '/api/auth/logout')
    await signInAgain(page)
    expect(await field.inputValue()).toBe('Lunch tomorrow 12:30')
    await context.close()
  },
)

test.each(FIELDS)(
  'what is sent at %s after the session ended is saved once the same user signs in again',
  async (address, label, send) => {
    const as = await client.h.signedIn()
    const { page, context } = await client.open({ as })
    // The session ends as the request goes out, and the stream is never answered: nothing else says before that it has ended.
    await page.route('**/api/changes/stream**', () => {})
    await page.route(
      '**/api/events',
      async (route) => {
        await as.request('POST', '/api/auth/logout')
        await route.continue()
      },
      { times: 1 },
    )
    await page.goto(address)
    await page.getByRole('textbox', { name: label }).fill('Lunch tomorrow 12:30')
    await page.getByRole('button', { name: send, exact: true }).click()
    await signInAgain(page)
    const { token: cookie } = await client.h.session(as.row.id)
    await eventually(async () => {
      const { body } = await client.h.request('GET', '/api/search?q=lunch', { cookie })
      return body.results.length
    }, 1)
    await context.close()
  },
)
