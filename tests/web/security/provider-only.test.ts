import { afterAll, beforeAll, expect } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { identities, passkeys, sessions } from '../../../src/db/schema'
import { userOf } from '../../support/accounts'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { RunningClock } from '../../support/fakes'
import { PASSWORD } from '../../support/harness'
import { SITTER, startOidcProvider } from '../../support/oidc-provider'
import { type Client, startClient } from '../../support/web'

let provider: Awaited<ReturnType<typeof startOidcProvider>>
let client: Client
beforeAll(async () => {
  provider = await startOidcProvider()
  client = await startClient({
    env: { ...provider.env, OIDC_ONLY: 'on' },
    clock: new RunningClock(new Date().toISOString()),
  })
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

const ANY_PASSWORD = 'input[type="password"]'

/** A user with a password, a passkey and an identity, whose session proved itself an hour ago. */
async function opened(columns: Parameters<Client['h']['signedIn']>[0] & { username: string }, at: string) {
  const { username } = columns
  const as = await client.h.signedIn(columns)
  const createdAt = client.h.clock.now()
  await client.h.db
    .insert(identities)
    .values({ userId: as.row.id, issuer: provider.issuer, subject: username, createdAt })
  await client.h.db.insert(passkeys).values({
    userId: as.row.id,
    name: 'Laptop',
    credentialId: username,
    publicKey: new Uint8Array(1),
    signCount: 0,
    transports: [],
    deviceType: 'singleDevice',
    backedUp: false,
    createdAt,
  })
  const authenticatedAt = new Date(createdAt.getTime() - 60 * 60_000)
  await client.h.db.update(sessions).set({ authenticatedAt }).where(eq(sessions.id, as.sid))
  const { page } = await client.open({ as })
  await page.setExtraHTTPHeaders({ [SITTER]: JSON.stringify({ sub: username }) })
  await page.goto(at)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { as, page }
}

/** What the dialog offers to confirm with. */
async function waysOf(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
  await dialog.waitFor()
  expect(await dialog.locator(ANY_PASSWORD).count()).toBe(0)
  expect(await dialog.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0)
  return dialog.getByRole('link', { name: 'Confirm with Home' })
}

test('where only the provider lets people in, no password and no passkey is offered that would prove nothing', async () => {
  const { page } = await opened({ username: 'ada' }, '/settings/security')
  await page.getByText('Passkeys open nothing here as long as only Home does.').waitFor()
  await page.getByText('Laptop').waitFor()
  expect(await page.locator(ANY_PASSWORD).count()).toBe(0)
  expect(await page.getByRole('heading', { name: /password$/ }).allInnerTexts()).toEqual([])
  expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0)
  expect(await page.getByRole('switch', { name: 'Sign in without a password' }).count()).toBe(0)
  expect(await axeProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Set up an authenticator' }).click()
  await (await waysOf(page)).click()
  await page.waitForURL('**/settings/security')
  await page.getByRole('button', { name: 'Set up an authenticator' }).click()
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
})

test('a password that an administrator gave over HTTP is changed without it, once the provider has said who is there', async () => {
  const { page, as } = await opened({ username: 'bea', mustChangePassword: true }, '/today')
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  expect(await page.getByLabel('Current password').count()).toBe(0)
  const fresh = page.getByLabel('New password')
  expect(await fresh.evaluate((element) => element === document.activeElement)).toBe(true)
  const change = async () => {
    await fresh.fill('a lighthouse in spring')
    await page.keyboard.press('Enter')
  }
  await change()
  await (await waysOf(page)).click()
  await page.waitForURL('**/change-password')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await change()
  await page.waitForURL('**/today')
  expect((await userOf(client.h, as.row.id)).mustChangePassword).toBe(false)
})

test('a password of the operator opens the account, and is asked for when it is changed', async () => {
  const carol = { username: 'cyd', mustChangePassword: true, passwordByOperator: true }
  const { page, as } = await opened(carol, '/today')
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.getByLabel('New password').fill('a lighthouse in spring')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/today')
  expect(await userOf(client.h, as.row.id)).toMatchObject({
    mustChangePassword: false,
    passwordByOperator: false,
  })
})
