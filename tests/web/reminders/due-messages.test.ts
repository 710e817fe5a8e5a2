import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import type { Actor } from '../../support/harness'
import { type Client, eventually, passMinutes, startClient } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin. (contract: web.due-reminders)
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const remind = async (actor: Actor, title: string, at: string): Promise<number> =>
  (
    await actor.request('POST', '/api/reminders', {
      body: { title, remind_at: at, time_zone: 'Europe/Berlin' },
    })
  ).body.id

const read = (actor: Actor, id: number) =>
  actor.request('GET', `/api/reminders/${id}`).then(({ body }) => body)

async function shown(as: Actor, address = '/settings/appearance') {
  const { page, context } = await client.open({ as })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, context, [Symbol.asyncDispose]: () => context.close() }
}

const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
const said = (page: Page, title: string) => messages(page).getByText(`Reminder: ${title}`)

test('a reminder that becomes due is told on any page, and stays until it is snoozed there', async () => {
  const ada = await client.h.signedIn()
  const id = await remind(ada, 'Call Sam', '2026-03-04T10:33')
  await remind(ada, 'Water the plants', '2026-03-04T10:00')
  await using at = await shown(ada)
  const { page } = at
  // What is due is told by now, and this is not.
  await said(page, 'Water the plants').waitFor()
  expect(await said(page, 'Call Sam').count()).toBe(0)
  await passMinutes(page, 4)
  await said(page, 'Call Sam').waitFor()
  await page.keyboard.press('F6')
  await messages(page)
    .locator('.message', { hasText: 'Call Sam' })
    .getByRole('button', { name: 'Snooze' })
    .focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: '10 minutes' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await said(page, 'Call Sam').waitFor({ state: 'detached' })
  await messages(page)
    .getByText(/^Snoozed Call Sam until Today, /)
    .waitFor()
  await eventually(async () => (await read(ada, id)).snoozed_until !== null, true)
  await eventually(() => page.evaluate(() => document.activeElement === document.body), false)
})

test('a due reminder is told in every tab, and what is done about it in one goes from all', async () => {
  const ada = await client.h.signedIn()
  const id = await remind(ada, 'Call Sam', '2026-03-04T10:00')
  await remind(ada, 'Pay rent', '2026-03-04T10:10')
  await using at = await shown(ada)
  const { page, context } = at
  const other = await context.newPage()
  await other.goto('/today')
  await said(page, 'Call Sam').waitFor()
  await said(other, 'Call Sam').waitFor()
  await said(other, 'Pay rent').waitFor()
  await messages(other)
    .locator('.message', { hasText: 'Call Sam' })
    .getByRole('button', { name: 'Mark as done' })
    .click()
  await said(other, 'Call Sam').waitFor({ state: 'detached' })
  await said(page, 'Call Sam').waitFor({ state: 'detached' })
  await eventually(async () => (await read(ada, id)).is_dismissed, true)
  await messages(page)
    .locator('.message', { hasText: 'Pay rent' })
    .getByRole('button', { name: 'Dismiss' })
    .click()
  await said(other, 'Pay rent').waitFor({ state: 'detached' })
})

test('many due reminders have one message, which leads to their list, where none is told again', async () => {
  const ada = await client.h.signedIn()
  for (const title of ['One', 'Two', 'Three']) await remind(ada, title, '2026-03-04T10:00')
  await using at = await shown(ada)
  const { page } = at
  await messages(page).getByText('3 reminders are due').waitFor()
  await messages(page).getByRole('button', { name: 'Show reminders' }).click()
  await page.waitForURL('**/reminders')
  await page.getByRole('heading', { name: 'Due now (3)' }).waitFor()
  await messages(page).getByText('3 reminders are due').waitFor({ state: 'detached' })
})

test('on Today, which lists what is due, its message goes by itself, and stands again on the next page', async () => {
  const ada = await client.h.signedIn()
  await remind(ada, 'Call Sam', '2026-03-04T10:00')
  await using at = await shown(ada, '/today')
  const { page } = at
  await said(page, 'Call Sam').waitFor()
  await page.getByRole('list', { name: 'Reminders due' }).getByText('Call Sam').waitFor()
  await said(page, 'Call Sam').waitFor({ state: 'detached' })
  await page.clock.install()
  await page.getByRole('link', { name: 'Todos' }).click()
  await said(page, 'Call Sam').waitFor()
  await page.getByRole('textbox', { name: 'Add a todo' }).fill('Milk')
  await page.keyboard.press('Enter')
  await messages(page).getByText('Added Milk').waitFor()
  await page.clock.fastForward(60_000)
  await messages(page).getByText('Added Milk').waitFor({ state: 'detached' })
  expect(await said(page, 'Call Sam').count()).toBe(1)
})
