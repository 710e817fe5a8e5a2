import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { PASSWORD } from '../../support/harness'
import { pressOn, typeInto } from '../../support/keyboard'
import { type Client, SCREENS, signedOut, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const current = (page: Page) => page.getByLabel('Current password')
const fresh = (page: Page) => page.getByLabel('New password')

async function due(username: string, options: Parameters<Client['open']>[0] = {}) {
  const as = await client.h.signedIn({ username, mustChangePassword: true })
  const opened = await client.open({ ...options, as })
  await opened.page.goto('/todos')
  await opened.page.waitForURL('**/change-password')
  await current(opened.page).waitFor()
  return opened
}

test('nothing is reachable before a temporary password is replaced, and everything after, by keyboard alone', async () => {
  const { page } = await due('ada')
  await page.goto('/settings/profile')
  await page.waitForURL('**/change-password')
  await current(page).waitFor()
  await page.keyboard.type(PASSWORD)
  await typeInto(page, fresh(page), 'a lighthouse in spring')
  await pressOn(page, page.getByRole('button', { name: 'Change password' }))
  await page.waitForURL('**/today')
})

test('whoever replaces a temporary password is asked for nothing that the account cannot have yet', async () => {
  const { page } = await due('abe')
  expect(await page.getByRole('checkbox').count()).toBe(0)
})

test('a wrong current password, the old password again and a weak new one are told where they belong', async () => {
  const { page } = await due('bea')
  await current(page).fill('not the one')
  await fresh(page).fill('a lighthouse in spring')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('The password is not right.').waitFor()
  await current(page).fill(PASSWORD)
  await fresh(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText('The new password must differ from the old one.').waitFor()
  expect(await fresh(page).evaluate((input) => input === document.activeElement)).toBe(true)
  await fresh(page).fill('beautiful day, bea')
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Does not contain the username (not met yet)' })
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('The password must not contain the username.').waitFor()
  expect(await axeProblems(page)).toEqual([])
})

test('somebody who does not want to choose a password now can sign out', async () => {
  const { page } = await due('cyd')
  await pressOn(page, page.getByRole('button', { name: 'Sign out' }))
  await signedOut(page)
})

test('the page is accessible on each screen and in each scheme', async () => {
  for (const [screen, options] of Object.entries(SCREENS))
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, context } = await due(`dee-${screen}-${colorScheme}`, {
        options: { ...options, colorScheme },
      })
      expect(await axeProblems(page)).toEqual([])
      await context.close()
    }
})
