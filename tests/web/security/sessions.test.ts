import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { pressOn } from '../../support/keyboard'
import { createToken } from '../../support/tokens'
import { type Client, SCREENS, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const LAPTOP = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'
/** What shows, with plain spaces. */
const textOf = (text: string) => text.replaceAll('\u00a0', ' ')
const lines = (page: Page) => page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')

async function opened(options: Parameters<Client['open']>[0] = {}) {
  const as = await client.h.signedIn()
  const laptop = await client.h.session(as.row.id, {
    userAgent: LAPTOP,
    ipAddress: '192.0.2.1',
    authMethod: 'totp',
  })
  const phone = await client.h.session(as.row.id, { userAgent: PHONE, isLocked: true, authMethod: 'passkey' })
  const { page, context } = await client.open({ as, ...options })
  await page.goto('/settings/sessions')
  await lines(page).first().waitFor()
  return { as, laptop, phone, page, [Symbol.asyncDispose]: () => context.close() }
}

const isAlive = async ({ token }: { token: string }) =>
  (await client.h.request('GET', '/api/auth/status', { cookie: token })).body.authenticated

test('each session is named by its device, with where, when and how, and this one stands first and is marked', async () => {
  await using tab = await opened()
  const { page } = tab
  const texts = (await lines(page).allInnerTexts()).map(textOf)
  expect(texts.length).toBe(3)
  expect(texts[0]).toContain('This device')
  expect(texts[0]).toContain('In use now')
  const laptop = texts.find((text) => text.startsWith('Firefox on Linux'))
  expect(laptop).toMatch(
    /Last seen 4 March 2026, \d\d:\d\d · from 192\.0\.2\.1 · signed in 4 March 2026 with password and authenticator/,
  )
  expect(texts.find((text) => text.startsWith('Safari on iPhone'))).toContain(
    'with a passkey · Screen locked',
  )
  expect(await lines(page).first().getByRole('button').count()).toBe(0)
})

test('one session ends after a question, by keyboard alone, and the others go on', async () => {
  await using tab = await opened()
  const { page, laptop, phone } = tab
  await pressOn(page, page.getByRole('button', { name: 'Sign out Firefox on Linux' }))
  const dialog = page.getByRole('dialog', { name: 'Sign out Firefox on Linux' })
  await dialog.getByText('It has to sign in again.').waitFor()
  expect(await isAlive(laptop)).toBe(true)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Sign out Firefox on Linux' }).waitFor({ state: 'detached' })
  expect([await isAlive(laptop), await isAlive(phone)]).toEqual([false, true])
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
})

test('all other sessions end at once, and everything else that opens the account only when asked', async () => {
  await using tab = await opened({ options: SCREENS.phone })
  const { page, as, laptop, phone } = tab
  await createToken(as, ['calendars:read'])
  const tokens = async () => (await as.request('GET', '/api/auth/tokens')).body.tokens.length
  await page.getByRole('button', { name: 'Sign out all others' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign out all others' })
  await dialog.getByText('2 sessions have to sign in again.').waitFor()
  await dialog.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('2 sessions ended').waitFor()
  await page.getByText('Your account is signed in nowhere else.').waitFor()
  expect([await isAlive(laptop), await isAlive(phone), await isAlive(as), await tokens()]).toEqual([
    false,
    false,
    true,
    1,
  ])
  await client.h.session(as.row.id, { userAgent: LAPTOP })
  await page.reload()
  await page.getByRole('button', { name: 'Sign out all others' }).click()
  await dialog.getByRole('checkbox', { name: 'End everything else that opens the account too' }).check()
  await dialog.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('Ended: 1 session, 0 secret addresses, 1 token').waitFor()
  expect(await tokens()).toBe(0)
})

test('a session that ended meanwhile leaves the list as if it had been ended here', async () => {
  await using tab = await opened()
  const { page, as } = tab
  await as.request('DELETE', '/api/auth/sessions')
  await page.getByRole('button', { name: 'Sign out Firefox on Linux' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('Your account is signed in nowhere else.').waitFor()
})
