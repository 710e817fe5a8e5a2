import { afterAll, beforeAll, expect } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { users } from '../../../src/db/schema'
import { codeAt, wrongCodeAt } from '../../support/authenticator-app'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { PASSWORD } from '../../support/harness'
import { pressOn, typeInto } from '../../support/keyboard'
import { withTotp } from '../../support/totp'
import { type Client, SCREENS, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
  await client.h.signedIn({ username: 'root', role: 'admin' })
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const codeField = (page: Page) => page.getByRole('textbox', { name: 'Code', exact: true })
const verify = (page: Page) => page.getByRole('button', { name: 'Verify' })
const UNFINISHED = 'The second step was not finished. Please sign in once more.'

async function submitPassword(page: Page, username: string) {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
}

/** A user with an authenticator, and a page that asks for its code. */
async function asked(username: string, path = '/sign-in', options: Parameters<Client['open']>[0] = {}) {
  const totp = await withTotp(client.h, await client.h.signedIn({ username }))
  const { page, context } = await client.open(options)
  await page.goto(path)
  await submitPassword(page, username)
  await codeField(page).waitFor()
  return { page, context, ...totp }
}

test('a pasted “123 456” is a code, and leads to the address that was asked for', async () => {
  const { page, context, secret } = await asked('ada', '/todos')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  expect(new URL(page.url()).pathname).toBe('/second-factor')
  expect(await codeField(page).getAttribute('autocomplete')).toBe('one-time-code')
  const code = codeAt(secret, client.h.clock.now())
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${code.slice(0, 3)} ${code.slice(3)}`)
  await page.keyboard.press('Control+V')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/todos')
})

test('a wrong code is told and can be corrected; after the fifth the sign-in begins anew and says why', async () => {
  const { page, secret } = await asked('bea')
  const wrong = wrongCodeAt(secret, client.h.clock.now())
  for (let attempt = 0; attempt < 5; attempt++) {
    await codeField(page).fill(wrong)
    const answer = page.waitForResponse('**/api/auth/totp/verify')
    await verify(page).click()
    await answer
    await page.locator('button[type=submit]:not([aria-disabled])').waitFor()
    await page.getByRole('alert').getByText('This code is not right').waitFor()
  }
  expect(await axeProblems(page)).toEqual([])
  await verify(page).click()
  await page.waitForURL('**/sign-in')
  await page.getByRole('alert').getByText(UNFINISHED).waitFor()
})

test('a backup code signs in instead, by keyboard alone', async () => {
  const { page, backupCodes } = await asked('cyd')
  await pressOn(page, page.getByRole('button', { name: 'Use a backup code' }))
  const field = page.getByRole('textbox', { name: 'Backup code' })
  await field.waitFor()
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
  await page.keyboard.type(backupCodes[0] ?? '')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/today')
})

test('a reload in the second step leads back to the sign-in, which says why and keeps the address', async () => {
  const { page, secret } = await asked('dee', '/todos')
  await page.reload()
  await page.getByRole('alert').getByText(UNFINISHED).waitFor()
  await submitPassword(page, 'dee')
  await codeField(page).fill(codeAt(secret, client.h.clock.now()))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/todos')
})

test('a second factor that is required is set up on the way in, and its backup codes stay until one of them was typed', async () => {
  const { id } = await client.h.user({ username: 'eli', mfaRequired: true })
  const { page, context } = await client.open()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/todos')
  await submitPassword(page, 'eli')
  await page.waitForURL('**/second-factor/set-up?next=%2Ftodos')
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  expect(await axeProblems(page)).toEqual([])
  const shown = await page.locator('code').innerText()
  expect(shown).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
  const secret = shown.replaceAll(' ', '')
  await pressOn(page, page.getByRole('button', { name: 'Copy the key' }))
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)

  await codeField(page).fill(wrongCodeAt(secret, client.h.clock.now()))
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('This code is not right').waitFor()
  await codeField(page).fill('')
  await typeInto(page, codeField(page), codeAt(secret, client.h.clock.now()))
  await pressOn(page, page.getByRole('button', { name: 'Turn on' }))

  await page.getByRole('heading', { name: 'Your backup codes' }).waitFor()
  const codes = await page.getByRole('listitem').allInnerTexts()
  expect(codes.length).toBe(10)
  expect(await axeProblems(page)).toEqual([])
  const download = page.waitForEvent('download')
  await pressOn(page, page.getByRole('button', { name: 'Download' }))
  expect(await Bun.file((await (await download).path()) ?? '').text()).toBe(`${codes.join('\n')}\n`)
  const field = page.getByRole('textbox', { name: 'Backup code' })
  const saved = page.getByRole('button', { name: 'I have saved these codes' })
  await pressOn(page, saved)
  await page.getByText('Fill this in.').waitFor()
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
  await page.keyboard.type('AAAAA-AAAAA')
  await page.keyboard.press('Enter')
  await page.getByText('This is none of the ten codes.').waitFor()
  await field.fill((codes[3] ?? '').toLowerCase().replace('-', ' '))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/todos')
  const [row] = await client.h.db.select().from(users).where(eq(users.id, id))
  expect(row).toMatchObject({ totpEnabled: true })
})

test('a set-up whose secret could not be fetched says so and tries again', async () => {
  await client.h.user({ username: 'fay', mfaRequired: true })
  const { page, context } = await client.open()
  await page.goto('/sign-in')
  await context.route('**/api/auth/mfa-setup/begin', (route) => route.abort())
  await submitPassword(page, 'fay')
  await page.getByRole('alert').getByText('The service could not be reached.').waitFor()
  await context.unroute('**/api/auth/mfa-setup/begin')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('img').waitFor()
})

test('the second step is accessible on each screen and in each scheme', async () => {
  for (const [screen, options] of Object.entries(SCREENS))
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, context } = await asked(`gus-${screen}-${colorScheme}`, '/sign-in', {
        options: { ...options, colorScheme },
      })
      expect(await axeProblems(page)).toEqual([])
      await context.close()
    }
})
