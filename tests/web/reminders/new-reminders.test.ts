import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { organiser } from '../../support/events'
import {
  type Client,
  eventually,
  eventuallyMatches,
  holdToDraw,
  passMinutes,
  startClient,
} from '../../support/web'

// A new reminder has an id of this device until the service answers.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

/** A page with a reminder "Book the ferry", and one for the same time that was just added, whose answer is held. */
async function adding(typed = 'Call Sam on Friday at 9') {
  const ada = await organiser(client.h, 'Europe/Berlin')
  const body = { title: 'Book the ferry', remind_at: '2026-03-06T09:00', time_zone: 'Europe/Berlin' }
  await ada.request('POST', '/api/reminders', { body })
  const { page, context } = await client.open({ as: ada })
  await page.goto('/reminders')
  await list(page).getByRole('link', { name: 'Book the ferry' }).waitFor()
  const answer = await holdToDraw(page, '**/api/reminders')
  await page.getByRole('textbox', { name: 'Add a reminder' }).fill(typed)
  await page.keyboard.press('Enter')
  await list(page).getByRole('link', { name: 'Call Sam' }).waitFor()
  const read = async () => (await ada.request('GET', '/api/reminders')).body.reminders
  return { page, answer, read, [Symbol.asyncDispose]: () => context.close() }
}

const list = (page: Page) => page.getByRole('list', { name: 'Reminders' })
const pane = (page: Page) => page.getByRole('complementary', { name: 'Reminder' })

test('a new reminder keeps its place and its open menu when the service answers', async () => {
  await using added = await adding()
  const { page, answer } = added
  await page.getByRole('button', { name: 'More actions for Call Sam' }).click()
  const edit = page.getByRole('menuitem', { name: 'Edit' })
  await edit.waitFor()
  const order = () => list(page).locator('a').allTextContents()
  expect(await order()).toEqual(['Book the ferry', 'Call Sam'])
  await answer()
  expect(await edit.isVisible()).toBe(true)
  expect(await order()).toEqual(['Book the ferry', 'Call Sam'])
  await edit.click()
  await pane(page).getByRole('heading', { name: 'Call Sam' }).waitFor()
})

test('who types in the details of a new reminder goes on typing when the service answers, and what is typed outlives a reload', async () => {
  await using added = await adding()
  const { page, answer, read } = added
  await list(page).getByRole('link', { name: 'Call Sam' }).click()
  const description = pane(page).getByRole('textbox', { name: 'Description' })
  await description.fill('About the boat')
  await answer()
  await page.keyboard.type(' again')
  expect(await description.inputValue()).toBe('About the boat again')
  const made = (await read()).find(({ title }: { title: string }) => title === 'Call Sam')
  await page.waitForURL(`**/reminders/${made.id}`)
  await page.reload()
  await eventually(() => description.inputValue(), 'About the boat again')
  await pane(page).getByRole('button', { name: 'Save' }).click()
  await eventuallyMatches(async () => (await read()).find(({ id }: { id: number }) => id === made.id), {
    description: 'About the boat again',
  })
})

const told = (tab: Page) =>
  tab.getByRole('region', { name: 'Messages' }).locator('.message', { hasText: 'Reminder: Call Sam' })

/** Another page, which tells of a reminder that was just added and is due, whose answer is held. */
async function addingDue() {
  const added = await adding('Call Sam at 10:31')
  const { page } = added
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  await passMinutes(page, 2)
  await told(page).waitFor()
  return added
}

test('a new reminder that is due is told once, and not again when the service answers', async () => {
  await using added = await addingDue()
  const { page, answer } = added
  await told(page).evaluate((message) => message.setAttribute('data-first', ''))
  await answer()
  expect(await told(page).count()).toBe(1)
  expect(await told(page).getAttribute('data-first')).toBe('')
})

test('a new reminder whose message was dismissed stays so when the service answers', async () => {
  await using added = await addingDue()
  const { page, answer } = added
  await told(page).getByRole('button', { name: 'Dismiss' }).click()
  await told(page).waitFor({ state: 'detached' })
  await answer()
  expect(await told(page).count()).toBe(0)
})

test('the message of a reminder that was new here is dismissed in other tabs, too', async () => {
  await using added = await addingDue()
  const { page, answer } = added
  await answer()
  const other = await page.context().newPage()
  await other.goto('/settings/appearance')
  await other.getByRole('heading', { level: 1 }).waitFor()
  await passMinutes(other, 2)
  await told(other).waitFor()
  await told(page).getByRole('button', { name: 'Dismiss' }).click()
  await told(other).waitFor({ state: 'detached' })
})
