import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { createProject, createTask, send } from '../../support/projects'
import { type Client, eventually, eventuallyMatches, holdToDraw, startClient } from '../../support/web'

// What is new has an id of this device until the service answers.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const TASKS = '**/api/projects/*/tasks'
const COMMENTS = '**/api/projects/*/tasks/*/comments'

/** A tracked project with the tasks "Dig" and "Sow". */
async function opened(address = '') {
  const ada = await client.h.signedIn()
  const { id: project } = await createProject(ada, { name: 'Garden', is_tracked: true })
  for (const title of ['Dig', 'Sow']) await createTask(ada, project, { title })
  const { page, context } = await client.open({ as: ada })
  await page.goto(`/projects/${project}${address}`)
  await link(page, 'Dig').waitFor()
  const tasks = async () => (await send(ada, 'GET', `/${project}/tasks?limit=200`)).body.tasks
  return { page, tasks, [Symbol.asyncDispose]: () => context.close() }
}

const pane = (page: Page) => page.getByRole('complementary', { name: 'Task' })
const link = (page: Page, title: string) =>
  page.locator('.project').getByRole('link', { name: title, exact: true })

async function type(page: Page, field: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: field }).fill(text)
  await page.keyboard.press(field === 'Add a comment' ? 'Control+Enter' : 'Enter')
}

/** Adds a task whose answer is held until the function that it returns is called. */
async function adding(page: Page, title: string): Promise<() => Promise<void>> {
  const answer = await holdToDraw(page, TASKS)
  await type(page, 'Add a task', title)
  await link(page, title).waitFor()
  return answer
}

async function openMenu(page: Page, title: string) {
  await page
    .getByRole('button', { name: `More actions for ${title}` })
    .last()
    .click()
  const item = page.getByRole('menuitem', { name: 'Edit' })
  await item.waitFor()
  return item
}

for (const [layout, address] of [
  ['list', ''],
  ['board', '?layout=board'],
] as const) {
  test(`the menu of a new task in the ${layout} stays open when the service answers, and leads to it`, async () => {
    await using made = await opened(address)
    const { page } = made
    const answer = await adding(page, 'Water')
    const edit = await openMenu(page, 'Water')
    await answer()
    expect(await edit.isVisible()).toBe(true)
    await edit.click()
    await pane(page).getByRole('heading', { name: 'Water' }).waitFor()
  })
}

test('who types in the details of a new task goes on typing when the service answers', async () => {
  await using made = await opened()
  const { page, tasks } = made
  const answer = await adding(page, 'Water')
  await link(page, 'Water').click()
  const description = pane(page).getByRole('textbox', { name: 'Description' })
  await description.fill('In the')
  await answer()
  await page.keyboard.type(' evening')
  expect(await description.inputValue()).toBe('In the evening')
  await page.keyboard.press('Tab')
  await eventuallyMatches(tasks, [{}, {}, { title: 'Water', description: 'In the evening' }])
})

test('what belongs to a new task stays with it when the service answers, though its own answers are to come', async () => {
  await using made = await opened()
  const { page, tasks } = made
  const answer = await adding(page, 'Water')
  await link(page, 'Water').click()
  await type(page, 'Add a subtask', 'Fill the can')
  await type(page, 'Add a comment', 'Not at noon')
  await pane(page).getByRole('textbox', { name: 'Add a comment' }).fill('Nor at night')
  const edit = await openMenu(page, 'Fill the can')
  const [answerSubtask, answerComment] = [await holdToDraw(page, TASKS), await holdToDraw(page, COMMENTS)]
  await answer()
  expect(await edit.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await pane(page).getByText('Not at noon').waitFor()
  expect(await pane(page).getByRole('textbox', { name: 'Add a comment' }).inputValue()).toBe('Nor at night')
  await answerSubtask()
  await answerComment()
  await eventuallyMatches(tasks, [{}, {}, { title: 'Water', subtasks: [{ title: 'Fill the can' }] }])
})

test('the menu of a new subtask stays open when the service answers', async () => {
  await using made = await opened()
  const { page } = made
  await link(page, 'Dig').click()
  const answer = await holdToDraw(page, TASKS)
  await type(page, 'Add a subtask', 'Fetch the spade')
  await pane(page).getByRole('checkbox', { name: 'Fetch the spade' }).waitFor()
  const edit = await openMenu(page, 'Fetch the spade')
  await answer()
  expect(await edit.isVisible()).toBe(true)
})

test('a new comment keeps its open menu when the service answers, and stays being edited', async () => {
  await using made = await opened()
  const { page } = made
  await link(page, 'Dig').click()
  const answer = await holdToDraw(page, COMMENTS)
  await type(page, 'Add a comment', 'Deep')
  const edit = await openMenu(page, 'Deep')
  await answer()
  expect(await edit.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await page.unroute(COMMENTS)

  const answerOther = await holdToDraw(page, COMMENTS)
  await type(page, 'Add a comment', 'Wide')
  await (await openMenu(page, 'Wide')).click()
  const comment = pane(page).getByRole('textbox', { name: 'Comment', exact: true })
  await comment.fill('Very')
  await answerOther()
  await page.keyboard.type(' wide')
  expect(await comment.inputValue()).toBe('Very wide')
  await page.keyboard.press('Control+Enter')
  await pane(page).getByRole('list', { name: 'Comments' }).getByText('Very wide').waitFor()
})

test('who chooses the place of a new task still chooses it when the service answers', async () => {
  await using made = await opened()
  const { page, tasks } = made
  const answer = await adding(page, 'Water')
  await openMenu(page, 'Water')
  await page.getByRole('menuitem', { name: 'Move to…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move Water' })
  const place = dialog.getByRole('combobox', { name: 'Place' })
  await place.selectOption('First')
  await answer()
  expect(await place.locator('option').allTextContents()).toEqual(['First', 'After Dig', 'After Sow'])
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await eventuallyMatches(tasks, [{ title: 'Water' }, { title: 'Dig' }, { title: 'Sow' }])
})

test('a task that is put below a new one goes there, though the service answers meanwhile', async () => {
  await using made = await opened()
  const { page, tasks } = made
  const answer = await adding(page, 'Water')
  await openMenu(page, 'Dig')
  await page.getByRole('menuitem', { name: 'Move to…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move Dig' })
  const parent = dialog.getByRole('combobox', { name: 'Belongs to' })
  await parent.selectOption('Water')
  await answer()
  expect(await parent.locator('option:checked').textContent()).toBe('Water')
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await eventuallyMatches(tasks, [{ title: 'Sow' }, { title: 'Water', subtasks: [{ title: 'Dig' }] }])
})

test('a new card that is dragged while the service answers comes to stand where it is dropped', async () => {
  await using made = await opened('?layout=board')
  const { page, tasks } = made
  const answer = await adding(page, 'Water')
  const [from, to] = await Promise.all([
    link(page, 'Water').boundingBox(),
    page.getByRole('heading', { name: 'Completed' }).boundingBox(),
  ])
  if (!from || !to) throw new Error('Not shown')
  await page.mouse.move(from.x + 5, from.y + 5)
  await page.mouse.down()
  await page.mouse.move(to.x + 20, to.y + 60, { steps: 6 })
  await answer()
  await page.mouse.up()
  await eventuallyMatches(tasks, [{}, {}, { title: 'Water', status: 'completed' }])
})

test('a new task that is ticked among those that are due stays there until one leaves', async () => {
  await using made = await opened()
  const { page, tasks } = made
  const answer = await adding(page, 'Water')
  await link(page, 'Water').click()
  await pane(page).getByRole('textbox', { name: 'Due date' }).fill('2026-03-06')
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByRole('link', { name: 'Projects' }).click()
  const due = page.getByRole('list', { name: 'Due in tracked projects' })
  await due.getByRole('checkbox', { name: 'Water' }).click()
  await answer()
  await eventuallyMatches(tasks, [{}, {}, { title: 'Water', status: 'completed' }])
  expect(await due.getByRole('checkbox', { name: 'Water' }).isChecked()).toBe(true)
  await eventually(() => due.getByRole('checkbox').count(), 1)
})
