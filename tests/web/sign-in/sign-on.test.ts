import { afterAll, beforeAll, expect } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Locator, Page } from 'playwright-core'
import { identities, sessions } from '../../../src/db/schema'
import { codeAt } from '../../support/authenticator-app'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { RunningClock } from '../../support/fakes'
import { PASSWORD } from '../../support/harness'
import { type ProviderAccount, SITTER, startOidcProvider } from '../../support/oidc-provider'
import { until } from '../../support/service'
import { withTotp } from '../../support/totp'
import { type Client, startClient } from '../../support/web'

let provider: Awaited<ReturnType<typeof startOidcProvider>>
let client: Client
beforeAll(async () => {
  provider = await startOidcProvider()
  client = await startClient({
    env: { ...provider.env, OIDC_REGISTER: 'on' },
    clock: new RunningClock(new Date().toISOString()),
  })
  provider.serveAt(client.origin)
  await client.h.signedIn({ username: 'root', role: 'admin' })
}, 60_000)
afterAll(async () => {
  // To visit the provider is the point of it.
  const { complaints } = client
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes(provider.issuer)))
  await client[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

const sit = (page: Page, who: ProviderAccount) => page.setExtraHTTPHeaders({ [SITTER]: JSON.stringify(who) })
const signOn = (page: Page) => page.getByRole('link', { name: 'Sign in with Home' })

/** A user with a sign-in at the provider. */
async function linkedUser(username: string) {
  const ada = await client.h.signedIn({ username })
  const now = client.h.clock.now()
  const identity = { userId: ada.row.id, issuer: provider.issuer, subject: username, createdAt: now }
  await client.h.db.insert(identities).values({ ...identity, name: `${username} at home` })
  return ada
}

test('somebody new signs in with the provider, and comes to the page that was asked for', async () => {
  const { page } = await client.open()
  await sit(page, { sub: 'new', claims: { preferred_username: 'newcomer' } })
  await page.goto('/todos')
  await signOn(page).waitFor()
  expect(await axeProblems(page)).toEqual([])
  await signOn(page).click()
  await page.waitForURL('**/todos')
  await page.getByRole('heading', { name: 'Todos', level: 1 }).waitFor()
})

test('the words of its button stand in the middle, as those of the others', async () => {
  const { page } = await client.open()
  await page.goto('/sign-in')
  const alignmentOf = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).textAlign)
  expect(await alignmentOf(signOn(page))).toBe(
    await alignmentOf(page.getByRole('button', { name: 'Sign in', exact: true })),
  )
})

test('who cancels at the provider is told so in words, and can try again', async () => {
  const { page } = await client.open()
  await page.goto('/sign-in')
  await signOn(page).click()
  await page.getByRole('alert').filter({ hasText: 'You cancelled the sign-in.' }).waitFor()
  await sit(page, { sub: 'again', claims: { preferred_username: 'again' } })
  await signOn(page).click()
  await page.waitForURL('**/today')
})

// Before an authenticator moves the service's clock away from the provider's.
test('the lock screen opens with the provider, where it was locked', async () => {
  const ada = await linkedUser('locker')
  await ada.request('POST', '/api/auth/lock')
  const { page } = await client.open({ as: ada })
  await sit(page, { sub: 'locker' })
  await page.goto('/reminders')
  await page.getByRole('button', { name: 'Unlock with Home' }).click()
  await page.getByRole('heading', { name: 'Reminders', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/reminders')
})

test('a code is asked for where one is due, and its token does not stay in the address', async () => {
  const ada = await linkedUser('coded')
  const { secret } = await withTotp(client.h, ada)
  const { page } = await client.open()
  await sit(page, { sub: 'coded' })
  await page.goto('/sign-in?next=/reminders')
  await signOn(page).click()
  const field = page.getByRole('textbox', { name: 'Code', exact: true })
  await field.waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await field.fill(codeAt(secret, client.h.clock.now()))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/reminders')
})

test.each(['/second-factor', '/second-factor/set-up'])(
  'a link to %s with the token of another browser leads to the sign-in, and uses nothing',
  async (path) => {
    const mallory = await client.h.user({ mfaRequired: true })
    const { body } = await client.h.request('POST', '/api/auth/login', {
      body: { username: mallory.username, password: PASSWORD },
    })
    const { page } = await client.open()
    await page.goto(`${path}#mfa_token=${body.mfa_token}`)
    await signOn(page).waitFor()
    expect(page.url()).not.toContain(body.mfa_token)
    expect(await page.getByRole('textbox', { name: 'Code', exact: true }).count()).toBe(0)
    const begun = await client.h.request('POST', '/api/auth/mfa-setup/begin', {
      body: { mfa_token: body.mfa_token },
    })
    expect(begun.status).toBe(200)
  },
)

test('a second factor is set up where new people need one, and the sign-in goes on', async () => {
  const admin = await client.h.signedIn({ role: 'admin' })
  const enforce = (enforce_mfa_new_users: boolean) =>
    admin.request('PUT', '/api/admin/config', { body: { enforce_mfa_new_users } })
  await enforce(true)
  const { page } = await client.open()
  await sit(page, { sub: 'strict', claims: { preferred_username: 'strict' } })
  await page.goto('/sign-in?next=/reminders')
  await signOn(page).click()
  await page.waitForURL('**/second-factor/set-up?next=*')
  await page.getByRole('textbox', { name: 'Code', exact: true }).waitFor()
  expect(await axeProblems(page)).toEqual([])
  await enforce(false)
})

test('a user links a sign-in in the settings once they have proved themselves, and unlinks it', async () => {
  const ada = await client.h.signedIn({ username: 'linker' })
  const authenticatedAt = new Date(client.h.clock.now().getTime() - 20 * 60_000)
  const { token } = await client.h.session(ada.row.id, { authenticatedAt })
  const { page } = await client.open({ as: { ...ada, token } })
  await sit(page, { sub: 'linker', claims: { name: 'Ada at home' } })
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Link a sign-in at Home' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  const unlink = page.getByRole('button', { name: 'Unlink Ada at home' })
  await unlink.waitFor()
  expect(await axeProblems(page)).toEqual([])
  await unlink.click()
  await page
    .getByRole('dialog', { name: 'Unlink sign-in' })
    .getByRole('button', { name: 'Unlink', exact: true })
    .click()
  await page.getByText('Unlinked Ada at home').waitFor()
  await unlink.waitFor({ state: 'detached' })
})

test('a sign-in that somebody else has linked is refused in words', async () => {
  await linkedUser('owner')
  const bob = await client.h.signedIn({ username: 'other' })
  const { page } = await client.open({ as: bob })
  await sit(page, { sub: 'owner' })
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Link a sign-in at Home' }).click()
  await page.getByText('This sign-in is linked with an account already.').waitFor()
  const button = page.getByRole('button', { name: 'Link a sign-in at Home' })
  await until(() => button.evaluate((element) => element === document.activeElement))
})

test('a page says so when the provider signs its user out, and the way back in is the provider', async () => {
  const who = { sub: 'leaver', claims: { preferred_username: 'leaver' } }
  const { page } = await client.open()
  await sit(page, who)
  await page.goto('/todos')
  await signOn(page).click()
  await page.getByRole('heading', { name: 'Todos', level: 1 }).waitFor()
  const [session] = await client.h.db.select().from(sessions).where(eq(sessions.oidcSubject, 'leaver'))
  const form = await provider.signOut('leaver', session?.oidcSid ?? '')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status } = await client.h.request('POST', '/api/auth/oidc/back-channel-logout', {
    body: form,
    headers,
  })
  expect(status).toBe(200)
  await page.goto('/reminders')
  await signOn(page).click()
  await page.getByRole('heading', { name: 'Reminders', level: 1 }).waitFor()
})
