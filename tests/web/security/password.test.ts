import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { PASSWORD } from '../../support/harness'
import { pressOn, typeInto } from '../../support/keyboard'
import { createToken } from '../../support/tokens'
import { type Client, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const NEW = 'a lighthouse in spring'
const current = (page: Page) => page.getByLabel('Current password')
const fresh = (page: Page) => page.getByLabel('New password')
const change = (page: Page) => page.getByRole('button', { name: 'Change password' })
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'

async function opened() {
  const as = await client.h.signedIn()
  const other = await client.h.session(as.row.id, { userAgent: FIREFOX })
  const { page, context } = await client.open({ as })
  await page.goto('/settings/security')
  await current(page).waitFor()
  return { as, other, page, context, [Symbol.asyncDispose]: () => context.close() }
}

/** What a sign-in with a password answers. */
const signIn = async (username: string, password: string) =>
  (await client.h.request('POST', '/api/auth/login', { body: { username, password } })).status

const isSignedIn = async (token: string) =>
  (await client.h.request('GET', '/api/settings', { cookie: token })).status === 200

test('the password is changed by keyboard alone; the sessions that end are named before, and this one goes on', async () => {
  await using tab = await opened()
  const { page, as, other } = tab
  await page.getByText('These sessions end: Firefox on Linux.').waitFor()
  await typeInto(page, current(page), PASSWORD)
  await typeInto(page, fresh(page), NEW)
  await page.getByRole('listitem').filter({ hasText: '12 characters or more (met)' }).waitFor()
  await pressOn(page, change(page))
  await page.getByText('The password is changed. 1 other session ended.').waitFor()
  expect([await current(page).inputValue(), await fresh(page).inputValue()]).toEqual(['', ''])
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H2')
  expect(await signIn(as.row.username, PASSWORD)).toBe(401)
  expect(await signIn(as.row.username, NEW)).toBe(200)
  expect(await isSignedIn(other.token)).toBe(false)
  await page.goto('/settings/sessions')
  await page.getByText('This device').waitFor()
})

test('a wrong current password and a weak new one are told at their fields, and what was typed stays', async () => {
  await using tab = await opened()
  const { page, as } = tab
  await current(page).fill('not the one')
  await fresh(page).fill(NEW)
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('The password is not right.').waitFor()
  expect(await fresh(page).inputValue()).toBe(NEW)
  await current(page).fill(PASSWORD)
  await fresh(page).fill('short')
  await page.keyboard.press('Enter')
  await page.getByText('At least 12 characters.').waitFor()
  expect(await fresh(page).evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await signIn(as.row.username, PASSWORD)).toBe(200)
})

test('access tokens go on with a new password unless they are to end as well', async () => {
  await using tab = await opened()
  const { page, as } = tab
  await createToken(as, ['calendars:read'])
  const count = async () => {
    const cookies = await tab.context.cookies()
    const token = cookies.find(({ name }) => name === 'session')?.value ?? ''
    return (await client.h.request('GET', '/api/auth/tokens', { cookie: token })).body.tokens.length
  }
  await current(page).fill(PASSWORD)
  await fresh(page).fill(NEW)
  await page.keyboard.press('Enter')
  await page.getByText('The password is changed.').waitFor()
  expect(await count()).toBe(1)
  await current(page).fill(NEW)
  await fresh(page).fill('a cathedral in autumn')
  await page.getByRole('checkbox', { name: 'Access tokens and app passwords end as well' }).check()
  const answered = page.waitForResponse('**/api/auth/change-password')
  await change(page).click()
  expect((await answered).status()).toBe(200)
  expect(await count()).toBe(0)
})
