import { afterAll, beforeAll, expect } from 'bun:test'
import { test } from '../../support/browser'
import { PASSWORD } from '../../support/harness'
import { pressOn } from '../../support/keyboard'
import { type Client, signedOut, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

async function openAccount(as: Awaited<ReturnType<Client['h']['signedIn']>>) {
  const { page, context } = await client.open({ as })
  await page.goto('/settings/account')
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  return { page, context }
}

const question = (page: Awaited<ReturnType<typeof openAccount>>['page']) =>
  page.getByRole('dialog', { name: 'Delete account' })

test('an account is deleted by keyboard alone, after a dialog said what goes and asked for the password', async () => {
  // Without anybody left the service asks to be set up, and the sign-in page goes on to that.
  await client.h.user()
  const ada = await client.h.signedIn()
  await ada.request('POST', '/api/todos', { body: { title: 'Weed' } })
  await ada.request('POST', '/api/todos', { body: { title: 'Water' } })
  const { page, context } = await openAccount(ada)
  const other = await context.newPage()
  await other.goto('/today')
  await other.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  await page.bringToFront()
  await pressOn(page, page.getByRole('button', { name: 'Delete account' }))
  await question(page).getByText('2 todos').waitFor()
  await question(page).getByText('1 calendar with all events and templates').waitFor()
  expect(await question(page).getByRole('button', { name: 'Download everything' }).count()).toBe(1)
  await page.keyboard.type('wrong password')
  await page.keyboard.press('Enter')
  await question(page).getByText('The password is not right.').waitFor()
  expect((await ada.request('GET', '/api/settings')).status).toBe(200)
  await question(page).getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await signedOut(page)
  await signedOut(other)
  expect((await ada.request('GET', '/api/settings')).status).toBe(401)
  await context.close()
})

test('the only administrator cannot delete their account, and is told why', async () => {
  const admin = await client.h.signedIn({ role: 'admin' })
  const { page, context } = await openAccount(admin)
  await page.getByText('Administrator', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete account' }).click()
  await question(page).getByLabel('Password').fill(PASSWORD)
  await question(page).getByRole('button', { name: 'Delete for good' }).click()
  await question(page).getByText('You are the only administrator.').waitFor()
  await page.keyboard.press('Escape')
  await question(page).waitFor({ state: 'detached' })
  expect(
    await page.getByRole('button', { name: 'Delete account' }).evaluate((b) => b === document.activeElement),
  ).toBe(true)
  expect((await admin.request('GET', '/api/settings')).status).toBe(200)
  await context.close()
})
