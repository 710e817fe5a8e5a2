import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { createEvent } from '../../support/events'
import type { Actor } from '../../support/harness'
import { tabTo } from '../../support/keyboard'
import { createProject, createTask } from '../../support/projects'
import { createPerson, createTodo } from '../../support/records'
import { type Client, drawn, hold, SCREENS, signedOut, startClient } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin. (contract: web.search)
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

/** Somebody with an event, a series, a todo, a person and a task that have the word "garden". */
async function gardener() {
  const ada = await client.h.signedIn()
  await ada.request('PUT', '/api/settings', { body: { time_zone: 'Europe/Berlin' } })
  const party = await createEvent(ada, {
    title: 'Gárden party',
    start_at: '2026-03-20T15:00',
    end_at: '2026-03-20T18:00',
  })
  const choir = await createEvent(ada, {
    title: 'Choir in the garden',
    start_at: '2026-01-07T18:00',
    end_at: '2026-01-07T19:00',
    recurrence_rule: 'FREQ=WEEKLY',
  })
  const todo = await createTodo(ada, {
    title: 'Rake',
    description: 'Leaves lie all over the garden since autumn',
  })
  const person = await createPerson(ada, { first_name: 'Gardenia', last_name: 'Brook' })
  const project = await createProject(ada, { name: 'House' })
  const task = await createTask(ada, project.id, { title: 'Plan the garden' })
  return { ada, party, choir, todo, person, project, task }
}

async function shown(as: Actor, address: string, options = {}) {
  const { page, context } = await client.open({ as, options })
  await page.goto(address)
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

const box = (page: Page) => page.getByRole('searchbox', { name: 'Search' })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
const headings = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()
const path = (page: Page) => {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

test('what one types is found by type while one types, with what matched marked, and stands in the address', async () => {
  const { ada } = await gardener()
  await using opened = await shown(ada, '/today')
  const { page } = opened
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
  await page.getByText('Search everything at once').waitFor()
  await page.keyboard.type('g')
  await page.getByText('Type at least two letters.').waitFor()
  await page.keyboard.type('arden')
  await page.getByText('5 results').waitFor()
  expect(await headings(page)).toEqual(['Events 2', 'Todos 1', 'Tasks 1', 'People 1'])
  expect(await page.getByRole('list', { name: 'Events' }).locator('mark').allTextContents()).toEqual([
    'Gárden',
    'garden',
  ])
  expect(await page.getByRole('list', { name: 'Todos' }).textContent()).toBe(
    'RakeLeaves lie all over the garden since autumn',
  )
  await page.getByText('Friday 20 March 2026, 15:00').waitFor()
  expect(path(page)).toBe('/search?q=garden')
  await page.getByRole('button', { name: 'Tasks' }).click()
  await page.getByText('1 result', { exact: true }).waitFor()
  expect(path(page)).toBe('/search?q=garden&types=tasks')
  expect(await headings(page)).toEqual(['Tasks 1'])
  await page.reload()
  await page.getByRole('link', { name: 'Plan the garden' }).waitFor()
  expect(await box(page).inputValue()).toBe('garden')
})

test('every result leads to its page, and an event opens over the search at its next occurrence', async () => {
  const { ada, party, choir, todo, person, project, task } = await gardener()
  await using opened = await shown(ada, '/search?q=garden')
  const { page } = opened
  await page.getByText('Wednesday 4 March 2026, 18:00').waitFor()
  const links = await page
    .getByRole('main')
    .locator('[data-result]')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''))
  expect(new Set(links)).toEqual(
    new Set([
      `/events/${party.id}`,
      `/events/${choir.id}?occurrence=${encodeURIComponent('2026-03-04T18:00:00+01:00')}`,
      `/todos/${todo.id}`,
      `/people/${person.id}`,
      `/projects/${project.id}/tasks/${task.id}`,
    ]),
  )
  await page.getByRole('link', { name: 'Choir in the garden' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit event' })
  await dialog.waitFor()
  expect(await dialog.getByLabel('Start date').inputValue()).toBe('Wed 4 Mar 2026')
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  expect(await focused(page)).toContain('Choir in the garden')
})

test('a search is done by keyboard alone: arrows go through the results, Enter opens, Up comes back to the field', async () => {
  const { ada, party } = await gardener()
  await using opened = await shown(ada, '/search')
  const { page } = opened
  await tabTo(page, box(page))
  await page.keyboard.type('garden')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.matches('[data-result]'))
  const first = await focused(page)
  await page.keyboard.press('ArrowDown')
  expect(await focused(page)).not.toBe(first)
  await page.keyboard.press('End')
  expect(await focused(page)).toBe('Gardenia Brook')
  await page.keyboard.press('Home')
  expect(await focused(page)).toContain(first ?? '')
  await page.keyboard.press('ArrowUp')
  expect(await box(page).evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.press('ArrowDown')
  await page.getByRole('link', { name: 'Gárden party' }).focus()
  await page.keyboard.press('Enter')
  const editor = page.getByRole('dialog', { name: 'Edit event' })
  await editor.waitFor()
  expect(path(page)).toBe(`/events/${party.id}`)
  await page.keyboard.press('Escape')
  await editor.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Gardenia' }).focus()
  await page.keyboard.press('/')
  expect(await box(page).evaluate((field) => field === document.activeElement)).toBe(true)
})

test('of many results of a type some show, and a link leads to all of them', async () => {
  const ada = await client.h.signedIn()
  for (let at = 1; at <= 9; at++) await createTodo(ada, { title: `Water plant ${at}` })
  await createPerson(ada, { first_name: 'Plantagenet' })
  await using opened = await shown(ada, '/search?q=plant')
  const { page } = opened
  const todos = page.getByRole('list', { name: 'Todos' })
  await page.getByText('10 results').waitFor()
  expect(await todos.getByRole('listitem').count()).toBe(6)
  await page.getByRole('link', { name: 'All 9 todos' }).click()
  await page.getByText('9 results').waitFor()
  expect(await todos.getByRole('listitem').count()).toBe(9)
  expect(await focused(page)).toBe('Todos')
  await page.goBack()
  await page.getByText('10 results').waitFor()
})

test('a search without results says so and widens it, and one that failed is tried again', async () => {
  const { ada } = await gardener()
  await using opened = await shown(ada, '/search?q=rake&types=people')
  const { page } = opened
  await page.getByText('Nothing has “rake”').first().waitFor()
  await page.getByRole('button', { name: 'Search all types' }).click()
  await page.getByRole('link', { name: 'Rake' }).waitFor()
  expect(await box(page).evaluate((field) => field === document.activeElement)).toBe(true)
  await page.route('**/api/search?*', (route) => route.fulfill({ status: 500, json: { detail: 'x' } }))
  await box(page).fill('garden')
  await page.getByRole('alert').getByText('Something went wrong.').waitFor()
  await page.unroute('**/api/search?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('5 results').waitFor()
})

test('while an answer is on its way the letters stay, and an older answer never takes the place of a newer one', async () => {
  const { ada } = await gardener()
  await using opened = await shown(ada, '/search')
  const { page } = opened
  const release = await hold(page, '**/api/search?*q=rak*')
  await box(page).pressSequentially('rak')
  await page.waitForURL('**/search?q=rak')
  await page.getByText('Searching…').first().waitFor()
  await box(page).fill('garden ')
  await page.getByText('5 results').waitFor()
  const older = page.waitForResponse((response) => new URL(response.url()).searchParams.get('q') === 'rak')
  release()
  await (await older).finished()
  await drawn(page)
  expect(await page.getByText('5 results').count()).toBe(1)
  expect(await box(page).inputValue()).toBe('garden ')
})

test('the last searches of a device are offered again, can be forgotten, and go with the sign-out', async () => {
  const { ada } = await gardener()
  const { page, context } = await client.open({ as: ada })
  await page.goto('/search')
  for (const text of ['rake', 'garden']) {
    await box(page).fill(text)
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.matches('[data-result]'))
  }
  const kept = () => page.evaluate(() => JSON.stringify(localStorage))
  await page.goto('/search')
  await page.getByRole('list', { name: 'Last searches' }).waitFor()
  expect(await page.getByRole('list', { name: 'Last searches' }).getByRole('link').allTextContents()).toEqual(
    ['garden', 'rake'],
  )
  await page.getByRole('link', { name: 'rake' }).click()
  await page.getByText('1 result', { exact: true }).waitFor()
  expect(await box(page).evaluate((field) => field === document.activeElement)).toBe(true)
  await page.goto('/search')
  await page.getByRole('button', { name: 'Forget these searches' }).click()
  await page.getByText('Search everything at once').waitFor()
  expect(await kept()).not.toContain('rake')
  await box(page).fill('garden')
  await page.keyboard.press('Enter')
  await page.getByText('5 results').waitFor()
  expect(await kept()).toContain('garden')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await signedOut(page)
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  expect(await kept()).not.toContain('garden')
  await context.close()
})

test('on a phone the bar at the bottom leads to the search', async () => {
  const { ada, person } = await gardener()
  await using opened = await shown(ada, '/today', SCREENS.phone)
  const { page } = opened
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Search' }).tap()
  await box(page).fill('gardenia')
  await page.getByRole('link', { name: 'Gardenia Brook' }).tap()
  await page.waitForURL(`**/people/${person.id}`)
})
