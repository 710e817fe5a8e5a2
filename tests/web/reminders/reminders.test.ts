import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import type { Actor } from '../../support/harness'
import { type Client, eventually, eventuallyMatches, SCREENS, startClient, tryAgain } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin. (contract: web.reminders)
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

async function signedIn(): Promise<Actor> {
  const actor = await client.h.signedIn()
  await actor.request('PUT', '/api/settings', { body: { time_zone: 'Europe/Berlin', first_day_of_week: 1 } })
  return actor
}

const remind = async (actor: Actor, title: string, more: object = {}): Promise<number> =>
  (await actor.request('POST', '/api/reminders', { body: { title, time_zone: 'Europe/Berlin', ...more } }))
    .body.id

const read = (actor: Actor, id: number) =>
  actor.request('GET', `/api/reminders/${id}`).then(({ body }) => body)

/** Somebody with a reminder of each kind. */
async function reminded() {
  const ada = await signedIn()
  const due = await remind(ada, 'Call Sam', { remind_at: '2026-03-04T10:00' })
  const next = await remind(ada, 'Book the ferry', { remind_at: '2026-03-06T09:00' })
  const snoozed = await remind(ada, 'Water the plants', { remind_at: '2026-03-04T09:00' })
  await ada.request('PUT', `/api/reminders/${snoozed}/snooze`, { body: { minutes: 90 } })
  const done = await remind(ada, 'Pay rent', { remind_at: '2026-03-01T09:00' })
  await ada.request('PUT', `/api/reminders/${done}/dismiss`)
  const off = await remind(ada, 'Old habit', { remind_at: '2026-03-02T09:00', is_active: false })
  const timeless = await remind(ada, 'Some day')
  return { ada, due, next, snoozed, done, off, timeless }
}

async function shown(as: Actor, address = '/reminders', options = {}) {
  const { page, context } = await client.open({ as, options })
  await page.goto(address)
  return { page, context, [Symbol.asyncDispose]: () => context.close() }
}

const list = (page: Page) => page.getByRole('list', { name: 'Reminders' })
const line = (page: Page, title: string) => list(page).getByRole('listitem').filter({ hasText: title })
const choose = async (page: Page, item: string) => page.getByRole('menuitem', { name: item }).click()

test('the reminders stand in groups: due, upcoming, snoozed, without a time, switched off and done', async () => {
  const { ada } = await reminded()
  await using at = await shown(ada)
  const { page } = at
  await page.getByText('6 reminders').waitFor()
  expect(await list(page).getByRole('heading').allTextContents()).toEqual([
    'Due now (1)', 'Upcoming (1)', 'Snoozed (1)', 'Without a time (1)', 'Switched off (1)', 'Done (1)',
  ]) // prettier-ignore
  expect(await list(page).getByRole('link').allTextContents()).toEqual([
    'Call Sam', 'Book the ferry', 'Water the plants', 'Some day', 'Old habit', 'Pay rent',
  ]) // prettier-ignore
  await line(page, 'Book the ferry').getByText('Fri 6 Mar, 09:00').waitFor()
  expect(await axeProblems(page)).toEqual([])
})

test('a line becomes a reminder at the time that it names, and the focus stays in the field', async () => {
  const ada = await signedIn()
  await using at = await shown(ada)
  const { page } = at
  await page.getByText('Nothing to be reminded of').waitFor()
  const field = page.getByRole('textbox', { name: 'Add a reminder' })
  await field.fill('Call the dentist on Friday at 9')
  await field.press('Enter')
  await line(page, 'Call the dentist').getByText('Fri 6 Mar, 09:00').waitFor()
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
  await eventuallyMatches(
    async () => (await ada.request('GET', '/api/reminders')).body.reminders,
    [{ title: 'Call the dentist', remind_at: '2026-03-06T09:00:00+01:00' }],
  )
})

test('a due reminder is snoozed and marked as done in its line, and Undo takes it back', async () => {
  const { ada, due } = await reminded()
  await using at = await shown(ada)
  const { page } = at
  await line(page, 'Call Sam').getByRole('button', { name: 'Snooze' }).click()
  await choose(page, '1 hour')
  await list(page).getByRole('heading', { name: 'Snoozed (2)' }).waitFor()
  await eventually(async () => (await read(ada, due)).snoozed_until !== null, true)
  await page.getByRole('button', { name: 'Undo' }).click()
  await list(page).getByRole('heading', { name: 'Due now (1)' }).waitFor()
  await eventually(async () => (await read(ada, due)).snoozed_until, null)
  await line(page, 'Call Sam').getByRole('button', { name: 'Mark as done' }).click()
  await list(page).getByRole('heading', { name: 'Done (2)' }).waitFor()
  await eventually(async () => (await read(ada, due)).is_dismissed, true)
})

test('until tomorrow is until the user’s day begins', async () => {
  const { ada, due } = await reminded()
  await using at = await shown(ada)
  await line(at.page, 'Call Sam').getByRole('button', { name: 'Snooze' }).click()
  await choose(at.page, 'Tomorrow')
  await eventually(async () => (await read(ada, due)).snoozed_until, '2026-03-05T09:00:00+01:00')
})

test('a reminder that repeats and is done says when it comes again', async () => {
  const ada = await signedIn()
  await remind(ada, 'Bins', { remind_at: '2026-03-04T08:00', recurrence_rule: 'FREQ=WEEKLY;BYDAY=WE' })
  await using at = await shown(ada)
  await line(at.page, 'Bins').getByRole('button', { name: 'Mark as done' }).click()
  await at.page.getByText('Bins comes again: Wed 11 Mar, 08:00').waitFor()
  await list(at.page).getByRole('heading', { name: 'Upcoming (1)' }).waitFor()
})

test('every field of a reminder can be changed beside the list, with its repetition and its zone', async () => {
  const { ada, next } = await reminded()
  await using at = await shown(ada)
  const { page } = at
  await list(page).getByRole('link', { name: 'Book the ferry' }).click()
  await page.waitForURL(`**/reminders/${next}`)
  const pane = page.getByRole('complementary', { name: 'Reminder' })
  await pane.getByLabel('Title').fill('Book the night ferry')
  await pane.getByRole('textbox', { name: 'Date' }).fill('2026-03-07')
  await pane.getByRole('combobox', { name: 'Time', exact: true }).fill('21:15')
  await pane.getByLabel('Repeat').selectOption({ label: 'Every Saturday' })
  const zone = pane.getByRole('combobox', { name: 'Time zone' })
  await zone.fill('New York')
  await zone.blur()
  await pane.getByLabel('Description').fill('Cabin with a window')
  expect(await axeProblems(page)).toEqual([])
  await pane.getByRole('button', { name: 'Save' }).click()
  await line(page, 'Book the night ferry').getByText('Sun 8 Mar, 03:15').waitFor()
  await eventuallyMatches(() => read(ada, next), {
    title: 'Book the night ferry',
    description: 'Cabin with a window',
    remind_at: '2026-03-08T03:15:00+01:00',
    recurrence_rule: 'FREQ=WEEKLY;BYDAY=SA',
    time_zone: 'America/New_York',
  })
  await pane.getByRole('switch', { name: 'Active' }).click()
  await eventually(async () => (await read(ada, next)).is_active, false)
  await page.keyboard.press('Escape')
  await page.waitForURL('**/reminders')
})

test('what cannot be read is said at its field, and nothing is sent', async () => {
  const { ada, next } = await reminded()
  await using at = await shown(ada, `/reminders/${next}`)
  const { page } = at
  await page.getByRole('textbox', { name: 'Date' }).fill('someday')
  await page.getByLabel('Title').fill(' ')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This is not a date.').waitFor()
  await page.getByText('Fill this in.').waitFor()
  expect((await read(ada, next)).version).toBe(1)
})

test('what the service refuses stands in the form again, with what was typed', async () => {
  const { ada, next } = await reminded()
  await using at = await shown(ada, `/reminders/${next}`)
  const { page } = at
  const errors = [{ field: 'body.title', message: 'must not be empty' }]
  await page.route('**/api/reminders/*', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 422, json: { detail: 'x', errors } })
      : route.continue(),
  )
  await page.getByLabel('Title').fill('Typed')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('[aria-invalid=true]').waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('Typed')
})

test('by keyboard a reminder is reached, opened, closed and deleted, and the focus is never lost', async () => {
  const { ada, next } = await reminded()
  await using at = await shown(ada)
  const { page } = at
  await list(page).getByRole('checkbox', { name: 'Call Sam' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('e')
  await page.waitForURL(`**/reminders/${next}`)
  await page.keyboard.press('Escape')
  await page.waitForURL('**/reminders')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await eventually(focused, 'Book the ferry')
  await page.keyboard.press('Delete')
  await eventually(focused, 'Water the plants')
  await eventually(async () => (await ada.request('GET', `/api/reminders/${next}`)).status, 404)
  await page.keyboard.press('Control+z')
  await line(page, 'Book the ferry').waitFor()
  await eventually(async () => (await ada.request('GET', `/api/reminders/${next}`)).status, 200)
})

test('on a phone a reminder is a page, which Back closes, and one that is gone says so', async () => {
  const { ada, due } = await reminded()
  await using at = await shown(ada, '/reminders', SCREENS.phone)
  const { page } = at
  await list(page).getByRole('link', { name: 'Call Sam' }).tap()
  await page.getByRole('heading', { level: 1, name: 'Call Sam' }).waitFor()
  await page.getByText(/^Due since Today, 10:00/).waitFor()
  await page.goBack()
  await list(page).waitFor()
  await page.goto('/reminders/999999')
  await page.getByRole('heading', { level: 1, name: 'This is gone' }).waitFor()
  await page.goto(`/reminders/${due}`)
  await page.getByRole('heading', { level: 1, name: 'Call Sam' }).waitFor()
})

test('reminders that could not be read never look like none', async () => {
  const { ada } = await reminded()
  const { page, context } = await client.open({ as: ada })
  await page.route('**/api/changes?*types=reminder*', (route) =>
    route.fulfill({ status: 500, json: { detail: 'x' } }),
  )
  await page.goto('/reminders')
  await page.getByText('The reminders could not be read.').waitFor()
  expect(await page.getByText('Nothing to be reminded of').count()).toBe(0)
  await tryAgain(page, '**/api/changes?*types=reminder*')
  await line(page, 'Call Sam').waitFor()
  await context.close()
})
