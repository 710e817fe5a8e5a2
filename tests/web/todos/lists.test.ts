import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import type { Actor } from '../../support/harness'
import { choose, lines, openTodos, told } from '../../support/todo-page'
import { type Client, eventually, eventuallyMatches, holdToDraw, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const listsOf = async (ada: Actor) => (await ada.request('GET', '/api/todo-lists')).body.todo_lists
const names = async (ada: Actor) => (await listsOf(ada)).map(({ name }: { name: string }) => name)
const todosOf = async (ada: Actor) => (await ada.request('GET', '/api/todos')).body.todos
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Lists', exact: true })

async function create(page: Page, name: string) {
  await dialog(page).getByRole('textbox', { name: 'Name of the new list' }).fill(name)
  await page.keyboard.press('Enter')
}

test('a list is made, renamed, coloured and opened, and its name is taken only once', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }])
  const { ada, page } = opened
  await page.getByRole('button', { name: 'Lists' }).click()
  await create(page, 'Home')
  await told(page, 'Created the list Home')
  await eventually(() => names(ada), ['Todos', 'Home'])
  await create(page, 'Home')
  await dialog(page).getByText('You have a list of this name.').waitFor()
  await choose(page, 'Home', 'Edit')
  const edit = page.getByRole('dialog', { name: 'Edit list' })
  await edit.getByRole('textbox', { name: 'Name' }).fill('Todos')
  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.getByText('You have a list of this name.').waitFor()
  await edit.getByRole('textbox', { name: 'Name' }).fill('House')
  await edit.getByLabel('Colour').fill('#aa3300')
  await edit.getByRole('button', { name: 'Save' }).click()
  await eventuallyMatches(() => listsOf(ada), [{ name: 'Todos' }, { name: 'House', color: '#aa3300' }])
  await dialog(page).getByRole('link', { name: 'House' }).click()
  await page.getByText('Nothing to do').waitFor()
  await page.getByRole('textbox', { name: 'Add a todo' }).fill('Sweep')
  await page.keyboard.press('Enter')
  await eventually(() => lines(page), ['Sweep'])
  const [, { id }] = await listsOf(ada)
  await eventuallyMatches(() => todosOf(ada), [{ title: 'Sweep', list_id: id }, { title: 'Milk' }])
})

test('what is open of a new list stays open when the service answers', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }])
  const { page } = opened
  await page.getByRole('button', { name: 'Lists' }).click()
  const answer = async (name: string) => {
    const answered = await holdToDraw(page, '**/api/todo-lists')
    await create(page, name)
    return answered
  }
  const afterHome = await answer('Home')
  await dialog(page).getByRole('button', { name: 'More actions for Home' }).click()
  const edit = page.getByRole('menuitem', { name: 'Edit' })
  await edit.waitFor()
  await afterHome()
  await edit.click()
  await page.keyboard.press('Escape')
  await page.unroute('**/api/todo-lists')
  const afterWork = await answer('Work')
  await choose(page, 'Work', 'Edit')
  const name = page.getByRole('dialog', { name: 'Edit list' }).getByRole('textbox', { name: 'Name' })
  await name.fill('Workshop')
  await afterWork()
  expect(await name.inputValue()).toBe('Workshop')
})

test('a new list whose dialog is open when the service answers gets another colour and keeps its name', async () => {
  await using opened = await openTodos(client, [])
  const { ada, page } = opened
  await page.getByRole('button', { name: 'Lists' }).click()
  const answer = await holdToDraw(page, '**/api/todo-lists')
  await create(page, 'Home')
  await choose(page, 'Home', 'Edit')
  const edited = page.getByRole('dialog', { name: 'Edit list' })
  await edited.getByLabel('Colour').fill('#7c5cd6')
  await answer()
  await edited.getByRole('button', { name: 'Save' }).click()
  await eventuallyMatches(() => listsOf(ada), [{}, { name: 'Home', color: '#7c5cd6' }])
})

test('another list becomes the default one, which new todos go to', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }])
  const { ada, page } = opened
  await page.getByRole('button', { name: 'Lists' }).click()
  await create(page, 'Home')
  await eventually(() => names(ada), ['Todos', 'Home'])
  await choose(page, 'Home', 'Make it the default')
  await told(page, 'Home is the default list')
  await eventuallyMatches(() => listsOf(ada), [{ is_default: false }, { is_default: true }])
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await eventuallyMatches(() => listsOf(ada), [{ is_default: true }, { is_default: false }])
})

test('the default list has no way to delete it; another one is deleted with its todos, which is said, and comes back with them', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }])
  const { ada, page } = opened
  const { body: home } = await ada.request('POST', '/api/todo-lists', { body: { name: 'Home' } })
  for (const title of ['Sweep', 'Wash'])
    await ada.request('POST', '/api/todos', { body: { title, list_id: home.id } })
  await eventually(() => lines(page), ['Milk', 'Sweep', 'Wash'])
  await page.getByRole('button', { name: 'Lists' }).click()
  await page.getByRole('button', { name: 'More actions for Todos' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
  expect(await page.getByRole('menuitem').count()).toBe(1)
  await page.keyboard.press('Escape')
  await choose(page, 'Home', 'Delete')
  await told(page, 'Deleted the list Home with 2 todos')
  await page.keyboard.press('Escape')
  await eventually(() => lines(page), ['Milk'])
  await eventually(() => names(ada), ['Todos'])
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await eventually(() => lines(page), ['Milk', 'Sweep', 'Wash'])
  await eventually(() => names(ada), ['Todos', 'Home'])
})

test('a todo is moved to another list from its menu, and only that list shows it then', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }, { title: 'Bread' }])
  const { ada, page, todos } = opened
  const { body: shop } = await ada.request('POST', '/api/todo-lists', { body: { name: 'Shop' } })
  await choose(page, 'Milk', 'Move to…')
  const move = page.getByRole('dialog', { name: 'Move Milk' })
  await move.getByRole('combobox', { name: 'List' }).selectOption('Shop')
  await move.getByRole('button', { name: 'Move', exact: true }).press('Enter')
  await told(page, 'Moved Milk to Shop')
  await eventuallyMatches(
    async () => (await ada.request('GET', `/api/todos?list_id=${shop.id}`)).body.todos,
    [{ id: todos[0]?.id }],
  )
  await page.getByRole('combobox', { name: 'List' }).selectOption('Shop')
  await page.waitForURL(`**/todos?list=${shop.id}`)
  await eventually(() => lines(page), ['Milk'])
})

test('the history of a list brings its former name back', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }])
  const { ada, page, todos } = opened
  await ada.request('PUT', `/api/todo-lists/${todos[0]?.list_id}`, { body: { name: 'Mine' } })
  await page.getByRole('button', { name: 'Lists' }).click()
  await choose(page, 'Mine', 'Edit')
  await page.getByRole('button', { name: 'History' }).click()
  const history = page.getByRole('dialog', { name: 'History of Mine' })
  await history.getByText('Name: from “Todos” to “Mine”').waitFor()
  await history.getByRole('button', { name: /^Bring back/ }).click()
  await eventually(() => names(ada), ['Todos'])
  await page.getByRole('button', { name: 'More actions for Todos' }).waitFor()
})
