import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { box, choose, focused, lines, openTodos } from '../../support/todo-page'
import { type Client, eventually, eventuallyMatches, holdToDraw, startClient } from '../../support/web'

// A new todo has an id of this device until the service answers.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

/** Adds a todo whose answer is held until the function that it returns is called. */
async function adding(page: Page, title: string): Promise<() => Promise<void>> {
  const answer = await holdToDraw(page, '**/api/todos')
  await page.getByRole('textbox', { name: 'Add a todo' }).fill(title)
  await page.keyboard.press('Enter')
  await box(page, title).waitFor()
  return answer
}

const pane = (page: Page) => page.getByRole('complementary', { name: 'Todo' })

test('the menu of a new todo stays open when the service answers, and leads to it', async () => {
  await using opened = await openTodos(client, [])
  const { page } = opened
  const answer = await adding(page, 'Bread')
  await page.getByRole('button', { name: 'More actions for Bread' }).click()
  const edit = page.getByRole('menuitem', { name: 'Edit' })
  await edit.waitFor()
  await answer()
  expect(await edit.isVisible()).toBe(true)
  await edit.click()
  await pane(page).getByRole('heading', { name: 'Bread' }).waitFor()
})

test('the line of a new todo keeps the focus when the service answers', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }])
  const { page } = opened
  const answer = await adding(page, 'Bread')
  await box(page, 'Bread').focus()
  await box(page, 'Bread').evaluate((input) => input.setAttribute('data-before', ''))
  await answer()
  expect(await focused(page)).toBe('Bread')
  expect(await box(page, 'Bread').getAttribute('data-before')).toBe('')
})

test('who types in the details of a new todo goes on typing when the service answers, and what is typed outlives a reload', async () => {
  await using opened = await openTodos(client, [])
  const { ada, page } = opened
  const answer = await adding(page, 'Bread')
  await page.getByRole('link', { name: 'Bread' }).click()
  const description = pane(page).getByRole('textbox', { name: 'Description' })
  await description.fill('Rye')
  await answer()
  await page.keyboard.type(' or wheat')
  expect(await description.inputValue()).toBe('Rye or wheat')
  const [todo] = (await ada.request('GET', '/api/todos')).body.todos
  await page.waitForURL(`**/todos/${todo.id}`)
  await page.reload()
  await eventually(() => description.inputValue(), 'Rye or wheat')
  await pane(page).getByRole('button', { name: 'Save' }).click()
  await eventuallyMatches(
    async () => (await ada.request('GET', '/api/todos')).body.todos,
    [{ title: 'Bread', description: 'Rye or wheat' }],
  )
})

test('what was typed of a new todo before the service answered is no change of somebody else, and saved as usual', async () => {
  await using opened = await openTodos(client, [])
  const { ada, page } = opened
  const answer = await adding(page, 'Bread')
  await page.getByRole('link', { name: 'Bread' }).click()
  await pane(page).getByRole('textbox', { name: 'Description' }).fill('Rye')
  await answer()
  await pane(page).getByRole('button', { name: 'Save' }).click()
  await eventuallyMatches(
    async () => (await ada.request('GET', '/api/todos')).body.todos,
    [{ description: 'Rye' }],
  )
  expect(await page.getByText('also changed elsewhere').count()).toBe(0)
})

test('what the service refuses of a new todo stands in its details, though it was saved before the answer', async () => {
  await using opened = await openTodos(client, [])
  const { page } = opened
  await page.route(/\/api\/todos\/-?\d+$/, (route) =>
    route.fulfill({
      status: 422,
      json: { detail: 'No' },
      headers: { 'content-type': 'application/problem+json' },
    }),
  )
  const answer = await adding(page, 'Bread')
  await page.getByRole('link', { name: 'Bread' }).click()
  const description = pane(page).getByRole('textbox', { name: 'Description' })
  await description.fill('Rye')
  await pane(page).getByRole('button', { name: 'Save' }).click()
  await answer()
  await pane(page).getByRole('button', { name: 'Discard changes' }).waitFor()
  expect(await description.inputValue()).toBe('Rye')
})

test('a new todo that is ticked before the service answers stays in its place until one leaves', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }])
  const { ada, page } = opened
  const answer = await adding(page, 'Bread')
  await box(page, 'Bread').click()
  await answer()
  await eventuallyMatches(
    async () => (await ada.request('GET', '/api/todos')).body.todos,
    [{ title: 'Bread', completed: true }, { title: 'Milk' }],
  )
  expect(await lines(page)).toEqual(['Bread', 'Milk'])
  expect(await box(page, 'Bread').isChecked()).toBe(true)
  await page.getByRole('radio', { name: 'Done' }).check()
  await eventually(() => lines(page), ['Bread'])
  await page.getByRole('radio', { name: 'All' }).check()
  await eventually(() => lines(page), ['Milk', 'Bread'])
})

test('who chooses the place of a new todo still chooses it when the service answers', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }])
  const { ada, page } = opened
  const answer = await adding(page, 'Bread')
  await choose(page, 'Bread', 'Move to…')
  const dialog = page.getByRole('dialog', { name: 'Move Bread' })
  const position = dialog.getByRole('spinbutton', { name: 'Position' })
  await position.fill('2')
  await answer()
  expect(await position.inputValue()).toBe('2')
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await eventuallyMatches(
    async () => (await ada.request('GET', '/api/todos')).body.todos,
    [{ title: 'Milk' }, { title: 'Bread' }],
  )
})

test('a new todo that is dragged while the service answers comes to stand where it is dropped', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }])
  const { ada, page } = opened
  const answer = await adding(page, 'Bread')
  const [bread, milk] = await Promise.all(
    ['Bread', 'Milk'].map((title) => page.getByRole('link', { name: title }).boundingBox()),
  )
  if (!bread || !milk) throw new Error('Not shown')
  await page.mouse.move(bread.x + 5, bread.y + bread.height / 2)
  await page.mouse.down()
  await page.mouse.move(milk.x + 5, milk.y + milk.height + 4, { steps: 6 })
  await answer()
  await page.mouse.move(milk.x + 5, milk.y + milk.height + 6)
  await page.mouse.up()
  await eventuallyMatches(
    async () => (await ada.request('GET', '/api/todos')).body.todos,
    [{ title: 'Milk' }, { title: 'Bread' }],
  )
})
