import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { title, save, told } from '../../support/event-editor'
import { organiser } from '../../support/events'
import { type Client, eventuallyMatches, startClient } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

async function open(event: Record<string, unknown>) {
  const ada = await organiser(client.h, 'Europe/Berlin')
  const made = await ada.create(event)
  const { page, context } = await client.open({ as: ada })
  return {
    ada,
    made,
    page,
    read: async () => (await ada.read(made.id)).body,
    [Symbol.asyncDispose]: () => context.close(),
  }
}

const history = (page: Page) => page.getByRole('dialog', { name: /^History of / })
const lines = async (page: Page) => {
  await history(page).getByRole('heading', { level: 3 }).first().waitFor()
  return history(page).locator('.history-version').allInnerTexts()
}

test('the history of an event says what changed from what to what, and brings a former version back, which can be undone', async () => {
  await using opened = await open({
    title: 'Choir',
    start_at: '2026-03-10T18:00:00',
    end_at: '2026-03-10T19:00:00',
  })
  const { ada, made, page, read } = opened
  await ada.request('PUT', `/api/events/${made.id}`, { body: { title: 'Band', location: 'Cellar' } })
  await ada.request('PUT', `/api/events/${made.id}`, {
    body: { start_at: '2026-03-11T18:00:00', end_at: '2026-03-11T19:00:00', reminder_minutes: 30 },
  })
  await page.goto(`/events/${made.id}`)
  await page.getByRole('button', { name: 'History' }).click()
  const [third, second, first] = await lines(page)
  expect(third).toContain('Time: from “10 Mar 2026, 18:00')
  expect(third).toContain('Reminder: set to “30”')
  expect(second).toContain('Title: from “Choir” to “Band”')
  expect(second).toContain('Location: set to “Cellar”')
  expect(first).toContain('Made')
  await history(page).getByText('As it is now').waitFor()
  await page
    .getByRole('button', { name: /^Bring back the version of Wednesday 4 March 2026, / })
    .last()
    .click()
  await told(page, 'Brought back Band as of Wednesday 4 March 2026, ')
  await eventuallyMatches(read, {
    title: 'Choir',
    location: null,
    start_at: made.start_at,
    reminder_minutes: null,
  })
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventuallyMatches(read, { title: 'Band', location: 'Cellar', reminder_minutes: 30 })
})

test('a former version comes back beside what somebody else changed meanwhile', async () => {
  await using opened = await open({
    title: 'Choir',
    start_at: '2026-03-10T18:00:00',
    end_at: '2026-03-10T19:00:00',
  })
  const { ada, made, page, read } = opened
  await ada.request('PUT', `/api/events/${made.id}`, { body: { title: 'Band' } })
  await page.goto(`/events/${made.id}`)
  await page.getByRole('button', { name: 'History' }).click()
  await lines(page)
  await ada.request('PUT', `/api/events/${made.id}`, { body: { location: 'Cellar' } })
  await page.getByRole('button', { name: /^Bring back/ }).click()
  await eventuallyMatches(read, { title: 'Choir', location: 'Cellar' })
})

test('of a series that was opened by an occurrence the whole series comes back', async () => {
  await using opened = await open({
    title: 'Band',
    recurrence_rule: 'FREQ=WEEKLY;COUNT=3',
    start_at: '2026-03-10T18:00:00',
    end_at: '2026-03-10T19:00:00',
  })
  const { ada, made, page, read } = opened
  await ada.request('PUT', `/api/events/${made.id}`, {
    body: {
      title: 'Choir',
      recurrence_rule: 'FREQ=DAILY;COUNT=3',
      start_at: '2026-03-10T20:00:00',
      end_at: '2026-03-10T21:00:00',
    },
  })
  await page.goto(`/events/${made.id}?occurrence=2026-03-11T20:00:00%2B01:00`)
  await page.getByRole('button', { name: 'History' }).click()
  expect((await lines(page))[0]).toContain('Repeat: from “every week, 3 times” to “every day, 3 times”')
  await page.getByRole('button', { name: /^Bring back/ }).click()
  await eventuallyMatches(read, {
    title: 'Band',
    recurrence_rule: 'FREQ=WEEKLY;COUNT=3',
    start_at: made.start_at,
  })
})

test('a history that cannot be read says so and is read again, and one of a single version says that there is no other', async () => {
  await using opened = await open({
    title: 'Choir',
    start_at: '2026-03-10T18:00:00',
    end_at: '2026-03-10T19:00:00',
  })
  const { made, page } = opened
  await page.goto(`/events/${made.id}`)
  await title(page).waitFor()
  await page.route('**/history', (route) => route.fulfill({ status: 500, json: { detail: 'x' } }), {
    times: 1,
  })
  await page.getByRole('button', { name: 'History' }).press('Enter')
  await history(page).getByRole('alert').getByText('The history could not be read.').waitFor()
  await history(page).getByRole('button', { name: 'Try again' }).press('Enter')
  await history(page).getByText('No other version is kept.').waitFor()
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('History')
  await title(page).fill('Band')
  await save(page)
})
