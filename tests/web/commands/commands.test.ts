import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { createEvent } from '../../support/events'
import type { Actor } from '../../support/harness'
import { createTodo } from '../../support/records'
import { type Client, SCREENS, startClient } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin. (contract: web.palette)
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

async function shown(as: Actor, address = '/today', options = {}) {
  const { page, context } = await client.open({ as, options })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

const palette = (page: Page) => page.getByRole('dialog', { name: 'Commands' })
const field = (page: Page) => palette(page).getByRole('combobox', { name: 'Type a command or search' })
const options = (page: Page) => palette(page).getByRole('listbox').getByRole('option')
/** The option that Enter runs. */
const active = (page: Page) =>
  field(page).evaluate((input) => {
    const id = input.getAttribute('aria-activedescendant') ?? ''
    return document.getElementById(id)?.querySelector('.commands-label')?.textContent
  })

async function open(page: Page, key = 'Control+k') {
  await page.keyboard.press(key)
  await field(page).waitFor()
}

async function run(page: Page, typed: string) {
  await open(page)
  await page.keyboard.type(typed)
  await page.keyboard.press('Enter')
  await palette(page).waitFor({ state: 'detached' })
}

/** Waits for a dialog and closes it. Leaving its address takes a moment, in which it hears the keys. */
async function closeOnceOpen(page: Page, name: string) {
  const dialog = page.getByRole('dialog', { name })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

test('the palette holds every place, creation, view and theme, lock, sign out and shortcuts, with their keys', async () => {
  const ada = await client.h.signedIn()
  await using opened = await shown(ada, '/settings/data')
  const { page } = opened
  await open(page, '/')
  const all = await options(page).locator('.commands-label').allTextContents()
  expect(all).toEqual(
    expect.arrayContaining([
      'New event', 'New todo', 'New reminder', 'Quick add', 'Today', 'Calendar', 'Settings', 'Search', 'Day', 'Week', 'Month',
      'Agenda', 'System theme', 'Light theme', 'Dark theme', 'Lock', 'Sign out', 'Keyboard shortcuts', 'Settings: Appearance',
      'Undo the last change',
    ]),
  ) // prettier-ignore
  expect(new Set(all).size).toBe(all.length)
  expect(all.length).toBeLessThanOrEqual(200)
  const keysOf = (name: string) =>
    options(page)
      .filter({ hasText: new RegExp(`^${name}`) })
      .first()
      .locator('.commands-keys')
      .allTextContents()
  expect(await keysOf('Calendar')).toEqual(['GthenC'])
  expect(await keysOf('Lock')).toEqual(['GthenL'])
  expect(await keysOf('New event')).toEqual(['C'])
  expect(await keysOf('Week')).toEqual([])
  expect(await options(page).filter({ hasText: 'Lock' }).getAttribute('aria-selected')).toBe('false')
  expect(await axeProblems(page)).toEqual([])
})

test('a command is found by typing, run by Enter, and the first letters are not lost', async () => {
  const ada = await client.h.signedIn()
  await using opened = await shown(ada)
  const { page } = opened
  await run(page, 'data')
  await page.getByRole('heading', { level: 1, name: 'Data' }).waitFor()
  await run(page, 'dark')
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  expect(await page.getByRole('heading', { level: 1, name: 'Data' }).count()).toBe(1)
  await run(page, 'month')
  await page.getByRole('heading', { level: 1, name: 'March 2026' }).waitFor()
  await run(page, 'new ev')
  await closeOnceOpen(page, 'New event')
  await run(page, 'new todo')
  await closeOnceOpen(page, 'Quick add')
  await run(page, 'lock')
  await page.getByRole('heading', { name: 'Locked' }).waitFor()
})

test('on the page of the calendar the views keep its date, and its own keys are commands too', async () => {
  const ada = await client.h.signedIn()
  await using opened = await shown(ada, '/calendar/week/2026-06-10')
  const { page } = opened
  await open(page)
  expect(
    await options(page)
      .filter({ hasText: /^Month/ })
      .locator('kbd')
      .allTextContents(),
  ).toEqual(['M'])
  await page.keyboard.press('Escape')
  await palette(page).waitFor({ state: 'detached' })
  await run(page, 'month')
  await page.waitForURL('**/calendar/month/2026-06-10')
  await run(page, 'next')
  await page.getByRole('heading', { level: 1, name: 'July 2026' }).waitFor()
})

test('arrows go round the options, the pointer chooses one, and Escape gives the focus back', async () => {
  const ada = await client.h.signedIn()
  await using opened = await shown(ada, '/settings/data')
  const { page } = opened
  const control = page.getByRole('switch', { name: 'Keep a copy on this device' })
  await control.focus()
  await open(page)
  const first = await active(page)
  await page.keyboard.press('ArrowUp')
  const last = await active(page)
  expect(last).not.toBe(first)
  await page.keyboard.press('ArrowDown')
  expect(await active(page)).toBe(first)
  await page.keyboard.type('zzz')
  await palette(page).getByText('Search everywhere for “zzz”').waitFor()
  await page.keyboard.press('Escape')
  await palette(page).waitFor({ state: 'detached' })
  expect(await control.evaluate((element) => element === document.activeElement)).toBe(true)
  await open(page)
  await options(page).filter({ hasText: 'Dark theme' }).click()
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  expect(await control.evaluate((element) => element === document.activeElement)).toBe(true)
})

test('what a search finds stands among the options: events open at their next occurrence, the rest at its page', async () => {
  const ada = await client.h.signedIn()
  await ada.request('PUT', '/api/settings', { body: { time_zone: 'Europe/Berlin' } })
  const series = {
    title: 'Lantern walk',
    start_at: '2026-02-04T18:00',
    end_at: '2026-02-04T19:00',
    recurrence_rule: 'FREQ=WEEKLY',
  }
  await createEvent(ada, series)
  const todo = await createTodo(ada, { title: 'Buy lanterns' })
  await using opened = await shown(ada)
  const { page } = opened
  await open(page)
  await page.keyboard.type('lantern')
  await options(page).filter({ hasText: 'Buy lanterns' }).waitFor()
  expect(await options(page).allTextContents()).toEqual([
    'Lantern walkEvent',
    'Buy lanternsTodo',
    'Search everywhere for “lantern”',
  ])
  await options(page).filter({ hasText: 'Lantern walk' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit event' })
  await editor.waitFor()
  expect(await editor.getByLabel('Start date').inputValue()).toBe('Wed 4 Mar 2026')
  await page.keyboard.press('Escape')
  await editor.waitFor({ state: 'detached' })
  await open(page)
  await page.keyboard.type('buy lant')
  await options(page).filter({ hasText: 'Buy lanterns' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/todos/${todo.id}`)
  await open(page)
  await page.keyboard.type('lantern')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/search?q=lantern')
  await page.getByText('2 results').waitFor()
})

test('without the service the commands still work, and the palette says that it could not search', async () => {
  const ada = await client.h.signedIn()
  await using opened = await shown(ada)
  const { page } = opened
  await page.route('**/api/search?*', (route) => route.abort())
  await open(page)
  await page.keyboard.type('light')
  await palette(page).getByText('The search did not work').waitFor()
  await page.keyboard.press('Enter')
  expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
})

test('an answer that comes late does not change what Enter runs', async () => {
  const ada = await client.h.signedIn()
  await createTodo(ada, { title: 'Datasheet' })
  await using opened = await shown(ada)
  const { page } = opened
  await open(page)
  await page.keyboard.type('data')
  expect(await active(page)).toBe('Settings: Data')
  await options(page).filter({ hasText: 'Datasheet' }).waitFor()
  expect(await active(page)).toBe('Settings: Data')
})

test('on a phone the palette is a sheet that shows all of it', async () => {
  const ada = await client.h.signedIn()
  await using opened = await shown(ada, '/today', SCREENS.phone)
  const { page } = opened
  await open(page)
  await options(page).filter({ hasText: 'Dark theme' }).tap()
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
})
