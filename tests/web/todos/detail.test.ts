import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { type Client, eventually, eventuallyMatches, SCREENS, startClient } from '../../support/web'
import { box, focused, told, openTodos } from '../../support/todo-page'

// It is Wednesday 4 March 2026, 10:30 in Berlin.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const pane = (page: Page) => page.getByRole('complementary', { name: 'Todo' })

test('the details of a todo open beside the list by Enter, and Escape gives the focus back to its line', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }, { title: 'Bread' }], '/todos?view=all')
  const { page, todos } = opened
  await box(page, 'Bread').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/todos/${todos[1]?.id}?view=all`)
  await pane(page).getByRole('heading', { level: 2, name: 'Bread' }).waitFor()
  expect(await focused(page)).toBe('Bread')
  await page.keyboard.press('Escape')
  await page.waitForURL('**/todos?view=all')
  await eventually(() => focused(page), 'Bread')
  expect(await pane(page).count()).toBe(0)
})

test('every field of a todo is edited, shows at once, and the change can be undone', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk', category: 'shop' }], '/todos/ID0')
  const { page, ada, read } = opened
  const { body: list } = await ada.request('POST', '/api/todo-lists', { body: { name: 'Home' } })
  await field(page, 'Title').fill('Oat milk')
  await field(page, 'Due date').fill('tomorrow')
  await page.getByRole('combobox', { name: 'Due time' }).fill('930')
  await page.getByRole('combobox', { name: 'Priority' }).selectOption('High')
  await page.getByRole('combobox', { name: 'Repeat' }).selectOption('Every week')
  await page.getByRole('combobox', { name: 'List', exact: true }).last().selectOption('Home')
  await page.getByRole('combobox', { name: 'Category' }).last().fill('food')
  await field(page, 'Description').fill('Two bottles')
  expect(await field(page, 'Due date').inputValue()).toBe('Thu 5 Mar 2026')
  await save(page)
  await told(page, 'Changed Oat milk')
  await box(page, 'Oat milk').waitFor()
  await eventuallyMatches(read, {
    title: 'Oat milk',
    due_date: '2026-03-05',
    due_time: '09:30',
    priority: 'high',
    recurrence: 'weekly',
    list_id: list.id,
    category: 'food',
    description: 'Two bottles',
    version: 2,
  })
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventuallyMatches(read, {
    title: 'Milk',
    due_date: null,
    due_time: null,
    priority: 'none',
    category: 'shop',
    description: null,
  })
  await eventually(() => field(page, 'Title').inputValue(), 'Milk')
})

test('a date and a time that cannot be read, and a time without a date, are explained at their fields', async () => {
  await using opened = await openTodos(
    client,
    [{ title: 'Milk', due_date: '2026-03-05', due_time: '09:00' }],
    '/todos/ID0',
  )
  const { page, read } = opened
  await field(page, 'Due date').fill('someday')
  await save(page)
  await page.getByText('This is not a date.').waitFor()
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('dueDate')
  await field(page, 'Due date').fill('')
  await save(page)
  await page.getByText('A time needs a date as well.').waitFor()
  await field(page, 'Title').fill(' ')
  await save(page)
  await page.getByText('Fill this in.').waitFor()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  expect(await field(page, 'Title').inputValue()).toBe('Milk')
  expect(await read()).toMatchObject({ version: 1 })
})

test('what somebody else changes shows while nobody types, and other fields than the typed ones are kept', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }], '/todos/ID0')
  const { page, ada, todos, read } = opened
  const address = `/api/todos/${todos[0]?.id}`
  await ada.request('PUT', address, { body: { category: 'shop' } })
  await eventually(() => page.getByRole('combobox', { name: 'Category' }).last().inputValue(), 'shop')
  await field(page, 'Title').fill('Oat milk')
  await ada.request('PUT', address, { body: { priority: 'low' } })
  await save(page)
  await eventuallyMatches(read, { title: 'Oat milk', priority: 'low', category: 'shop' })
})

test('where somebody else changed the same field, a person decides', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }], '/todos/ID0')
  const { page, ada, todos, read } = opened
  await field(page, 'Title').fill('Mine')
  await ada.request('PUT', `/api/todos/${todos[0]?.id}`, { body: { title: 'Theirs' } })
  await save(page)
  const dialog = page.getByRole('dialog', { name: 'Changed elsewhere' })
  await dialog.getByRole('radiogroup', { name: 'Title' }).getByRole('radio', { name: 'Keep mine' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await eventuallyMatches(read, { title: 'Mine', version: 3 })
})

test('what is typed and not saved outlives a reload, and what the service refuses is in the fields again', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }], '/todos/ID0')
  const { page, read } = opened
  await field(page, 'Title').fill('Half a sentence')
  await page.reload()
  await page.getByRole('button', { name: 'Discard changes' }).waitFor()
  expect(await field(page, 'Title').inputValue()).toBe('Half a sentence')
  await page.route('**/api/todos/*', (route) =>
    route.fulfill({
      status: 422,
      json: {
        detail: 'Invalid',
        errors: [{ field: 'body.title', message: 'must be at most 200 characters' }],
      },
    }),
  )
  await save(page)
  await page.locator('[aria-invalid=true][name=title]').waitFor()
  expect(await field(page, 'Title').inputValue()).toBe('Half a sentence')
  await page.unroute('**/api/todos/*')
  await save(page)
  await eventuallyMatches(read, { title: 'Half a sentence' })
})

test('the history of a todo brings a former version back', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk', priority: 'low' }], '/todos/ID0')
  const { page, read } = opened
  await field(page, 'Title').fill('Bread')
  await page.getByRole('combobox', { name: 'Priority' }).selectOption('High')
  await save(page)
  await eventuallyMatches(read, { version: 2 })
  await page.getByRole('button', { name: 'History' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'History of Bread' })
  await dialog.getByText('Title: from “Milk” to “Bread”').waitFor()
  await dialog.getByText('Priority: from “low” to “high”').waitFor()
  await dialog.getByRole('button', { name: /^Bring back/ }).press('Enter')
  await eventuallyMatches(read, { title: 'Milk', priority: 'low' })
  await pane(page).getByRole('heading', { name: 'Milk' }).waitFor()
})

test('on a phone a todo is a page with a way back, from which it is deleted and brought back', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }, { title: 'Bread' }], '/todos', {
    options: SCREENS.phone,
  })
  const { page, read } = opened
  await page.getByRole('link', { name: 'Milk' }).tap()
  await page.getByRole('heading', { level: 1, name: 'Milk' }).waitFor()
  await page.getByRole('button', { name: 'Back' }).tap()
  await page.getByRole('heading', { level: 1, name: 'Todos' }).waitFor()
  await page.getByRole('link', { name: 'Milk' }).tap()
  await page.getByRole('button', { name: 'Delete' }).tap()
  await page.getByRole('heading', { level: 1, name: 'Todos' }).waitFor()
  await told(page, 'Deleted Milk')
  await eventually(async () => (await read()).detail, 'Todo not found')
  await page.getByRole('button', { name: 'Undo' }).tap()
  await box(page, 'Milk').waitFor()
})

test('a todo that is gone has a page that says so', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }], '/todos/999999')
  const { page } = opened
  await page.getByRole('heading', { level: 1, name: 'This is gone' }).waitFor()
  await page.getByRole('link', { name: 'Back to Todos' }).click()
  await box(page, 'Milk').waitFor()
})
