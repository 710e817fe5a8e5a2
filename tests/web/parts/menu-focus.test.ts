import { afterAll, beforeAll } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { type Client, hold, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const account = (page: Page) => page.getByRole('button', { name: 'Account' })
const firstItem = (page: Page) => page.getByRole('menuitem').first().and(page.locator(':focus')).waitFor()

test('a menu that a key opens has the focus in its first item, while its code is on its way and whenever it is there', async () => {
  const ada = await client.h.signedIn()
  const { page, context } = await client.open({ as: ada })
  await page.goto('/settings/appearance')
  await page.getByRole('heading', { level: 1, name: 'Appearance' }).waitFor()
  const release = await hold(page, '**/assets/*.js')
  await account(page).focus()
  await page.keyboard.press('Enter')
  release()
  await firstItem(page)
  for (const key of ['Enter', 'ArrowDown', ' ']) {
    await page.keyboard.press('Escape')
    await account(page).and(page.locator(':focus')).waitFor()
    await page.keyboard.press(key)
    await firstItem(page)
  }
  await context.close()
})
