import { afterAll, beforeAll, expect } from 'bun:test'
import { test } from '../../support/browser'
import { type Client, eventuallyMatches, startClient } from '../../support/web'

// (contract: web.administration)
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

async function shown(address: string, role: 'admin' | 'standard' = 'admin') {
  const admin = await client.h.signedIn({ role })
  const { page, context } = await client.open({ as: admin })
  await page.goto(address)
  return { admin, page, [Symbol.asyncDispose]: () => context.close() }
}

test('others than administrators have no link to the administration, and its address says that it is not for them', async () => {
  for (const address of ['/admin', '/admin/users', '/admin/users/1', '/admin/settings', '/admin/audit']) {
    await using opened = await shown(address, 'standard')
    const { page } = opened
    await page.getByRole('heading', { level: 1, name: 'Only administrators see this' }).waitFor()
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0)
  }
})

test('an administrator makes a user, disables and enables the account, and each holds at the service', async () => {
  await using opened = await shown('/admin/users')
  const { admin, page } = opened
  await page.getByRole('button', { name: 'Add a user' }).click()
  await page.getByLabel('Username').fill('newcomer')
  await page.getByLabel('First password').fill('a long enough phrase')
  await page.getByRole('button', { name: 'Create user' }).click()
  await page.getByRole('heading', { level: 1, name: 'newcomer' }).waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const read = async () => (await admin.request('GET', `/api/admin/users/${id}`)).body
  expect(await read()).toMatchObject({ username: 'newcomer', must_change_password: true, role: 'standard' })
  for (const [name, expected] of [
    ['Disable the account', { is_active: false }],
    ['Enable the account', { is_active: true }],
    ['Make administrator', { role: 'admin' }],
    ['Require a second factor', { mfa_required: true }],
  ] as const) {
    await page.getByRole('button', { name }).click()
    await page.getByRole('dialog', { name }).getByRole('button', { name }).click()
    await page.getByRole('dialog', { name }).waitFor({ state: 'detached' })
    await eventuallyMatches(read, expected)
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
  }
})

test('a deletion names what goes along, and the user is gone then', async () => {
  await using opened = await shown('/admin')
  const { admin, page } = opened
  const bob = await client.h.signedIn({ username: 'leaver' })
  await bob.request('POST', '/api/todos', { body: { title: 'Left' } })
  await page.goto(`/admin/users/${bob.row.id}`)
  await page.getByRole('button', { name: 'Delete the user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the user' })
  await dialog.getByText('leaver and everything that belongs').waitFor()
  expect(await dialog.getByText('Todos', { exact: true }).count()).toBe(1)
  await dialog.getByRole('button', { name: 'Delete the user' }).click()
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  expect((await admin.request('GET', `/api/admin/users/${bob.row.id}`)).status).toBe(404)
})

test('a switch of the service settings holds at once, and the audit log says so in words', async () => {
  await using opened = await shown('/admin/settings')
  const { admin, page } = opened
  await page.getByRole('switch', { name: 'Everybody may make an account' }).click()
  const config = async () => (await admin.request('GET', '/api/admin/config')).body
  await eventuallyMatches(config, { allow_registration: true })
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('list', { name: 'Entries' }).getByText('Changed the service settings').waitFor()
  await page.getByLabel('What happened').selectOption('admin.config_updated')
  await page.waitForURL('**/admin/audit?action=admin.config_updated')
})

test('a switch of the service settings that the service refuses goes back, and says why', async () => {
  await using opened = await shown('/admin/settings')
  const { admin, page } = opened
  const passwordless = page.getByRole('switch', { name: 'Sign-in without a password is allowed' })
  await page.route('**/api/admin/config', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 503, json: {} }) : route.continue(),
  )
  await passwordless.click()
  await page.getByRole('alert').getByText('The service is busy or restarting.').waitFor()
  expect(await passwordless.isChecked()).toBe(false)
  expect((await admin.request('GET', '/api/admin/config')).body.allow_passwordless).toBe(false)
})

test('on a desktop no message lies over the buttons of a dialog that opens while it shows', async () => {
  const user = await client.h.signedIn()
  await using opened = await shown(`/admin/users/${user.row.id}`)
  const { page } = opened
  await page.setViewportSize({ width: 1024, height: 640 })
  for (const name of ['Disable the account', 'Enable the account', 'Require a second factor']) {
    await page.getByRole('button', { name }).click()
    await page.getByRole('dialog').getByRole('button', { name }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await page.getByRole('link', { name: 'Users' }).first().click()
  await page.getByRole('button', { name: 'Add a user' }).click()
  expect(await page.getByRole('status').filter({ hasText: 'abled' }).count()).toBeGreaterThan(0)
  for (const name of ['Cancel', 'Create user'])
    await page
      .getByRole('dialog')
      .getByRole('button', { name, exact: true })
      .click({ trial: true, timeout: 3000 })
})
