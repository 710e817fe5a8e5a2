import { afterAll, beforeAll, expect } from 'bun:test'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { save, title, told } from '../../support/event-editor'
import { organiser } from '../../support/events'
import { type Client, eventually, eventuallyMatches, SCREENS, startClient } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const LUNCH = { title: 'Lunch', start_at: '2026-03-04T12:00:00', end_at: '2026-03-04T13:00:00' }

async function week(options: Parameters<Client['open']>[0] = {}) {
  const ada = await organiser(client.h, 'Europe/Berlin')
  const { id } = await ada.create(LUNCH)
  const { page, context } = await client.open({ as: ada, ...options })
  await page.goto('/calendar/week/2026-03-04')
  const event = page.getByRole('button', { name: /^(Lunch|Long lunch), Wednesday 4 March 2026/ })
  await event.waitFor()
  const dialog = page.getByRole('dialog', { name: 'Edit event' })
  return { ada, id, page, context, event, dialog }
}

test('an event opens over the calendar with an address of its own, and Back closes it where one was', async () => {
  const { id, page, context, event, dialog } = await week()
  const body = page.locator('.calendar-body')
  await body.evaluate((element) => element.setAttribute('data-same', 'yes'))
  await event.click()
  await dialog.waitFor()
  expect(new URL(page.url()).pathname).toBe(`/events/${id}`)
  expect(await axeProblems(page)).toEqual([])
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/calendar/week/2026-03-04')
  expect(await body.getAttribute('data-same')).toBe('yes')
  await eventually(() => event.evaluate((element) => element === document.activeElement), true)
  await page.goForward()
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/calendar/week/2026-03-04')
  await context.close()
})

test('a reload shows the event that was open over the calendar as a page', async () => {
  const { id, page, context, event, dialog } = await week()
  await event.click()
  await dialog.waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Edit event' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/events/${id}`)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { level: 1, name: '1–7 March 2026' }).waitFor()
  await context.close()
})

test('a new event is made over the calendar, by the key, with the day that has the focus', async () => {
  const { ada, page, context, dialog } = await week()
  await page.keyboard.press('c')
  const made = page.getByRole('dialog', { name: 'New event' })
  await made.waitFor()
  expect(new URL(page.url()).pathname).toBe('/events/new')
  await page.keyboard.type('Tea')
  await page.keyboard.press('ControlOrMeta+Enter')
  await made.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Tea, Wednesday 4 March 2026/ }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/calendar/week/2026-03-04')
  await eventuallyMatches(() => ada.list('2026-03-04', '2026-03-05'), [{ title: 'Tea' }, { title: 'Lunch' }])
  expect(await dialog.count()).toBe(0)
  await context.close()
})

test('a saved change shows before the service has answered, and is undone by Ctrl-Z', async () => {
  const { ada, id, page, context, event } = await week()
  const answer = Promise.withResolvers<void>()
  await page.route(`**/api/events/${id}`, async (route) => {
    await answer.promise
    await route.continue()
  })
  await event.click()
  await title(page).fill('Long lunch')
  await save(page)
  await page.getByRole('button', { name: /^Long lunch, / }).waitFor()
  answer.resolve()
  await eventuallyMatches(async () => (await ada.read(id)).body, { title: 'Long lunch' })
  await page.keyboard.press('ControlOrMeta+z')
  await page.getByRole('button', { name: /^Lunch, / }).waitFor()
  await told(page, 'Undone: Changed Long lunch')
  await eventuallyMatches(async () => (await ada.read(id)).body, { title: 'Lunch' })
  await context.close()
})

test('on a phone the event fills the screen and has no accessibility problem', async () => {
  const { page, context, event, dialog } = await week({ options: SCREENS.phone })
  await event.tap()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.waitFor()
  expect(await axeProblems(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await context.close()
})

test('what the service refuses is said in German, with its own sentence where there is no other', async () => {
  const { page, context } = await week({ options: { locale: 'en-GB' } })
  await page.evaluate(() => localStorage.setItem('language', 'de'))
  await page.goto('/settings/calendars')
  const refuse = (detail: string) =>
    page.route('**/api/calendars', (route) =>
      route.fulfill({ status: 409, contentType: 'application/json', body: JSON.stringify({ detail }) }),
    )
  await page.getByRole('textbox', { name: 'Name des neuen Kalenders' }).fill('Arbeit')
  await refuse('A calendar with this name exists')
  await page.getByRole('button', { name: 'Kalender anlegen' }).click()
  await page.getByText('Einen Kalender dieses Namens gibt es schon.').waitFor()
  await page.unrouteAll()
  await refuse('The moon is full')
  await page.getByRole('button', { name: 'Kalender anlegen' }).click()
  await page
    .getByText('Das passt nicht zu dem, was schon da ist. (Meldung des Dienstes: „The moon is full“)')
    .waitFor()
  await context.close()
})

test('an event that becomes a series while it is open has the focus afterwards', async () => {
  const { page, context, event, dialog } = await week()
  await event.focus()
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  await page.getByRole('combobox', { name: 'Repeat' }).selectOption({ label: 'Every Wednesday' })
  await save(page)
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Lunch, Wednesday 4 March 2026.*repeats/ }).waitFor()
  await eventually(() => page.evaluate(() => document.activeElement?.ariaLabel?.replace(/,.*/, '')), 'Lunch')
  await context.close()
})
