import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { createProject, createTask, type Item, send } from '../../support/projects'
import { type Client, eventually, eventuallyMatches, SCREENS, startClient, hold } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

interface TitledTask {
  readonly title: string
  readonly subtasks?: readonly TitledTask[]
}

/** A project with tasks; a title after `>` is a subtask of the one before. */
async function opened(titles: readonly string[], options: Parameters<Client['open']>[0] = {}) {
  const ada = await client.h.signedIn()
  const project = await createProject(ada, { name: 'Garden' })
  const ids = new Map<string, number>()
  let parent: Item | undefined
  for (const each of titles) {
    const title = each.replace('> ', '')
    const fields = { title, ...(each !== title && parent && { parent_task_id: parent.id }) }
    const task = await createTask(ada, project.id, fields)
    if (each === title) parent = task
    ids.set(title, task.id)
  }
  const { page, context } = await client.open({ as: ada, ...options })
  await page.goto(`/projects/${project.id}`)
  await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor()
  if (titles[0] !== undefined) await page.getByRole('checkbox', { name: titles[0] }).waitFor()
  return {
    ada,
    page,
    project: project.id,
    idOf: (title: string) => ids.get(title) ?? 0,
    taskOf: async (title: string) => (await send(ada, 'GET', `/${project.id}/tasks/${ids.get(title)}`)).body,
    /** All tasks in their order, subtasks after `>`. */
    tree: async () => {
      const { body } = await send(ada, 'GET', `/${project.id}/tasks?limit=200`)
      return (body.tasks as TitledTask[]).flatMap(({ title, subtasks = [] }) => [
        title,
        ...subtasks.map((subtask) => `> ${subtask.title}`),
      ])
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}

const list = (page: Page) => page.getByRole('list', { name: 'Tasks', exact: true })
const box = (page: Page, title: string) => list(page).getByRole('checkbox', { name: title, exact: true })
const pane = (page: Page) => page.getByRole('complementary', { name: 'Task' })
const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  )

async function choose(page: Page, title: string, action: string): Promise<void> {
  await list(page)
    .getByRole('button', { name: `More actions for ${title}` })
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}

const message = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true })

test('tasks are typed one after the other, and show before the service answers', async () => {
  await using made = await opened([])
  const { page, tree } = made
  await page.getByText('No tasks yet').last().waitFor()
  const answer = await hold(page, '**/api/projects/*/tasks')
  await page.getByRole('textbox', { name: 'Add a task' }).focus()
  await page.keyboard.type('Dig')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Sow')
  await page.keyboard.press('Enter')
  await box(page, 'Sow').waitFor()
  expect(await tree()).toEqual([])
  await page.getByText('0 of 2 tasks done').waitFor()
  answer()
  await eventually(tree, ['Dig', 'Sow'])
})

test('a tick marks a task as done at once, and the figures of the project and of the list of projects agree', async () => {
  await using made = await opened(['Dig', '> Fetch the spade', 'Sow'])
  const { page, taskOf } = made
  await box(page, 'Fetch the spade').click()
  await message(page, 'Marked Fetch the spade as done').waitFor()
  await page.getByText('1 of 3 tasks done').waitFor()
  await eventuallyMatches(() => taskOf('Fetch the spade'), { status: 'completed' })
  await page.getByRole('main').getByRole('link', { name: 'Projects' }).click()
  await page.getByText('1 of 3 tasks done').waitFor()
})

test('arrows with Alt move a task past its siblings, and a subtask on to the next task', async () => {
  await using made = await opened(['Dig', '> Fetch the spade', '> Sharpen it', 'Sow', 'Water'])
  const { page, tree } = made
  await box(page, 'Dig').focus()
  await page.keyboard.press('Alt+ArrowDown')
  await message(page, 'Moved Dig to place 2 of 3').waitFor()
  await eventually(tree, ['Sow', 'Dig', '> Fetch the spade', '> Sharpen it', 'Water'])
  expect(await focused(page)).toBe('Dig')
  await box(page, 'Sharpen it').focus()
  await page.keyboard.press('Alt+ArrowUp')
  await eventually(tree, ['Sow', 'Dig', '> Sharpen it', '> Fetch the spade', 'Water'])
  await page.keyboard.press('Alt+ArrowUp')
  await eventually(tree, ['Sow', '> Sharpen it', 'Dig', '> Fetch the spade', 'Water'])
  await eventually(() => focused(page), 'Sharpen it')
})

test('"Move to…" gives a task another task, place and status, and "Undo" takes all of it back', async () => {
  await using made = await opened(['Dig', '> Fetch the spade', 'Sow', 'Water'])
  const { page, tree, taskOf } = made
  await choose(page, 'Water', 'Move to…')
  const dialog = page.getByRole('dialog', { name: 'Move Water' })
  await dialog.getByRole('combobox', { name: 'Belongs to' }).selectOption('Dig')
  await dialog.getByRole('combobox', { name: 'Place' }).selectOption('First')
  await dialog.getByRole('combobox', { name: 'Status' }).selectOption('In progress')
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await eventually(tree, ['Dig', '> Water', '> Fetch the spade', 'Sow'])
  await eventuallyMatches(() => taskOf('Water'), { status: 'in_progress' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(tree, ['Dig', '> Fetch the spade', 'Sow', 'Water'])
  await eventuallyMatches(() => taskOf('Water'), { status: 'pending' })
})

test('a task is dragged to another place', async () => {
  await using made = await opened(['Dig', 'Sow', 'Water'])
  const { page, tree } = made
  const [from, to] = await Promise.all(
    ['Dig', 'Water'].map((title) => list(page).getByRole('link', { name: title }).boundingBox()),
  )
  if (!from || !to) throw new Error('The tasks are not shown')
  await page.mouse.move(from.x + 10, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(from.x + 10, to.y + to.height + 4, { steps: 5 })
  await page.mouse.up()
  await eventually(tree, ['Sow', 'Water', 'Dig'])
  expect(new URL(page.url()).pathname).not.toContain('tasks')
})

test('every field of a task is changed beside the list, each as soon as it is left', async () => {
  await using made = await opened(['Dig', 'Sow'])
  const { page, project, idOf, taskOf } = made
  await list(page).getByRole('link', { name: 'Dig' }).click()
  await page.waitForURL(`**/projects/${project}/tasks/${idOf('Dig')}`)
  const field = (name: string) => pane(page).getByRole('textbox', { name })
  await field('Title').fill('Dig deep')
  await page.keyboard.press('Enter')
  await field('Description').fill('Two spades')
  await field('Due date').fill('someday')
  await page.keyboard.press('Tab')
  await pane(page).getByText('This is not a date.', { exact: false }).waitFor()
  await field('Due date').fill('tomorrow')
  await page.keyboard.press('Tab')
  await pane(page).getByRole('combobox', { name: 'Priority' }).selectOption('High')
  await pane(page).getByRole('combobox', { name: 'Status' }).selectOption('In progress')
  await eventuallyMatches(() => taskOf('Dig'), {
    title: 'Dig deep',
    description: 'Two spades',
    due_date: '2026-03-05',
    priority: 'high',
    status: 'in_progress',
  })
  expect(await field('Due date').inputValue()).toBe('Thu 5 Mar 2026')
  await field('Title').fill('')
  await page.keyboard.press('Enter')
  await pane(page).getByText('Fill this in.').waitFor()
  await page.keyboard.press('Escape')
  expect(await field('Title').inputValue()).toBe('Dig deep')
  await pane(page).getByRole('combobox', { name: 'Belongs to' }).selectOption('Sow')
  await eventuallyMatches(() => taskOf('Dig'), { parent_task_id: idOf('Sow') })
})

test('what is typed in a field of a task stays, and meets what somebody else changed', async () => {
  await using made = await opened(['Dig'])
  const { ada, page, project, idOf, taskOf } = made
  await list(page).getByRole('link', { name: 'Dig' }).click()
  const title = pane(page).getByRole('textbox', { name: 'Title' })
  await title.fill('Dig deep')
  await send(ada, 'PUT', `/${project}/tasks/${idOf('Dig')}`, { title: 'Dig wide', priority: 'low' })
  await list(page).getByText('Low priority').waitFor()
  expect(await title.inputValue()).toBe('Dig deep')
  await title.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Changed elsewhere' })
  await dialog.getByRole('radio', { name: 'Keep mine' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await eventuallyMatches(() => taskOf('Dig'), { title: 'Dig deep', priority: 'low' })
})

test('subtasks are added, ticked and put in order beside the list', async () => {
  await using made = await opened(['Dig'])
  const { page, tree } = made
  await list(page).getByRole('link', { name: 'Dig' }).click()
  await pane(page).getByRole('textbox', { name: 'Add a subtask' }).focus()
  for (const title of ['Fetch the spade', 'Sharpen it']) {
    await page.keyboard.type(title)
    await page.keyboard.press('Enter')
  }
  await eventually(tree, ['Dig', '> Fetch the spade', '> Sharpen it'])
  await pane(page).getByRole('checkbox', { name: 'Sharpen it' }).click()
  await pane(page).getByText('1 of 2 done').waitFor()
  await pane(page).getByRole('button', { name: 'More actions for Sharpen it' }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await eventually(tree, ['Dig', '> Sharpen it', '> Fetch the spade'])
})

test('a deleted task takes its subtasks and comments along, says how many, and comes back with them', async () => {
  await using made = await opened(['Dig', '> Fetch the spade', 'Sow'])
  const { ada, page, project, idOf, tree } = made
  await send(ada, 'POST', `/${project}/tasks/${idOf('Dig')}/comments`, { body: 'Deep' })
  await list(page).getByText('1 comment').waitFor()
  await list(page).getByRole('link', { name: 'Fetch the spade' }).click()
  await pane(page).waitFor()
  await choose(page, 'Dig', 'Delete')
  await message(page, 'Deleted Dig with 1 subtask and 1 comment').waitFor()
  await pane(page).waitFor({ state: 'detached' })
  await eventually(tree, ['Sow'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(tree, ['Dig', '> Fetch the spade', 'Sow'])
  await box(page, 'Fetch the spade').waitFor()
  await list(page).getByText('1 comment').waitFor()
})

test('somebody comments on a task, changes the comment and deletes it, with "Undo"', async () => {
  await using made = await opened(['Dig'])
  const { ada, page, project, idOf } = made
  const comments = async () =>
    (await send(ada, 'GET', `/${project}/tasks/${idOf('Dig')}/comments`)).body.comments.map(
      ({ body }: { body: string }) => body,
    )
  await list(page).getByRole('link', { name: 'Dig' }).click()
  const typed = pane(page).getByRole('textbox', { name: 'Add a comment' })
  await typed.fill('Deep')
  await page.keyboard.press('Control+Enter')
  await eventually(comments, ['Deep'])
  expect(await typed.inputValue()).toBe('')
  const list2 = pane(page).getByRole('list', { name: 'Comments' })
  await list2.getByText(ada.row.networkName, { exact: true }).waitFor()
  await list2.getByRole('button', { name: 'More actions for Deep' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await list2.getByRole('textbox', { name: 'Comment' }).fill('Very deep')
  await list2.getByRole('button', { name: 'Save' }).click()
  await eventually(comments, ['Very deep'])
  expect(await focused(page)).toBe('More actions for Very deep')
  await list2.getByText('edited', { exact: false }).waitFor()
  await list2.getByRole('button', { name: 'More actions for Very deep' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await eventually(comments, [])
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await eventually(comments, ['Very deep'])
  await list2.getByText('Very deep').waitFor()
})

test('everything about tasks is done by keyboard alone', async () => {
  await using made = await opened(['Dig', 'Sow', 'Water'])
  const { page, tree, taskOf } = made
  await box(page, 'Dig').focus()
  await page.keyboard.press('ArrowDown')
  expect(await focused(page)).toBe('Sow')
  await page.keyboard.press('Space')
  await eventuallyMatches(() => taskOf('Sow'), { status: 'completed' })
  await page.keyboard.press('Enter')
  await pane(page).getByRole('heading', { name: 'Sow' }).waitFor()
  await page.keyboard.press('Escape')
  await pane(page).waitFor({ state: 'detached' })
  expect(await focused(page)).toBe('Sow')
  await page.keyboard.press('Delete')
  await eventually(tree, ['Dig', 'Water'])
  await eventually(() => focused(page), 'Water')
  await page.keyboard.press('Control+z')
  await eventually(tree, ['Dig', 'Sow', 'Water'])
})

test('what the service refuses is taken back and told', async () => {
  await using made = await opened(['Dig'])
  const { page } = made
  await page.route('**/api/projects/*/tasks/*', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 422, json: { detail: 'Validation failed', errors: [] } })
      : route.continue(),
  )
  await box(page, 'Dig').click()
  await page.getByRole('alert').filter({ hasText: 'Not saved: Marked Dig as done' }).waitFor()
  expect(await box(page, 'Dig').isChecked()).toBe(false)
})

test('on a phone a task is a page of its own, and Back leads to its list', async () => {
  await using made = await opened(['Dig', 'Sow'], { options: SCREENS.phone })
  const { page, taskOf } = made
  await list(page).getByRole('link', { name: 'Dig' }).tap()
  await page.getByRole('heading', { level: 1, name: 'Dig' }).waitFor()
  await page.getByRole('combobox', { name: 'Priority' }).selectOption('Medium')
  await eventuallyMatches(() => taskOf('Dig'), { priority: 'medium' })
  await page.getByRole('button', { name: 'Back', exact: true }).tap()
  await list(page).getByText('Medium priority').waitFor()
})

test('a task that is gone has a page that says so', async () => {
  await using made = await opened(['Dig'])
  await made.page.goto(`/projects/${made.project}/tasks/999999`)
  await made.page.getByRole('heading', { level: 1, name: 'This is gone' }).waitFor()
})
