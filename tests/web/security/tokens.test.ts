import { afterAll, beforeAll, expect } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { sessions } from '../../../src/db/schema'
import { test } from '../../support/browser'
import { PASSWORD } from '../../support/harness'
import { pressOn, typeInto } from '../../support/keyboard'
import { createToken, insertToken } from '../../support/tokens'
import { type Client, SCREENS, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient({ env: { DAV_ALLOW_HTTP: 'on' } })
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

type Actor = Awaited<ReturnType<Client['h']['signedIn']>>
const PLACE = '/settings/security/tokens'
const newApp = (page: Page) => page.getByRole('button', { name: 'New app password' })
const newToken = (page: Page) => page.getByRole('button', { name: 'New access token' })
/** What shows, with plain spaces. */
const textOf = (text: string) => text.replaceAll('\u00a0', ' ')
const lines = (page: Page) => page.getByRole('list', { name: 'Existing' }).getByRole('listitem')
const create = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Create' })
const tokensOf = async (as: Actor) => (await as.request('GET', '/api/auth/tokens')).body.tokens
/** What a field of the secret shows, as somebody would copy it by hand. */
const shown = (page: Page, label: string) =>
  page.locator('.to-type > div').filter({ hasText: label }).locator('code').last()

async function opened(as?: Actor, options: BrowserContextOptions = {}) {
  const user = as ?? (await client.h.signedIn())
  const { page, context } = await client.open({ as: user, options })
  await page.goto(PLACE)
  await page.getByRole('heading', { name: 'App passwords and access tokens', level: 1 }).waitFor()
  return { as: user, page, context, [Symbol.asyncDispose]: () => context.close() }
}

test('an app password is made by keyboard alone, and shows what is typed into a phone, each with a copy', async () => {
  await using tab = await opened()
  const { page, as, context } = tab
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByText('There is none yet.').waitFor()
  await pressOn(page, newApp(page))
  await page.getByRole('dialog', { name: 'New app password' }).waitFor()
  await page.keyboard.type('Phone')
  await page.getByRole('combobox', { name: 'Contacts' }).selectOption('Read only')
  await pressOn(page, create(page))
  const heading = page.getByRole('heading', { name: 'App password for Phone' })
  await heading.waitFor()
  expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true)
  const password = await shown(page, 'App password').textContent()
  const copied = async (what: string) => {
    await pressOn(page, page.getByRole('button', { name: `Copy ${what}` }))
    return page.evaluate(() => navigator.clipboard.readText())
  }
  expect(await copied('the address')).toBe(`${client.origin}/dav/`)
  expect(await copied('the user name')).toBe(as.row.username)
  expect(await copied('the app password')).toBe(password ?? '')
  const credentials = Buffer.from(`${as.row.username}:${password}`).toString('base64')
  const { status } = await client.h.request('PROPFIND', '/dav/', {
    headers: { authorization: `Basic ${credentials}`, depth: '0', 'x-forwarded-proto': 'https' },
  })
  expect(status).toBe(207)
  expect(await tokensOf(as)).toMatchObject([
    { name: 'Phone', scopes: ['calendars:write', 'tasks:write', 'people:read', 'dav'] },
  ])
  await pressOn(page, page.getByRole('button', { name: 'Done' }))
  await heading.waitFor({ state: 'detached' })
  expect(await page.locator('body').innerText()).not.toContain(password ?? '')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H2')
  await lines(page).filter({ hasText: 'Contacts: Read only' }).waitFor()
})

test('where to type an app password is said for each kind of device, and only for what it opens', async () => {
  await using tab = await opened(undefined, SCREENS.phone)
  const { page } = tab
  await newApp(page).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Mac')
  await page.getByRole('combobox', { name: 'Contacts' }).selectOption('Not at all')
  await create(page).click()
  await page.getByText('Add CalDAV Account').waitFor()
  expect(await page.getByText('Add CardDAV Account').count()).toBe(0)
  await page.getByText(`The server is ${new URL(client.origin).host}`).waitFor()
  const devices = page.getByRole('combobox', { name: 'Where to type it' })
  for (const [device, step] of [
    ['Mac', 'Other CalDAV Account'],
    ['Android, with DAVx5', 'Login with URL and user name'],
    ['Thunderbird', 'On the Network'],
    ['GNOME', 'Online Accounts'],
  ] as const) {
    await devices.selectOption(device)
    await page.getByText(step).waitFor()
  }
})

test('an access token opens what was chosen and no more, and one that would open nothing is refused at its field', async () => {
  await using tab = await opened()
  const { page, as } = tab
  await newToken(page).click()
  const dialog = page.getByRole('dialog', { name: 'New access token' })
  await typeInto(page, dialog.getByRole('textbox', { name: 'Name' }), 'Backup')
  await create(page).click()
  await dialog.getByText('It would open nothing.').waitFor()
  const calendars = dialog.getByRole('combobox', { name: 'Calendars' })
  expect(await calendars.evaluate((select) => select === document.activeElement)).toBe(true)
  await calendars.selectOption('Read only')
  await dialog.getByRole('checkbox', { name: 'See the overview' }).check()
  await dialog.getByRole('combobox', { name: 'Expires after' }).selectOption('30 days')
  await create(page).click()
  await page.getByRole('heading', { name: 'Access token for Backup' }).waitFor()
  const token = (await shown(page, 'Access token').textContent()) ?? ''
  const ask = (path: string) =>
    client.h.request('GET', path, { headers: { authorization: `Bearer ${token}` } })
  expect((await ask('/api/calendars')).status).toBe(200)
  expect((await ask('/api/people')).status).toBe(403)
  const [made] = await tokensOf(as)
  expect(made.scopes).toEqual(['calendars:read', 'overview:read'])
  expect(made.expires_at.slice(0, 10)).toBe('2026-04-03')
  await lines(page).filter({ hasText: 'expires 3 April 2026' }).waitFor()
})

test('a token that never ends can be chosen, and a missing name is told at its field', async () => {
  await using tab = await opened()
  const { page, as } = tab
  await newApp(page).click()
  await create(page).click()
  await page.getByRole('dialog').getByText('Fill this in.').waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Tablet')
  await page.getByRole('combobox', { name: 'Expires after' }).selectOption('Never')
  await create(page).click()
  await page.getByRole('heading', { name: 'App password for Tablet' }).waitFor()
  expect(await tokensOf(as)).toMatchObject([{ expires_at: null }])
})

test('a token in an old session takes a proof, and is then made once', async () => {
  await using tab = await opened()
  const { page, as } = tab
  await client.h.db
    .update(sessions)
    .set({ authenticatedAt: new Date(client.h.clock.now().getTime() - 60 * 60_000) })
    .where(eq(sessions.userId, as.row.id))
  await newApp(page).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Phone')
  await create(page).click()
  await page.getByRole('dialog', { name: 'Confirm it is you' }).waitFor()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'App password for Phone' }).waitFor()
  expect((await tokensOf(as)).length).toBe(1)
})

test('the list says what each opens, when it was used and when it ends, and a revocation says what follows', async () => {
  const as = await client.h.signedIn()
  await createToken(as, ['tasks:write', 'mcp'], { name: 'Assistant' })
  const now = client.h.clock.now()
  const day = 24 * 60 * 60_000
  await insertToken(client.h, as.row.id, {
    name: 'Old phone',
    scopes: ['dav', 'calendars:read'],
    createdAt: new Date(now.getTime() - 100 * day),
    expiresAt: new Date(now.getTime() - day),
    lastUsedAt: new Date(now.getTime() - 2 * day),
    lastUsedIp: '192.0.2.7',
  })
  await using tab = await opened(as)
  const { page } = tab
  const assistant = lines(page).filter({ hasText: 'Assistant' })
  await assistant.waitFor()
  expect(textOf(await assistant.innerText())).toContain(
    'Assistant\n\nTodos, reminders, projects: Read and change',
  )
  expect(textOf(await assistant.innerText())).toContain(
    'Not used yet · made 4 March 2026 · expires 4 March 2027',
  )
  const old = await lines(page).filter({ hasText: 'Old phone' }).innerText()
  expect(old).toContain('Last used 2 March 2026, 10:3')
  expect(old).toContain('from 192.0.2.7')
  expect(old).toContain('expired 3 March 2026')

  await pressOn(page, page.getByRole('button', { name: 'Revoke Assistant' }))
  const dialog = page.getByRole('dialog', { name: 'Revoke Assistant' })
  await dialog
    .getByText('The assistant that uses “Assistant” sees and changes nothing from this moment on')
    .waitFor()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await assistant.waitFor({ state: 'detached' })
  expect((await tokensOf(as)).map(({ name }: { name: string }) => name)).toEqual(['Old phone'])
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
  await page.getByRole('button', { name: 'Revoke Old phone' }).click()
  await page.getByRole('dialog').getByText('has expired already').waitFor()
})

test('leaving the page takes a new secret away for good', async () => {
  await using tab = await opened()
  const { page } = tab
  await newApp(page).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Phone')
  await create(page).click()
  const password = (await shown(page, 'App password').textContent()) ?? ''
  expect(password).toMatch(/^org_/)
  await page.getByRole('navigation', { name: 'Settings pages' }).getByRole('link', { name: 'Data' }).click()
  await page.getByRole('heading', { name: 'Data', level: 1 }).waitFor()
  await page.goBack()
  await lines(page).filter({ hasText: 'Phone' }).waitFor()
  const everything = await page.evaluate(() =>
    [document.documentElement.outerHTML, JSON.stringify(sessionStorage), JSON.stringify(localStorage)].join(),
  )
  expect(everything).not.toContain(password)
})

test('a page that the browser keeps for its Back button keeps no secret', async () => {
  await using tab = await opened()
  const { page } = tab
  await newApp(page).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Phone')
  await create(page).click()
  const password = (await shown(page, 'App password').textContent()) ?? ''
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await newApp(page).waitFor()
  expect(await page.content()).not.toContain(password)
})

test('a token that the service could not make is told in the dialog, and what was typed stays', async () => {
  await using tab = await opened()
  const { page, as } = tab
  await page.route('**/api/auth/tokens', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await newApp(page).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Phone')
  await create(page).click()
  await page.getByRole('dialog').getByText('The service could not be reached.').waitFor()
  expect(await name.inputValue()).toBe('Phone')
  await page.unroute('**/api/auth/tokens')
  await page.route('**/api/auth/tokens', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 409, json: { detail: 'You have too many access tokens' } })
      : route.continue(),
  )
  await create(page).click()
  await page.getByRole('dialog').getByText('There are too many of these. Delete some first.').waitFor()
  expect(await tokensOf(as)).toEqual([])
})
