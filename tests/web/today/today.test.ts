import { afterAll, beforeAll, expect } from 'bun:test'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { createEvent } from '../../support/events'
import type { Actor } from '../../support/harness'
import { type Client, eventually, SCREENS, startClient } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin. (contract: web.today)
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

/** Somebody with lunch today, a fair that goes on, and three todos: overdue, due today and due later. */
async function busy(): Promise<Actor> {
  const ada = await signedIn()
  await createEvent(ada, { title: 'Lunch', start_at: '2026-03-04T12:30', end_at: '2026-03-04T13:15' })
  await createEvent(ada, { title: 'Fair', all_day: true, start_date: '2026-03-02', end_date: '2026-03-06' })
  await createEvent(ada, { title: 'Party', start_at: '2026-03-06T20:00', end_at: '2026-03-06T23:00' })
  for (const [title, due_date] of [
    ['Renew the card', '2026-02-27'],
    ['Pay rent', '2026-03-04'],
    ['Book the ferry', '2026-03-06'],
  ])
    await ada.request('POST', '/api/todos', { body: { title, due_date } })
  return ada
}

async function shown(as: Actor, address = '/today', options = {}) {
  const { page, context } = await client.open({ as, options })
  await page.goto(address)
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

test('Today greets with the date and shows the events of the day, and what is overdue and due', async () => {
  const ada = await busy()
  await ada.request('PUT', '/api/settings', { body: { preferred_name: 'Ada L.' } })
  await using at = await shown(ada)
  const { page } = at
  await page.getByText('Good morning, Ada L. It is Wednesday 4 March 2026.', { exact: true }).waitFor()
  const events = page.getByRole('list', { name: 'Events' })
  await events
    .getByRole('button', { name: 'Lunch, Wednesday 4 March 2026, 12:30 to 13:15, Personal' })
    .waitFor()
  expect(await events.getByRole('button').count()).toBe(2)
  await page
    .getByRole('list', { name: 'Overdue' })
    .getByRole('checkbox', { name: 'Renew the card' })
    .waitFor()
  await page.getByRole('list', { name: 'Due today' }).getByRole('checkbox', { name: 'Pay rent' }).waitFor()
  expect(await page.getByText(/Party|Book the ferry|Nothing planned/).count()).toBe(0)
  expect(await axeProblems(page)).toEqual([])
  await events.getByRole('button', { name: /^Lunch/ }).click()
  await page.waitForURL('**/events/*')
})

test('where nothing is planned, what is due in the next seven days stands below its day, and can be ticked there', async () => {
  const ada = await signedIn()
  await ada.request('POST', '/api/todos', { body: { title: 'Buy bread', due_date: '2026-03-05' } })
  await createEvent(ada, { title: 'Party', start_at: '2026-03-06T20:00', end_at: '2026-03-06T23:00' })
  await using at = await shown(ada)
  const tomorrow = at.page.getByRole('list', { name: /5 March/ })
  await at.page.getByText('Nothing planned').waitFor()
  await tomorrow.getByRole('checkbox', { name: 'Buy bread' }).click()
  await tomorrow.getByRole('checkbox', { name: 'Buy bread', checked: true }).waitFor()
  await at.page
    .getByRole('list', { name: /6 March/ })
    .getByRole('button', { name: /^Party/ })
    .waitFor()
})

test('a list of Today shows ten lines, and all when they are asked for, with the focus on the next one', async () => {
  const ada = await busy()
  for (let place = 1; place <= 12; place++)
    await ada.request('POST', '/api/todos', { body: { title: `Chore ${place}`, due_date: '2026-03-04' } })
  await using at = await shown(ada)
  const boxes = at.page.getByRole('list', { name: 'Due today' }).getByRole('checkbox')
  const more = at.page.getByRole('button', { name: 'Show all 13' })
  await more.waitFor()
  expect(await boxes.count()).toBe(10)
  await more.press('Enter')
  await boxes.nth(12).waitFor()
  expect(await boxes.nth(10).evaluate((box) => box === document.activeElement)).toBe(true)
  expect(await more.count()).toBe(0)
})

test('a day that grows while it is read pushes nothing away', async () => {
  const ada = await busy()
  for (let place = 1; place <= 30; place++)
    await ada.request('POST', '/api/todos', { body: { title: `Chore ${place}`, due_date: '2026-03-03' } })
  for (const options of [SCREENS.desktop, SCREENS.phone]) {
    await using at = await shown(ada, '/no/such/place', options)
    const { page } = at
    await page.addInitScript(() => {
      const moved = { by: 0 }
      Object.assign(globalThis, { moved })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as { value: number }[]) moved.by += entry.value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto('/today')
    await page.getByRole('button', { name: 'Show all 31' }).waitFor()
    await page.getByRole('heading', { name: 'Second step' }).waitFor()
    const by = await page.evaluate(() => (globalThis as unknown as { moved: { by: number } }).moved.by)
    // Cumulative layout shift, of which web.dev calls 0.1 good.
    expect(by).toBeLessThan(0.1)
  }
})

test('what one ticks stays in its list with the focus, and is done', async () => {
  const ada = await busy()
  await using at = await shown(ada)
  const { page } = at
  const card = page.getByRole('checkbox', { name: 'Renew the card' })
  await card.focus()
  await page.keyboard.press('Space')
  await page.getByText('Marked Renew the card as done').waitFor()
  expect(await card.isChecked()).toBe(true)
  expect(await card.evaluate((box) => box === document.activeElement)).toBe(true)
  await page.reload()
  await page.getByRole('checkbox', { name: 'Pay rent' }).waitFor()
  expect(await card.count()).toBe(0)
})

test('where nothing is planned, Today says so, offers three lines, has the focus in the field and shows what comes', async () => {
  const ada = await signedIn()
  await createEvent(ada, { title: 'Party', start_at: '2026-03-06T20:00', end_at: '2026-03-06T23:00' })
  await using at = await shown(ada, '/today', SCREENS.phone)
  const { page } = at
  await page.getByText('Nothing planned').waitFor()
  await page
    .getByRole('list', { name: 'Friday 6 March' })
    .getByRole('button', { name: /^Party/ })
    .waitFor()
  const field = page.getByRole('textbox', { name: 'What do you want to add?' })
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await axeProblems(page)).toEqual([])
  const examples = page.getByRole('list', { name: 'Examples' }).getByRole('button')
  expect(await examples.count()).toBe(3)
  const line = await examples.first().textContent()
  await examples.first().click()
  expect(await field.inputValue()).toBe(line ?? '')
})

test('a day that could not be read never looks empty, and another day shows by its address', async () => {
  const ada = await busy()
  await using at = await shown(ada, '/today?date=2026-03-06')
  const { page } = at
  await page
    .getByRole('list', { name: 'Events' })
    .getByRole('button', { name: /^Party/ })
    .waitFor()
  await page.getByText('Friday 6 March 2026', { exact: true }).waitFor()
  await page.route('**/api/events?*', (route) => route.abort())
  await page.goto('/today')
  await page.getByRole('button', { name: 'Try again' }).first().waitFor()
  expect(await page.getByText('Nothing planned').count()).toBe(0)
})

test('beside the day stand birthdays, tracked tasks, what is unread and the way to the weather', async () => {
  const ada = await busy()
  await ada.request('POST', '/api/people', { body: { first_name: 'Grace', birthday: '1986-03-07' } })
  const project = await ada.request('POST', '/api/projects', { body: { name: 'Boat', is_tracked: true } })
  await ada.request('POST', `/api/projects/${project.body.id}/tasks`, {
    body: { title: 'Sand the hull', due_date: '2026-03-06' },
  })
  await using at = await shown(ada)
  const { page } = at
  const beside = page.getByRole('complementary', { name: 'Beside the day' })
  await beside.getByRole('list', { name: 'Birthdays' }).getByText('turns 40').waitFor()
  await beside.getByRole('checkbox', { name: 'Sand the hull' }).waitFor()
  await beside.getByRole('link', { name: 'Choose a place' }).waitFor()
  expect(await axeProblems(page)).toEqual([])
})

test('a due reminder is marked as done on Today', async () => {
  const ada = await signedIn()
  const { body } = await ada.request('POST', '/api/reminders', {
    body: { title: 'Call Sam', remind_at: '2026-03-04T10:00', time_zone: 'Europe/Berlin' },
  })
  await using at = await shown(ada)
  const due = at.page.getByRole('list', { name: 'Reminders due' })
  await due.getByRole('button', { name: 'Mark as done' }).click()
  await due.waitFor({ state: 'detached' })
  const isOver = async () => (await ada.request('GET', `/api/reminders/${body.id}`)).body.is_dismissed
  await eventually(isOver, true)
})

test('the weather fails alone, and shows when it is tried again', async () => {
  const ada = await busy()
  await ada.request('PUT', '/api/settings', {
    body: { weather_city: 'Berlin', weather_lat: 52.5, weather_lon: 13.4 },
  })
  const { page, context } = await client.open({ as: ada })
  await page.route('**/api/weather', (route) => route.fulfill({ status: 502, json: { detail: 'x' } }))
  await page.goto('/today')
  await page.getByRole('heading', { name: 'Weather in Berlin' }).waitFor()
  await page.getByText('The weather service did not answer.').waitFor()
  await page.getByRole('checkbox', { name: 'Pay rent' }).waitFor()
  await context.close()
})

test('the second step is offered until it is dismissed', async () => {
  await using at = await shown(await signedIn())
  const { page } = at
  const steps = page.getByRole('list', { name: 'Second step' })
  await steps.getByRole('link', { name: 'Import a calendar' }).waitFor()
  await page.getByRole('region', { name: 'Second step' }).getByRole('button', { name: 'Dismiss' }).click()
  await steps.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await page.reload()
  await page.getByRole('complementary', { name: 'Beside the day' }).waitFor()
  expect(await steps.count()).toBe(0)
})
