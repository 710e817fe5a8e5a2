import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { login as signIn } from '../../support/accounts'
import { test } from '../../support/browser'
import { type Actor, PASSWORD } from '../../support/harness'
import { pressOn, tabTo } from '../../support/keyboard'
import { withTotp } from '../../support/totp'
import { type Client, eventually, SCREENS, signedOut, startClient } from '../../support/web'

// (contract: web.administration)
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

type Options = Parameters<Client['open']>[0]

async function opened(address: string, options: NonNullable<Options>['options'] = {}) {
  const admin = await client.h.signedIn({ role: 'admin' })
  const { page, context } = await client.open({ as: admin, options })
  await page.goto(address)
  return { admin, page, [Symbol.asyncDispose]: () => context.close() }
}

const userPage = (user: Actor) => `/admin/users/${user.row.id}`
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

/** Presses a button and the one of the same name in the dialog that asks first. */
async function act(page: Page, name: string): Promise<void> {
  await button(page, name).click()
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

const login = (username: string, password = PASSWORD) => signIn(client.h, username, password)

test('by keyboard alone a forgotten password is reset: the temporary one is shown once under the name of the user, works, and must be replaced', async () => {
  const gerda = await client.h.signedIn({ username: 'gerda' })
  await using tab = await opened(userPage(gerda))
  const { page } = tab
  await pressOn(page, button(page, 'Reset the password'))
  const question = dialog(page, 'Reset the password: gerda')
  await pressOn(page, question.getByRole('button', { name: 'Reset the password' }))
  const shown = dialog(page, 'Temporary password: gerda')
  const password = await shown.locator('code').innerText()
  await pressOn(page, shown.getByRole('button', { name: 'Done' }))
  await shown.waitFor({ state: 'detached' })
  expect(await page.locator('body').innerText()).not.toContain(password)
  await page.getByText('Must change the password').waitFor()
  await tabTo(page, button(page, 'Reset the password'))
  expect((await login('gerda')).status).toBe(401)
  expect((await login('gerda', password)).body).toMatchObject({ must_change_password: true })
})

test('a locked account says until when, and signs in again as soon as it is unlocked', async () => {
  const jonas = await client.h.signedIn({ username: 'jonas' })
  for (let attempt = 0; attempt < 10; attempt++) await login('jonas', 'not the password')
  expect((await login('jonas')).status).toBe(423)
  await using tab = await opened(userPage(jonas))
  const { page } = tab
  await page.getByText(/Locked until 4 March 2026, \d\d:\d\d/).waitFor()
  await act(page, 'Unlock')
  await page.getByRole('status').getByText('Unlocked jonas').waitFor()
  await button(page, 'Unlock').waitFor({ state: 'detached' })
  await eventually(() => page.evaluate(() => document.activeElement?.tagName), 'H1')
  expect((await login('jonas')).status).toBe(200)
})

test('whose phone is lost signs in with the password alone once the second factor is removed', async () => {
  const paul = await client.h.signedIn({ username: 'paul' })
  await withTotp(client.h, paul)
  expect((await login('paul')).body).toMatchObject({ totp_required: true })
  await using tab = await opened(userPage(paul))
  const { page } = tab
  await act(page, 'Remove the second factor')
  await button(page, 'Remove the second factor').waitFor({ state: 'detached' })
  expect((await login('paul')).body).toEqual({ authenticated: true })
})

test('a user is signed out everywhere and their tokens end; what would end nothing is not offered', async () => {
  const leni = await client.h.signedIn({ username: 'leni' })
  const token = { name: 'Script', scopes: ['tasks:read'] }
  expect((await leni.request('POST', '/api/auth/tokens', { body: token })).status).toBe(201)
  await using tab = await opened(userPage(leni))
  const { admin, page } = tab
  await page.getByText('1 access token or app password works.').waitFor()
  await act(page, 'Revoke all tokens')
  await page.getByText('No access token or app password.').waitFor()
  expect(await button(page, 'Revoke all tokens').count()).toBe(0)
  await act(page, 'Sign out everywhere')
  await page.getByText('Signed in nowhere.').waitFor()
  expect(await button(page, 'Sign out everywhere').count()).toBe(0)
  expect((await leni.request('GET', '/api/settings')).status).toBe(401)
  const { body } = await admin.request('GET', `/api/admin/users/${leni.row.id}`)
  expect(body).toMatchObject({ active_sessions: 0, token_count: 0 })
})

test('who is signed out everywhere, or disabled, stands at the sign-in at once, without touching the page', async () => {
  for (const name of ['Sign out everywhere', 'Disable the account']) {
    const child = await client.h.signedIn()
    const { page: phone, context } = await client.open({ as: child, options: SCREENS.phone })
    await phone.goto('/today')
    await phone.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    await using tab = await opened(userPage(child))
    await act(tab.page, name)
    await signedOut(phone)
    await context.close()
  }
})

test('of oneself the other sessions end, and the one that is used stays', async () => {
  await using tab = await opened('/admin/users')
  const { admin, page } = tab
  await page.goto(userPage(admin))
  await page
    .getByText('Signed in with')
    .or(page.getByRole('list', { name: 'Sessions' }))
    .first()
    .waitFor()
  expect(await button(page, 'Sign out everywhere').count()).toBe(0)
  await login(admin.row.username)
  await page.reload()
  await act(page, 'Sign out everywhere')
  await button(page, 'Sign out everywhere').waitFor({ state: 'detached' })
  await eventually(() => page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').count(), 1)
  expect((await admin.request('GET', '/api/settings')).status).toBe(200)
})

test('on a phone in German an account is made, and a name that is taken is refused in German', async () => {
  await client.h.signedIn({ username: 'schonda' })
  await using tab = await opened('/admin/users', { ...SCREENS.phone, locale: 'de-DE' })
  const { admin, page } = tab
  await button(page, 'Konto hinzufügen').tap()
  await page.getByLabel('Benutzername').fill('Schonda')
  await page.getByLabel('Erstes Passwort').fill('eine lange Wortfolge')
  await button(page, 'Konto anlegen').tap()
  await page
    .getByText('Ein Konto mit diesem Benutzernamen oder dieser E-Mail-Adresse gibt es schon.')
    .waitFor()
  await page.getByLabel('Benutzername').fill('nichtda')
  await button(page, 'Konto anlegen').tap()
  await page.getByRole('heading', { level: 1, name: 'nichtda' }).waitFor()
  expect((await admin.request('GET', '/api/admin/users?q=nichtda')).body.users[0]).toMatchObject({
    username: 'nichtda',
    must_change_password: true,
  })
})

test('of a user who was deleted meanwhile the page says so, whatever was about to be done', async () => {
  for (const name of ['Disable the account', 'Reset the password']) {
    const gone = await client.h.signedIn()
    await using tab = await opened(userPage(gone))
    const { admin, page } = tab
    await button(page, name).click()
    expect((await admin.request('DELETE', `/api/admin/users/${gone.row.id}`)).status).toBe(200)
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'This user does not exist' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  }
})

test('who loses the role while a page of the administration is open learns that it is not for them, and has no link to it any more', async () => {
  const user = await client.h.signedIn()
  const other = await client.h.signedIn({ role: 'admin' })
  await using tab = await opened(userPage(user))
  const { admin, page } = tab
  await button(page, 'Disable the account').waitFor()
  const lost = await other.request('PUT', `/api/admin/users/${admin.row.id}/role`, {
    body: { role: 'standard' },
  })
  expect(lost.status).toBe(200)
  await button(page, 'Disable the account').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable the account' }).click()
  await page.getByRole('heading', { level: 1, name: 'Only administrators see this' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
})

test('of many users more are loaded below those that are there, and the first new one has the focus', async () => {
  await using tab = await opened('/admin')
  const { admin, page } = tab
  for (let at = 10; at < 62; at++) await client.h.signedIn({ username: `many.${at}` })
  await page.goto('/admin/users')
  await page.getByLabel('Find users').fill('many.')
  await page.getByRole('status').getByText('52 users').waitFor()
  await pressOn(page, button(page, 'Load more'))
  await button(page, 'Load more').waitFor({ state: 'detached' })
  const { users } = (await admin.request('GET', '/api/admin/users?q=many.&limit=200')).body
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), users[50].username)
  expect(await page.getByRole('list', { name: 'Users', exact: true }).getByRole('listitem').count()).toBe(52)
})

test('the filters of the users stand in the address: the way back from a user has them again', async () => {
  const disabled = await client.h.signedIn({ username: 'filter.one' })
  await client.h.signedIn({ username: 'filter.two' })
  await using tab = await opened('/admin/users?role=nonsense')
  const { admin, page } = tab
  await admin.request('PUT', `/api/admin/users/${disabled.row.id}/active`, { body: { is_active: false } })
  await page.getByLabel('Find users').pressSequentially('filter.')
  await page.getByLabel('State').selectOption('Disabled')
  await page.getByRole('status').getByText('1 user', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'filter.one' }).click()
  await page.getByRole('heading', { level: 1, name: 'filter.one' }).waitFor()
  await page.goBack()
  await page.getByRole('status').getByText('1 user', { exact: true }).waitFor()
  expect(await page.getByLabel('Find users').inputValue()).toBe('filter.')
  expect(await page.getByLabel('State').inputValue()).toBe('false')
})

test('a page of users that is refused says so where the rest would be, and is tried again', async () => {
  for (let at = 10; at < 62; at++) await client.h.signedIn({ username: `rest.${at}` })
  await using tab = await opened('/admin/users')
  const { page } = tab
  await page.getByLabel('Find users').fill('rest.')
  await page.getByRole('status').getByText('52 users').waitFor()
  await page.route('**/api/admin/users?*cursor*', (route) => route.fulfill({ status: 503, json: {} }), {
    times: 1,
  })
  await button(page, 'Load more').click()
  await page.getByRole('alert').getByText('The service is busy').waitFor()
  expect(await page.getByRole('link', { name: /^rest\./ }).count()).toBe(50)
  await button(page, 'Try again').click()
  await page.getByRole('link', { name: 'rest.61' }).waitFor()
})

test('what a user has is counted in words that fit the number', async () => {
  const one = await client.h.signedIn()
  await one.request('POST', '/api/todos', { body: { title: 'Milk' } })
  await one.request('POST', '/api/people', { body: { first_name: 'Sam' } })
  await one.request('POST', '/api/projects', { body: { name: 'Garden' } })
  await using tab = await opened(userPage(one))
  await tab.page.getByText('0 events, 1 todo, 1 person, 1 project', { exact: true }).waitFor()
})

test('the form for a new user says which of its fields may stay empty', async () => {
  await using tab = await opened('/admin/users')
  const { page } = tab
  await button(page, 'Add a user').click()
  const fields = await dialog(page, 'Add a user')
    .locator('input:not([type=checkbox])')
    .evaluateAll((inputs) =>
      (inputs as HTMLInputElement[]).map(({ labels, ariaDescribedByElements: texts }) => [
        labels?.[0]?.textContent,
        texts?.some(({ textContent }) => textContent === 'Optional') ?? false,
      ]),
    )
  expect(fields).toEqual([
    ['Username', false],
    ['First password', false],
    ['Email', true],
    ['Date of birth', true],
  ])
})
