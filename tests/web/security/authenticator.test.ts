import { afterAll, beforeAll, expect } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { sessions } from '../../../src/db/schema'
import { codeAt, wrongCodeAt } from '../../support/authenticator-app'
import { test } from '../../support/browser'
import { PASSWORD } from '../../support/harness'
import { pressOn, typeInto } from '../../support/keyboard'
import { withTotp } from '../../support/totp'
import { type Client, eventuallyMatches, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const PLACE = '/settings/security'
const setUp = (page: Page) => page.getByRole('button', { name: 'Set up an authenticator' })
const codeField = (page: Page) => page.getByRole('textbox', { name: 'Code', exact: true })
const turnOff = (page: Page) => page.getByRole('button', { name: 'Turn off' })
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const isFocused = (target: ReturnType<typeof setUp>) =>
  target.evaluate((element) => element === document.activeElement)

type Actor = Awaited<ReturnType<Client['h']['signedIn']>>
const statusOf = async (as: Actor) => (await as.request('GET', '/api/auth/totp/status')).body

async function opened(as: Actor) {
  const { page, context } = await client.open({ as })
  await page.goto(PLACE)
  await page.getByRole('heading', { name: 'Authenticator app' }).waitFor()
  return { page, context, [Symbol.asyncDispose]: () => context.close() }
}

/** The session proved itself so long ago that it has to prove itself again. */
const makeStale = (as: Actor) =>
  client.h.db
    .update(sessions)
    .set({ authenticatedAt: new Date(client.h.clock.now().getTime() - 60 * 60_000) })
    .where(eq(sessions.userId, as.row.id))

test('an authenticator is set up by keyboard alone, and its backup codes stay until one of them was typed', async () => {
  const ada = await client.h.signedIn()
  await using tab = await opened(ada)
  const { page } = tab
  await pressOn(page, setUp(page))
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const shown = await page.locator('.secret code').innerText()
  expect(shown).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
  const secret = shown.replaceAll(' ', '')
  expect(await isFocused(codeField(page))).toBe(true)
  await page.keyboard.type(wrongCodeAt(secret, client.h.clock.now()))
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('This code is not right').waitFor()
  await codeField(page).fill('')
  await typeInto(page, codeField(page), codeAt(secret, client.h.clock.now()))
  await pressOn(page, page.getByRole('button', { name: 'Turn on' }))

  await page.getByRole('heading', { name: 'Your backup codes' }).waitFor()
  const codes = await page.locator('.backup-codes li').allInnerTexts()
  expect(codes.length).toBe(10)
  await typeInto(page, page.getByRole('textbox', { name: 'Backup code' }), codes[2] ?? '')
  await pressOn(page, page.getByRole('button', { name: 'I have saved these codes' }))
  await page.getByText('On since 4 March 2026.').waitFor()
  await page.getByText('10 of 10 backup codes are left.').waitFor()
  await page.getByText('The authenticator is on.').waitFor()
  expect(await isFocused(page.getByRole('heading', { name: 'Authenticator app' }))).toBe(true)
  expect(await page.locator('body').innerText()).not.toContain(codes[5] ?? '')
  expect(await statusOf(ada)).toMatchObject({ enabled: true, backup_codes_remaining: 10 })
})

test('a set-up in an old session asks for a proof and goes on by itself; closing the question gives it up', async () => {
  const bea = await client.h.signedIn()
  await makeStale(bea)
  await using tab = await opened(bea)
  const { page } = tab
  await setUp(page).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await isFocused(setUp(page))).toBe(true)
  expect(await page.getByRole('alert').allInnerTexts()).not.toContain(expect.stringMatching(/./))
  await setUp(page).click()
  await password(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
})

test('a set-up that is cancelled leaves nothing of its secret, and the focus stays in its section', async () => {
  const cyd = await client.h.signedIn()
  await using tab = await opened(cyd)
  const { page } = tab
  await setUp(page).click()
  const secret = await page.locator('.secret code').innerText()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await setUp(page).waitFor()
  expect(await isFocused(page.getByRole('heading', { name: 'Authenticator app' }))).toBe(true)
  expect(await page.locator('body').innerHTML()).not.toContain(secret)
})

test('a set-up that took too long says how to begin again', async () => {
  const dan = await client.h.signedIn()
  await using tab = await opened(dan)
  const { page } = tab
  await page.route('**/api/auth/totp/confirm', (route) =>
    route.fulfill({ status: 409, json: { detail: 'TOTP setup has not been started' } }),
  )
  await setUp(page).click()
  await codeField(page).fill('123456')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('This took too long. Cancel, and begin again.').waitFor()
})

test('locking the screen takes the secret and the backup codes out of the page', async () => {
  const eve = await client.h.signedIn()
  await using tab = await opened(eve)
  const { page } = tab
  await setUp(page).click()
  const secret = (await page.locator('.secret code').innerText()).replaceAll(' ', '')
  await codeField(page).fill(codeAt(secret, client.h.clock.now()))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your backup codes' }).waitFor()
  const codes = await page.locator('.backup-codes li').allInnerTexts()
  expect(codes.length).toBe(10)
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Lock' }).click()
  await page.getByRole('heading', { name: 'Locked' }).waitFor()
  const everything = await page.evaluate(() =>
    [document.documentElement.outerHTML, JSON.stringify(sessionStorage), JSON.stringify(localStorage)].join(),
  )
  for (const each of [secret, ...codes]) expect(everything).not.toContain(each)
  await password(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText('10 of 10 backup codes are left.').waitFor()
  expect(await page.locator('body').innerText()).not.toContain(codes[0] ?? '')
})

test('printing backup codes prints them and nothing else of the page', async () => {
  const kim = await client.h.signedIn()
  await using tab = await opened(kim)
  const { page } = tab
  await setUp(page).click()
  const secret = (await page.locator('.secret code').innerText()).replaceAll(' ', '')
  await codeField(page).fill(codeAt(secret, client.h.clock.now()))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your backup codes' }).waitFor()
  await page.emulateMedia({ media: 'print' })
  const printed = (await page.locator('body').innerText()).split(/\s*\n\s*/).filter(Boolean)
  const codes = await page.locator('.backup-codes li').allInnerTexts()
  expect(printed).toEqual(['Authenticator app', 'Your backup codes', ...codes])
})

test('a set-up waits for a slow service behind its button, which asks once', async () => {
  const lea = await client.h.signedIn()
  await using tab = await opened(lea)
  const { page } = tab
  const answer = Promise.withResolvers<void>()
  let asked = 0
  await page.route('**/api/auth/totp/setup', async (route) => {
    asked += 1
    await answer.promise
    await route.continue()
  })
  await setUp(page).click()
  await page.keyboard.press('Enter')
  expect(await setUp(page).getAttribute('aria-disabled')).toBe('true')
  expect(await isFocused(setUp(page))).toBe(true)
  answer.resolve()
  await codeField(page).waitFor()
  expect(asked).toBe(1)
})

test('an authenticator is turned off by the password and a code; wrong ones are told where they are typed', async () => {
  const fay = await client.h.signedIn()
  const { secret } = await withTotp(client.h, fay)
  await using tab = await opened(fay)
  const { page } = tab
  await turnOff(page).click()
  const dialog = page.getByRole('dialog', { name: 'Turn off the authenticator' })
  const off = dialog.getByRole('button', { name: 'Turn off' })
  await off.click()
  await dialog.getByText('Fill this in.').first().waitFor()
  await password(page).fill('not the one')
  await codeField(page).fill(codeAt(secret, client.h.clock.now()))
  await off.click()
  await dialog.getByText('The password is not right.').waitFor()
  await password(page).fill(PASSWORD)
  await codeField(page).fill(wrongCodeAt(secret, client.h.clock.now()))
  await off.click()
  await dialog.getByText('This code is not right').waitFor()
  expect(await statusOf(fay)).toMatchObject({ enabled: true })
  const code = codeAt(secret, client.h.clock.now())
  await codeField(page).fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  await off.click()
  await dialog.waitFor({ state: 'detached' })
  await setUp(page).waitFor()
  expect(await statusOf(fay)).toMatchObject({ enabled: false })
})

test('where an administrator requires a second factor, turning it off is explained and not offered', async () => {
  const gus = await client.h.signedIn({ mfaRequired: true })
  await withTotp(client.h, gus)
  await using tab = await opened(gus)
  const { page } = tab
  await page.getByText('An administrator requires a second factor').waitFor()
  expect(await turnOff(page).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'New backup codes' }).count()).toBe(1)
})

test('new backup codes take the password alone, in an old session too, and are counted when few are left', async () => {
  const hal = await client.h.signedIn()
  const { backupCodes } = await withTotp(client.h, hal)
  for (const code of backupCodes.slice(0, 7)) {
    const { body } = await client.h.request('POST', '/api/auth/login', {
      body: { username: hal.row.username, password: PASSWORD },
    })
    await client.h.request('POST', '/api/auth/totp/verify', { body: { mfa_token: body.mfa_token, code } })
  }
  await makeStale(hal)
  await using tab = await opened(hal)
  const { page } = tab
  await page.getByText('3 of 10 backup codes are left. Get new ones').waitFor()
  await pressOn(page, page.getByRole('button', { name: 'New backup codes' }))
  const dialog = page.getByRole('dialog', { name: 'New backup codes' })
  await dialog.getByText('The old codes no longer work').waitFor()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your backup codes' }).waitFor()
  expect(await isFocused(page.getByRole('heading', { name: 'Your backup codes' }))).toBe(true)
  const codes = await page.locator('.backup-codes li').allInnerTexts()
  expect(codes).not.toContain(backupCodes[9] ?? '')
  await page.getByRole('textbox', { name: 'Backup code' }).fill(codes[0] ?? '')
  await page.keyboard.press('Enter')
  await page.getByText('10 of 10 backup codes are left.').waitFor()
  await eventuallyMatches(() => statusOf(hal), { backup_codes_remaining: 10 })
})

test('a device whose clock is more than two minutes off is told so before a code fails', async () => {
  const ida = await client.h.signedIn()
  const { page, context } = await client.open({ as: ida })
  await page.addInitScript(() => {
    const real = Temporal.Now.instant.bind(Temporal.Now)
    Object.defineProperty(Temporal.Now, 'instant', { value: () => real().add({ minutes: 5 }) })
  })
  await page.goto(PLACE)
  await page.getByText('The clock of this device is 5 minutes fast.').waitFor()
  await setUp(page).click()
  await codeField(page).waitFor()
  expect(await page.getByText('The clock of this device is 5 minutes fast.').count()).toBe(1)
  await context.close()

  await using tab = await opened(await client.h.signedIn())
  await setUp(tab.page).waitFor()
  expect(await tab.page.getByText('The clock of this device').count()).toBe(0)
})

test('what could not be read says so and can be asked for again', async () => {
  const jon = await client.h.signedIn()
  const { page, context } = await client.open({ as: jon })
  await page.route('**/api/auth/totp/status', (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto(PLACE)
  await page.getByRole('region', { name: 'Authenticator app' }).getByText('The service is busy').waitFor()
  expect(await setUp(page).count()).toBe(0)
  await page.unroute('**/api/auth/totp/status')
  await page.getByRole('button', { name: 'Try again' }).click()
  await setUp(page).waitFor()
  await context.close()
})
