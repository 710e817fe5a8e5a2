import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { box, choose, focused, lines, openTodos, told } from '../../support/todo-page'
import { test } from '../../support/browser'
import { organiser } from '../../support/events'
import type { Actor } from '../../support/harness'
import {
  type Client,
  eventually,
  eventuallyMatches,
  hold,
  SCREENS,
  startClient,
  tryAgain,
} from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const todosOf = async (ada: Actor, query = '') => (await ada.request('GET', `/api/todos${query}`)).body.todos
const titles = async (ada: Actor) => (await todosOf(ada)).map(({ title }: { title: string }) => title)

const counted = (page: Page, text: string) =>
  page.getByRole('main').getByRole('status').filter({ hasText: text }).waitFor()
const add = (page: Page) => page.getByRole('textbox', { name: 'Add a todo' })
test('a line that says when becomes a todo that is due then, at the top of the list', async () => {
  await using opened = await openTodos(client, [{ title: 'Old' }])
  const { ada, page } = opened
  await add(page).fill('Pay rent tomorrow 9:00')
  await page.getByText('due Thursday 5 March 2026, 09:00').first().waitFor()
  await page.keyboard.press('Enter')
  await told(page, 'Added Pay rent')
  await eventually(() => lines(page), ['Pay rent', 'Old'])
  await eventuallyMatches(
    () => todosOf(ada),
    [{ title: 'Pay rent', due_date: '2026-03-05', due_time: '09:00' }, { title: 'Old' }],
  )
  expect(await add(page).inputValue()).toBe('')
  await counted(page, '2 todos')
})

test('a todo that is added in a view, a list or a category shows there', async () => {
  await using opened = await openTodos(
    client,
    [{ title: 'Old', category: 'garden' }],
    '/todos?view=today&category=garden',
  )
  const { ada, page } = opened
  await page.getByText('Nothing to do').waitFor()
  await add(page).fill('Sow peas')
  await page.keyboard.press('Enter')
  await box(page, 'Sow peas').waitFor()
  await eventuallyMatches(
    () => todosOf(ada),
    [{ title: 'Sow peas', due_date: '2026-03-04', category: 'garden' }, {}],
  )
})

test('a todo that is ticked stays in its place until one leaves, and the tick can be undone', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }, { title: 'Bread' }])
  const { ada, page } = opened
  await box(page, 'Milk').click()
  await told(page, 'Marked Milk as done')
  await eventuallyMatches(() => todosOf(ada), [{ title: 'Milk', completed: true }, { completed: false }])
  expect(await lines(page)).toEqual(['Milk', 'Bread'])
  await page.getByRole('radio', { name: 'Done' }).check()
  await page.waitForURL('**/todos?view=done')
  await eventually(() => lines(page), ['Milk'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventuallyMatches(() => todosOf(ada), [{ completed: false }, {}])
  await page.getByText('Nothing is done yet').waitFor()
  await page.goBack()
  await eventually(() => lines(page), ['Milk', 'Bread'])
})

test('completing a todo that repeats says when it is back', async () => {
  await using opened = await openTodos(client, [
    { title: 'Water', recurrence: 'weekly', due_date: '2026-03-04' },
    { title: 'Pills', recurrence: 'daily' },
    { title: 'Rent', recurrence: 'monthly' },
  ])
  const { ada, page } = opened
  await box(page, 'Water').press('Space')
  await told(page, 'Marked Water as done. It is back on Sunday 8 March.')
  await box(page, 'Pills').press('Space')
  await told(page, 'Marked Pills as done. It is back on Thursday 5 March.')
  await box(page, 'Rent').press('Space')
  await told(page, 'Marked Rent as done. It is back on Wednesday 1 April.')
  await eventuallyMatches(
    () => todosOf(ada),
    [
      { reset_at: '2026-03-08T00:00:00+01:00' },
      { reset_at: '2026-03-05T00:00:00+01:00' },
      { reset_at: '2026-04-01T00:00:00+02:00' },
    ],
  )
})

test('views show what is overdue and due today, what comes, and what is done, each with its count', async () => {
  await using opened = await openTodos(client, [
    { title: 'Someday' },
    { title: 'Today', due_date: '2026-03-04' },
    { title: 'Late', due_date: '2026-03-01' },
    { title: 'Next week', due_date: '2026-03-11' },
    { title: 'Tomorrow', due_date: '2026-03-05' },
    { title: 'Ready', completed: true },
  ])
  const { page } = opened
  expect(await lines(page)).toEqual(['Someday', 'Today', 'Late', 'Next week', 'Tomorrow', 'Ready'])
  await counted(page, '6 todos')
  const view = async (name: string) => {
    await page.getByRole('radiogroup', { name: 'View' }).getByRole('radio', { name }).check()
    await page.waitForURL(`**/todos?view=${name.toLowerCase()}`)
    return lines(page)
  }
  expect(await view('Today')).toEqual(['Late', 'Today'])
  await page.getByText('Overdue:').waitFor()
  expect(await view('Upcoming')).toEqual(['Tomorrow', 'Next week'])
  expect(await view('Done')).toEqual(['Ready'])
  await counted(page, '1 todo')
})

test('a category has its own address', async () => {
  await using opened = await openTodos(client, [
    { title: 'Peas', category: 'garden' },
    { title: 'Milk', category: 'shop' },
    { title: 'Else' },
  ])
  const { page } = opened
  await page.getByRole('combobox', { name: 'Category' }).selectOption('shop')
  await page.waitForURL('**/todos?category=shop')
  await eventually(() => lines(page), ['Milk'])
  await page.reload()
  await eventually(() => lines(page), ['Milk'])
})

test('a todo is deleted by key and from its menu, the focus goes on to the next, and Ctrl-Z brings it back', async () => {
  await using opened = await openTodos(client, [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }])
  const { ada, page } = opened
  await box(page, 'Two').focus()
  await page.keyboard.press('Delete')
  await told(page, 'Deleted Two')
  await eventually(() => focused(page), 'Three')
  await eventually(() => titles(ada), ['One', 'Three'])
  await page.keyboard.press('Control+z')
  await eventually(() => lines(page), ['One', 'Two', 'Three'])
  await choose(page, 'One', 'Delete')
  await eventually(() => titles(ada), ['Two', 'Three'])
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await eventually(() => titles(ada), ['One', 'Two', 'Three'])
})

test('todos change places by Alt with an arrow, from the menu, by a number and by dragging', async () => {
  await using opened = await openTodos(client, [{ title: 'A' }, { title: 'B' }, { title: 'C' }])
  const { ada, page } = opened
  await box(page, 'A').focus()
  await page.keyboard.press('Alt+ArrowDown')
  await eventually(() => titles(ada), ['B', 'A', 'C'])
  await eventually(() => focused(page), 'A')
  await choose(page, 'C', 'Move up')
  await eventually(() => titles(ada), ['B', 'C', 'A'])
  await choose(page, 'A', 'Move to…')
  const dialog = page.getByRole('dialog', { name: 'Move A' })
  await dialog.getByRole('spinbutton', { name: 'Position' }).fill('9')
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await dialog.getByText('Type a number from 1 to 3.').waitFor()
  await dialog.getByRole('spinbutton', { name: 'Position' }).fill('1')
  await page.keyboard.press('Enter')
  await eventually(() => titles(ada), ['A', 'B', 'C'])
  const line = page.getByRole('listitem').filter({ has: box(page, 'A') })
  await line.hover({ position: { x: 300, y: 20 } })
  await page.mouse.down()
  await page.mouse.move(600, 10)
  const last = await page
    .getByRole('listitem')
    .filter({ has: box(page, 'C') })
    .boundingBox()
  await page.mouse.move(600, (last?.y ?? 0) + (last?.height ?? 0) - 2, { steps: 5 })
  await page.mouse.up()
  await eventually(() => titles(ada), ['B', 'C', 'A'])
  expect(page.url()).toEndWith('/todos')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await eventually(() => titles(ada), ['A', 'B', 'C'])
})

test('a move in a list that somebody changed meanwhile is made once more in the list as it is now', async () => {
  await using opened = await openTodos(client, [{ title: 'A' }, { title: 'B' }, { title: 'C' }])
  const { ada, page } = opened
  await page.route(
    '**/api/todos/reorder',
    async (route) => {
      await ada.request('POST', '/api/todos', { body: { title: 'New' } })
      await route.continue()
    },
    { times: 1 },
  )
  const answers: number[] = []
  page.on('response', (answer) => void (answer.url().endsWith('/reorder') && answers.push(answer.status())))
  await box(page, 'C').focus()
  await page.keyboard.press('Alt+ArrowUp')
  await eventually(() => titles(ada), ['A', 'C', 'B', 'New'])
  await eventually(() => Promise.resolve(answers), [409, 200])
  expect(await page.getByText('Not saved').count()).toBe(0)
})

test('a move in a list that changed meanwhile and cannot be read says that it was not made, and the list is as before', async () => {
  await using opened = await openTodos(client, [{ title: 'A' }, { title: 'B' }])
  const { ada, page } = opened
  await page.route('**/api/todos/reorder', async (route) => {
    await ada.request('POST', '/api/todos', { body: { title: 'New' } })
    await page.route('**/api/todos?limit=200', (read) => read.fulfill({ status: 500, json: { detail: 'x' } }))
    await route.continue()
  })
  await box(page, 'B').focus()
  await page.keyboard.press('Alt+ArrowUp')
  await page.getByRole('alert').getByText('Something went wrong.').waitFor()
  expect((await lines(page)).filter((title) => title !== 'New')).toEqual(['A', 'B'])
})

test('what one does shows at once, before the service answers', async () => {
  await using opened = await openTodos(client, [{ title: 'Milk' }, { title: 'Bread' }])
  const { ada, page } = opened
  const release = await hold(page, '**/api/todos**')
  await add(page).fill('Eggs')
  await page.keyboard.press('Enter')
  await box(page, 'Milk').press('Space')
  await choose(page, 'Bread', 'Delete')
  await eventually(() => lines(page), ['Eggs', 'Milk'])
  expect(await box(page, 'Milk').isChecked()).toBe(true)
  expect(await titles(ada)).toEqual(['Milk', 'Bread'])
  release()
  await eventually(() => titles(ada), ['Eggs', 'Milk'])
})

test('todos that cannot be read say so and are read again, and an account without any says how to begin', async () => {
  const ada = await organiser(client.h, 'Europe/Berlin')
  const { page, context } = await client.open({ as: ada, options: SCREENS.phone })
  const todos = '**/api/changes?types=todo&*'
  await page.route(todos, (route) => route.fulfill({ status: 500, json: { detail: 'x' } }))
  await page.goto('/todos')
  await page.getByText('The todos could not be read.').waitFor()
  expect(await page.getByText('Nothing to do').count()).toBe(0)
  await tryAgain(page, todos)
  await page.getByText('Nothing to do').waitFor()
  await counted(page, '0 todos')
  await context.close()
})
