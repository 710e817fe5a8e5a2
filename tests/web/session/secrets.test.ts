import { afterAll, beforeAll, expect } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { codeAt } from '../../support/authenticator-app'
import { test } from '../../support/browser'
import { cachedIn, storedIn } from '../../support/browser-storage'
import { PASSWORD } from '../../support/harness'
import { type Client, eventually, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const heading = (page: Page, name: string) => page.getByRole('heading', { name })

async function signIn(page: Page, username: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await heading(page, 'Today').waitFor()
}

/** Asks for the copy of this device, and waits until it has the todo. */
async function keepCopy(page: Page, todo: string): Promise<void> {
  await page.goto('/settings/data')
  await page.getByLabel('Keep a copy on this device').check()
  await page.goto('/todos?view=all')
  await page.getByRole('textbox', { name: 'Add a todo' }).fill(todo)
  await page.keyboard.press('Enter')
  await eventually(async () => (await storedIn(page)).includes(todo), true)
}

/** Turns an authenticator on; answers its secret and the backup codes. */
async function setUpAuthenticator(page: Page): Promise<string[]> {
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Set up an authenticator' }).click()
  const secret = (await page.locator('.secret code').innerText()).replaceAll(' ', '')
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(codeAt(secret, client.h.clock.now()))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await heading(page, 'Your backup codes').waitFor()
  const codes = await page.locator('.backup-codes li').allInnerTexts()
  await page.getByRole('textbox', { name: 'Backup code' }).fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'I have saved these codes' }).click()
  await page.getByText('The authenticator is on.').waitFor()
  return [secret, ...codes]
}

/** Makes an app password; answers it as it shows. */
async function makeAppPassword(page: Page): Promise<string> {
  await page.goto('/settings/security/tokens')
  await page.getByRole('button', { name: 'New app password' }).click()
  await page.getByLabel('Name').fill('Phone')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await heading(page, 'App password for Phone').waitFor()
  const shown = page.locator('.to-type > div').filter({ hasText: 'App password' }).locator('code').last()
  return shown.innerText()
}

const sessionOf = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === 'session')

/** Whatever scripts can read: cookies, stores, caches. */
const readable = async (page: Page) =>
  [await page.evaluate(() => document.cookie), await storedIn(page), await cachedIn(page)].join('\n')

/** Those that stand in the text, with and without their spaces and dashes. */
function found(secrets: readonly string[], text: string): string[] {
  const plain = (words: string) => words.replaceAll(/[\s-]/g, '')
  return secrets.filter((secret) => text.includes(secret) || plain(text).includes(plain(secret)))
}

test('scripts can read neither the session’s cookie nor a secret, while somebody is signed in and after the sign-out', async () => {
  await client.h.user({ username: 'ada' })
  const { page, context } = await client.open({ options: { serviceWorkers: 'allow' } })
  await signIn(page, 'ada')
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  await keepCopy(page, 'Plan a surprise')
  const cookie = await sessionOf(context)
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  const session = cookie?.value ?? ''
  const secrets = [PASSWORD, session, ...(await setUpAuthenticator(page)), await makeAppPassword(page)]
  expect(secrets.filter((secret) => secret.length < 8)).toEqual([])

  const during = await readable(page)
  expect(during).toContain('Plan a surprise')
  expect(during).toContain('/assets/')
  expect(found(secrets, during)).toEqual([])
  expect(await page.evaluate(() => document.cookie)).toBe('')

  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading(page, 'Sign in').waitFor()
  await eventually(async () => (await storedIn(page)).includes('Plan a surprise'), false)
  expect(found(secrets, await readable(page))).toEqual([])
  expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual([])
  await context.close()
}, 60_000)
