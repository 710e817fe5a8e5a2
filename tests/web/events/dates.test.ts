import { afterAll, beforeAll, beforeEach, expect } from 'bun:test'
import { test } from '../../support/browser'
import { startDate } from '../../support/event-editor'
import { createEvent } from '../../support/events'
import type { Actor } from '../../support/harness'
import { type Client, eventually, SCREENS, startClient } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin. (contract: web.dates)
let client: Client
let ada: Actor
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await client.h.signedIn()
  await ada.request('PUT', '/api/settings', { body: { time_zone: 'Europe/Berlin' } })
})

test("a day can be chosen in the browser's own calendar, by a button in the field and by Alt with the down arrow", async () => {
  const { page, context } = await client.open({ as: ada })
  await page.goto('/events/new?title=Walk')
  // The window of the browser cannot be seen: the call that opens it counts.
  await page.evaluate(() => {
    HTMLInputElement.prototype.showPicker = () => {
      document.title = `${document.title}+`
    }
  })
  const opened = async () => (await page.title()).match(/\+*$/)?.[0].length
  await page.getByRole('button', { name: 'Choose a date' }).first().click()
  expect(await opened()).toBe(1)
  await startDate(page).press('Alt+ArrowDown')
  expect(await opened()).toBe(2)
  await page.locator('input[type=date]').first().fill('2026-03-20')
  expect(await startDate(page).inputValue()).toBe('Fri 20 Mar 2026')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await eventually(async () => {
    const { body } = await ada.request('GET', '/api/events?from=2026-03-20&to=2026-03-21')
    return body.events.map(({ title }: { title: string }) => title)
  }, ['Walk'])
  await context.close()
})

test('where months come first, moving an event to another time leaves it on its day', async () => {
  const { id } = await createEvent(ada, {
    title: 'Lunch',
    start_at: '2026-03-05T12:30',
    end_at: '2026-03-05T13:15',
  })
  const { page, context } = await client.open({ as: ada, options: { ...SCREENS.phone, locale: 'en-US' } })
  await page.goto('/calendar/agenda/2026-03-04')
  await page.getByRole('button', { name: /^Lunch,/ }).tap()
  await page.getByRole('button', { name: 'Move…' }).tap()
  await page.getByRole('textbox', { name: 'Start time' }).fill('15:00')
  await page.getByRole('button', { name: 'Move', exact: true }).tap()
  await eventually(
    async () => (await ada.request('GET', `/api/events/${id}`)).body.start_at,
    '2026-03-05T15:00:00+01:00',
  )
  await context.close()
})
