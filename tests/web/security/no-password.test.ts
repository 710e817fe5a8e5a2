import { afterAll, beforeAll, expect } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { identities, passkeys, sessions, systemConfig, users } from '../../../src/db/schema'
import { NO_PASSWORD } from '../../../src/features/identity/passwords/rules'
import { userOf } from '../../support/accounts'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { RunningClock } from '../../support/fakes'
import type { Actor } from '../../support/harness'
import { pressOn, typeInto } from '../../support/keyboard'
import { SITTER, startOidcProvider } from '../../support/oidc-provider'
import { until } from '../../support/service'
import { withTotp } from '../../support/totp'
import { addAuthenticator, registerPasskey } from '../../support/virtual-authenticator'
import { type Client, signedOut, startClient } from '../../support/web'
import { callOn, draftOn, useProbe } from '../../support/web-probing'

let provider: Awaited<ReturnType<typeof startOidcProvider>>
let client: Client
beforeAll(async () => {
  provider = await startOidcProvider()
  client = await startClient({ env: provider.env, clock: new RunningClock(new Date().toISOString()) })
  provider.serveAt(client.origin)
  await client.h.user({ username: 'root', role: 'admin' })
}, 60_000)
afterAll(async () => {
  // To visit the provider is the point of it.
  const { complaints } = client
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes(provider.issuer)))
  await client[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

const NEW = 'a lighthouse in spring'
const SECURITY = '/settings/security'
const passwords = (page: Page) => page.locator('input[autocomplete="current-password"]')
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The session proved itself so long ago. */
const age = (as: Actor, minutes: number) =>
  client.h.db
    .update(sessions)
    .set({ authenticatedAt: new Date(client.h.clock.now().getTime() - minutes * 60_000) })
    .where(eq(sessions.id, as.sid))

/** A user whom only the provider lets in, with a session that proved itself an hour ago, or now. */
async function opened(username: string, { minutesAgo = 60, at = SECURITY } = {}) {
  const as = await client.h.signedIn({ username, passwordHash: NO_PASSWORD })
  const now = client.h.clock.now()
  await client.h.db
    .insert(identities)
    .values({ userId: as.row.id, issuer: provider.issuer, subject: username, createdAt: now })
  await age(as, minutesAgo)
  const { page, context } = await client.open({ as })
  await page.setExtraHTTPHeaders({ [SITTER]: JSON.stringify({ sub: username }) })
  await useProbe(context)
  await page.goto(at)
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  return { as, page, context }
}

const isThere = async (id: number) =>
  (await client.h.db.select().from(users).where(eq(users.id, id))).length > 0

test('a first password is set by keyboard alone, and is asked for from then on', async () => {
  const { page, as } = await opened('ada', { minutesAgo: 0 })
  await page.getByRole('heading', { name: 'Set a password' }).waitFor()
  expect(await passwords(page).count()).toBe(0)
  await typeInto(page, page.getByLabel('Password', { exact: true }), NEW)
  await pressOn(page, button(page, 'Set password'))
  await page.getByText('The password is set.').waitFor()
  await page.getByRole('heading', { name: 'Change the password' }).waitFor()
  await page.getByLabel('Current password').waitFor()
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H2')
  const body = { username: as.row.username, password: NEW }
  expect((await client.h.request('POST', '/api/auth/login', { body })).status).toBe(200)
})

test('an old session proves itself at the provider before the account is deleted, and is asked for no password', async () => {
  const { page, as } = await opened('bea', { at: '/settings/account' })
  await page.getByRole('link', { name: 'Set a password' }).waitFor()
  const remove = async () => {
    await button(page, 'Delete account').click()
    await dialog(page, 'Delete account').getByRole('button', { name: 'Delete for good' }).click()
  }
  await remove()
  const asked = dialog(page, 'Confirm it is you')
  const way = asked.getByRole('link', { name: 'Confirm with Home' })
  await way.waitFor()
  expect(await passwords(page).count()).toBe(0)
  expect(await way.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await axeProblems(page)).toEqual([])
  expect(await isThere(as.row.id)).toBe(true)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/settings/account')
  await asked.waitFor({ state: 'detached' })
  await remove()
  await signedOut(page)
  expect(await isThere(as.row.id)).toBe(false)
})

test('closing that dialog deletes nothing, and says what is missing', async () => {
  const { page, as } = await opened('cyd', { at: '/settings/account' })
  await button(page, 'Delete account').click()
  const deletion = dialog(page, 'Delete account')
  await deletion.getByRole('button', { name: 'Delete for good' }).click()
  await dialog(page, 'Confirm it is you').waitFor()
  await page.keyboard.press('Escape')
  await deletion.getByRole('alert').getByText('This needs a confirmation that it is you.').waitFor()
  expect(await isThere(as.row.id)).toBe(true)
})

test('the lock screen offers the provider alone, which has the focus, and no field that nobody can fill', async () => {
  const { page } = await opened('eli', { at: '/reminders' })
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Lock' }).click()
  const unlock = button(page, 'Unlock with Home')
  await unlock.waitFor()
  expect(await passwords(page).count()).toBe(0)
  expect(await button(page, 'Unlock').count()).toBe(0)
  await until(() => unlock.evaluate((element) => element === document.activeElement))
  expect(await axeProblems(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Reminders', level: 1 }).waitFor()
})

test('who was signed out over a page signs in again with the provider, and comes back to it', async () => {
  const { page, as } = await opened('fay', { at: '/settings/appearance' })
  await draftOn(page).fill('half a sentence')
  await as.request('POST', '/api/auth/logout')
  await callOn(page, 'GET', 'todos')
  const again = dialog(page, 'Sign in again')
  await again.waitFor()
  expect(await passwords(page).count()).toBe(0)
  expect(await axeProblems(page)).toEqual([])
  await again.getByRole('link', { name: 'Sign in with Home' }).click()
  await page.waitForURL('**/settings/appearance')
  await page.getByRole('heading', { name: 'Appearance', level: 1 }).waitFor()
  await again.waitFor({ state: 'detached' })
})

test('password sign-in is given up in advance without a password', async () => {
  const allowed = { allowPasswordless: true, updatedAt: client.h.clock.now() }
  await client.h.db
    .insert(systemConfig)
    .values(allowed)
    .onConflictDoUpdate({ target: systemConfig.id, set: allowed })
  const { page, as } = await opened('hal', { minutesAgo: 0 })
  for (const name of ['Laptop', 'Phone'])
    await client.h.db.insert(passkeys).values({
      userId: as.row.id,
      name,
      credentialId: name,
      publicKey: new Uint8Array(1),
      signCount: 0,
      transports: [],
      deviceType: 'singleDevice',
      backedUp: false,
      createdAt: client.h.clock.now(),
    })
  await page.reload()
  await page.getByRole('switch', { name: 'Sign in without a password' }).click()
  const asked = dialog(page, 'Sign in without a password')
  await asked.getByRole('button', { name: 'Turn on' }).waitFor()
  expect(await passwords(page).count()).toBe(0)
  await asked.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Only passkeys sign you in now.').waitFor()
  expect((await userOf(client.h, as.row.id)).passwordlessEnabled).toBe(true)
})

// Last: an authenticator moves the service's clock away from the provider's.
test('a passkey confirms at once, and what waited goes on: new codes, and the authenticator off', async () => {
  const { page, context, as } = await opened('gus', { minutesAgo: 0 })
  await addAuthenticator(context, page)
  await registerPasskey(page)
  const { backupCodes } = await withTotp(client.h, as)
  await age(as, 60)
  await page.reload()
  await button(page, 'New backup codes').click()
  expect(await passwords(page).count()).toBe(0)
  await button(page, 'Get new codes').click()
  const asked = dialog(page, 'Confirm it is you')
  const usePasskey = asked.getByRole('button', { name: 'Use a passkey' })
  await usePasskey.waitFor()
  expect(await usePasskey.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await asked.getByRole('link', { name: 'Confirm with Home' }).count()).toBe(1)
  await usePasskey.click()
  const codes = page.locator('.backup-codes li')
  await codes.first().waitFor()
  const [fresh = ''] = await codes.allInnerTexts()
  expect(backupCodes).not.toContain(fresh)
  await page.reload()
  await button(page, 'Turn off').click()
  const off = dialog(page, 'Turn off the authenticator')
  expect(await passwords(page).count()).toBe(0)
  await off.getByRole('textbox', { name: 'Code', exact: true }).fill(fresh)
  await off.getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('The authenticator is off.').waitFor()
  expect((await as.request('GET', '/api/auth/totp/status')).body.enabled).toBe(false)
})
