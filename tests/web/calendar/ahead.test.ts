import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page, Route } from 'playwright-core'
import { test } from '../../support/browser'
import { createEvent } from '../../support/events'
import type { Actor } from '../../support/harness'
import { type Client, drawn, eventually, hold, startClient } from '../../support/web'

let client: Client
let ada: Actor
let lunch: number
beforeAll(async () => {
  client = await startClient()
  ada = await client.h.signedIn()
  await ada.request('PUT', '/api/settings', { body: { time_zone: 'Europe/Berlin', first_day_of_week: 1 } })
  const event = (title: string, day: string) =>
    createEvent(ada, { title, start_at: `${day}T12:00`, end_at: `${day}T13:00` })
  lunch = (await event('Lunch', '2026-03-04')).id
  await event('Dinner', '2026-03-05')
  await event('Party', '2026-03-20')
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

/** Holds back every answer about a whole month until it is called. */
async function holdMonths(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = []
  let isHeld = true
  await page.route(/\/api\/events\?from=\d+-\d+-01&/, (route) => {
    if (isHeld) held.push(route)
    else void route.continue()
  })
  return async () => {
    isHeld = false
    await Promise.all(held.map((route) => route.continue()))
  }
}

const shown = (page: Page, title: string) => page.getByRole('button', { name: new RegExp(`^${title}`) })

test('a week stands before the rest of its month has come, and what changes meanwhile shows', async () => {
  const { page, context } = await client.open({ as: ada })
  const release = await holdMonths(page)
  await page.goto('/calendar/week/2026-03-04')
  await page.locator('.calendar-body:not([data-loading])').waitFor()
  await shown(page, 'Dinner').waitFor()
  await page.getByRole('status', { name: 'Connection' }).waitFor({ state: 'attached' })
  await ada.request('DELETE', `/api/events/${lunch}`)
  await shown(page, 'Lunch').waitFor({ state: 'detached' })
  await shown(page, 'Dinner').waitFor()
  await release()
  await page.keyboard.press('m')
  await shown(page, 'Party').waitFor()
  expect(await shown(page, 'Lunch').count()).toBe(0)
  await context.close()
})

test('the rest of the month is asked for once the todos of the week are there, and at once where somebody looks at it', async () => {
  const { page, context } = await client.open({ as: ada })
  const asked: string[] = []
  page.on('request', (request) => {
    const { searchParams } = new URL(request.url())
    if (/from=\d+-\d+-01&/.test(request.url())) asked.push(searchParams.get('from') ?? '')
  })
  const release = await hold(page, '**/api/changes?*types=todo&*')
  await page.goto('/calendar/week/2026-03-04')
  await shown(page, 'Dinner').waitFor()
  await drawn(page)
  expect(asked).toEqual([])
  await page.keyboard.press('j')
  await page.getByRole('heading', { level: 1, name: '9–15 March 2026' }).waitFor()
  await eventually(async () => asked.includes('2026-03-01'), true)
  release()
  await page.locator('.calendar-body:not([data-loading])').waitFor()
  await eventually(async () => asked.toSorted(), ['2026-02-01', '2026-03-01', '2026-04-01'])
  await context.close()
})

test('an event that is made before the month has come stays', async () => {
  const { page, context } = await client.open({ as: ada })
  const release = await holdMonths(page)
  await page.goto('/calendar/week/2026-03-04')
  await shown(page, 'Dinner').waitFor()
  await page.keyboard.press('q')
  await page.getByRole('dialog').getByRole('textbox').fill('Coffee 2026-03-06 15:00')
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.keyboard.press('Enter'),
  ])
  expect(answer.status()).toBe(201)
  await shown(page, 'Coffee').waitFor()
  await release()
  await page.keyboard.press('m')
  await shown(page, 'Party').waitFor()
  await shown(page, 'Coffee').waitFor()
  await context.close()
})
