import { afterAll, beforeAll, expect } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { sessions, systemConfig, users } from '../../../src/db/schema'
import { test } from '../../support/browser'
import { PASSWORD } from '../../support/harness'
import { pressOn } from '../../support/keyboard'
import { addAuthenticator } from '../../support/virtual-authenticator'
import { type Client, eventually, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
  const root = await client.h.signedIn({ username: 'root', role: 'admin' })
  await root.request('PUT', '/api/admin/config', { body: { allow_passwordless: true } })
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

type Actor = Awaited<ReturnType<Client['h']['signedIn']>>
const section = (page: Page) => page.getByRole('region', { name: 'Passkeys' })
const add = (page: Page) => page.getByRole('button', { name: 'Add a passkey' })
const lines = (page: Page) => section(page).getByRole('listitem')
const passwordless = (page: Page) => page.getByRole('switch', { name: 'Sign in without a password' })
const passkeysOf = async (as: Actor): Promise<Array<{ name: string; last_used_at: string | null }>> =>
  (await as.request('GET', '/api/auth/passkeys')).body.passkeys
const isPasswordless = async (as: Actor): Promise<boolean> =>
  (await as.request('GET', '/api/auth/status')).body.passwordless_enabled

async function opened(as?: Actor) {
  const user = as ?? (await client.h.signedIn())
  const { page, context } = await client.open({ as: user })
  const authenticator = await addAuthenticator(context, page)
  await page.goto('/settings/security')
  await add(page).waitFor()
  return { as: user, page, context, authenticator, [Symbol.asyncDispose]: () => context.close() }
}

/** A security key, which is touched from now on instead of the device itself. */
async function plugIn({ context, page, authenticator }: Awaited<ReturnType<typeof opened>>) {
  await authenticator.answers(false)
  return addAuthenticator(context, page, 'usb')
}

async function withTwo() {
  const tab = await opened()
  await add(tab.page).click()
  await lines(tab.page).nth(0).waitFor()
  const key = await plugIn(tab)
  await add(tab.page).click()
  await lines(tab.page).nth(1).waitFor()
  return { ...tab, key }
}

const makeStale = (as: Actor) =>
  client.h.db
    .update(sessions)
    .set({ authenticatedAt: new Date(client.h.clock.now().getTime() - 60 * 60_000) })
    .where(eq(sessions.userId, as.row.id))

test('a passkey is added, renamed and removed by keyboard alone, and its line says when it was used and whether it is backed up', async () => {
  await using tab = await opened()
  const { page, as } = tab
  await pressOn(page, add(page))
  await lines(page).first().waitFor()
  const text = await lines(page).first().innerText()
  expect(text).toContain('Chrome on Linux')
  expect(text).toContain('Not used yet')
  expect(text).toContain('not backed up')

  await pressOn(page, section(page).getByRole('button', { name: /^Rename / }))
  const renaming = page.getByRole('dialog', { name: 'Rename passkey' })
  await renaming.waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Laptop')
  await page.keyboard.press('Enter')
  await renaming.waitFor({ state: 'detached' })
  await section(page).getByText('Laptop', { exact: true }).waitFor()
  expect((await passkeysOf(as)).map(({ name }) => name)).toEqual(['Laptop'])

  await pressOn(page, section(page).getByRole('button', { name: 'Remove Laptop' }))
  const removing = page.getByRole('dialog', { name: 'Remove passkey' })
  await removing.getByText('“Laptop” no longer signs you in').waitFor()
  await page.keyboard.press('Enter')
  await removing.waitFor({ state: 'detached' })
  await lines(page).first().waitFor({ state: 'detached' })
  expect(await passkeysOf(as)).toEqual([])
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
})

test('a name that is empty is told at its field', async () => {
  await using tab = await opened()
  const { page } = tab
  await add(page).click()
  await section(page)
    .getByRole('button', { name: /^Rename / })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Rename passkey' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('   ')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Fill this in.').waitFor()
})

test('a passkey in an old session takes a proof first, and is then made without asking again', async () => {
  const as = await client.h.signedIn()
  await makeStale(as)
  await using tab = await opened(as)
  const { page } = tab
  await add(page).click()
  await page.getByRole('dialog', { name: 'Confirm it is you' }).waitFor()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await lines(page).first().waitFor()
  expect((await passkeysOf(as)).length).toBe(1)

  await makeStale(as)
  await section(page)
    .getByRole('button', { name: /^Remove / })
    .click()
  await page.getByRole('dialog', { name: 'Remove passkey' }).getByRole('button', { name: 'Remove' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await lines(page).first().waitFor({ state: 'detached' })
  expect(await passkeysOf(as)).toEqual([])
})

test('a device that has a passkey already says so, and one that was given up needs no words', async () => {
  await using tab = await opened()
  const { page, as, authenticator } = tab
  await add(page).click()
  await lines(page).first().waitFor()
  await add(page).click()
  await section(page)
    .getByRole('alert')
    .getByText('This device has a passkey of your account already.')
    .waitFor()
  expect((await passkeysOf(as)).length).toBe(1)

  await using other = await opened()
  await other.authenticator.verifies(false)
  await add(other.page).click()
  await other.page.locator('button[aria-disabled]').waitFor({ state: 'detached' })
  expect(await section(other.page).getByRole('alert').allInnerTexts()).toEqual(['', ''])
  await authenticator.answers(true)
})

test('the switch says its condition, waits for the second passkey, and takes the password', async () => {
  await using tab = await opened()
  const { page, as } = tab
  expect(await passwordless(page).isDisabled()).toBe(true)
  await page.getByText('you have 0.').waitFor()
  await add(page).click()
  await page.getByText('you have 1.').waitFor()
  expect(await passwordless(page).isDisabled()).toBe(true)
  await plugIn(tab)
  await add(page).click()
  await page.getByText('you have 2.').waitFor()
  await pressOn(page, passwordless(page), 'Space')
  const dialog = page.getByRole('dialog', { name: 'Sign in without a password' })
  await dialog.waitFor()
  expect(await passwordless(page).isChecked()).toBe(false)
  await page.keyboard.type('not the one')
  await page.keyboard.press('Enter')
  await dialog.getByText('The password is not right.').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('You keep at least two.').waitFor()
  expect(await passwordless(page).isChecked()).toBe(true)
  expect(await isPasswordless(as)).toBe(true)
})

test('where signing in without a password is on, its passkeys stay, and turning it off takes one of them', async () => {
  await using tab = await withTwo()
  const { page, as } = tab
  await client.h.db.update(users).set({ passwordlessEnabled: true }).where(eq(users.id, as.row.id))
  await page.reload()
  await passwordless(page).waitFor()
  await section(page)
    .getByRole('button', { name: /^Remove / })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Remove passkey' })
  await dialog.getByText('takes two passkeys').waitFor()
  expect(await dialog.getByRole('button', { name: 'Remove' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await tab.key.verifies(false)
  await passwordless(page).click()
  await eventually(() => passwordless(page).isChecked(), true)
  await tab.key.verifies(true)
  await passwordless(page).click()
  await page.getByText('The password signs you in again.').waitFor()
  await eventually(() => passwordless(page).isChecked(), false)
  expect(await isPasswordless(as)).toBe(false)
})

test('where an administrator does not allow it, the dialog says so', async () => {
  await using tab = await withTwo()
  const { page, as } = tab
  await client.h.db.update(systemConfig).set({ allowPasswordless: false })
  await passwordless(page).click()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('An administrator has to allow this first.').waitFor()
  expect(await isPasswordless(as)).toBe(false)
  await client.h.db.update(systemConfig).set({ allowPasswordless: true })
})
