import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { save, title } from '../../support/event-editor'
import { organiser } from '../../support/events'
import { type Client, eventuallyMatches, holdToDraw, startClient } from '../../support/web'

// What is new has an id of this device until the service answers. It is Wednesday 4 March 2026, 10:30 in Berlin.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

async function at(address: string) {
  const ada = await organiser(client.h, 'Europe/Berlin')
  const { page, context } = await client.open({ as: ada })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { ada, page, [Symbol.asyncDispose]: () => context.close() }
}

const goTo = (page: Page, place: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click()

test('the menu of a new calendar stays open when the service answers, and leads to its settings then', async () => {
  await using opened = await at('/settings/calendars')
  const { page } = opened
  const answer = await holdToDraw(page, '**/api/calendars')
  await page.getByRole('textbox', { name: 'Name of the new calendar' }).fill('Boat')
  await page.keyboard.press('Enter')
  await goTo(page, 'Calendar')
  await page.getByRole('button', { name: 'More actions for Boat' }).click()
  const only = page.getByRole('menuitem', { name: 'Only this one' })
  await only.waitFor()
  const settings = page.getByRole('menuitem', { name: 'Settings, import and export' })
  expect(await settings.isDisabled()).toBe(true)
  await answer()
  expect(await only.isVisible()).toBe(true)
  await settings.click()
  await page.getByRole('heading', { level: 1, name: 'Boat' }).waitFor()
})

test('the menu of a new template stays open when the service answers, and its dialog keeps what is typed', async () => {
  await using opened = await at('/events/new?from=2026-03-10T09:00&title=Retro')
  const { ada, page } = opened
  const answer = await holdToDraw(page, '**/api/event-templates')
  await page.getByRole('button', { name: 'Save as template' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Retro')
  await page.keyboard.press('Enter')
  await goTo(page, 'Settings')
  await page.getByRole('main').getByRole('link', { name: 'Calendars' }).click()
  await page.getByRole('button', { name: 'More actions for Retro' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const location = page.getByRole('textbox', { name: 'Location' })
  await location.fill('Room')
  await answer()
  await page.keyboard.type(' 3')
  expect(await location.inputValue()).toBe('Room 3')
  await save(page)
  await eventuallyMatches(
    async () => (await ada.request('GET', '/api/event-templates')).body.event_templates,
    [{ name: 'Retro', location: 'Room 3' }],
  )
})

test('a new event keeps the focus in the calendar, and who edits it goes on typing when the service answers', async () => {
  await using opened = await at('/calendar/week/2026-03-04')
  const { ada, page } = opened
  const answer = await holdToDraw(page, '**/api/events')
  const add = async (name: string) => {
    await page.keyboard.press('c')
    await title(page).fill(name)
    await save(page)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await add('Lunch')
  const event = page.getByRole('button', { name: /^Lunch,/ })
  await event.focus()
  await answer()
  expect(await event.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.unroute('**/api/events')

  const answerOther = await holdToDraw(page, '**/api/events')
  await add('Supper')
  await page.getByRole('button', { name: /^Supper,/ }).click()
  const location = page.getByRole('textbox', { name: 'Location' })
  await location.fill('At')
  await answerOther()
  await page.keyboard.type(' home')
  expect(await location.inputValue()).toBe('At home')
  await save(page)
  await eventuallyMatches(
    async () =>
      (
        await ada.request('GET', '/api/events?from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z')
      ).body.events.find((each: { title: string }) => each.title === 'Supper'),
    { location: 'At home' },
  )
})
