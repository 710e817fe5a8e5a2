import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { putFinger } from '../../support/finger'
import type { Actor } from '../../support/harness'
import { createProject, createTask, projectsOf, send } from '../../support/projects'
import {
  type Client,
  eventually,
  eventuallyMatches,
  hold,
  SCREENS,
  startClient,
  tryAgain,
} from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

/** The projects of somebody, as they stand in their list. */
async function opened(names: readonly string[], options: Parameters<Client['open']>[0] = {}) {
  const ada = await client.h.signedIn()
  const ids = new Map<string, number>()
  for (const name of names) ids.set(name, (await createProject(ada, { name })).id)
  const { page, context } = await client.open({ as: ada, ...options })
  await page.goto('/projects')
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
  if (names.length > 0) await link(page, names[0] ?? '').waitFor()
  const idOf = (name: string) => ids.get(name) ?? 0
  return { ada, page, idOf, [Symbol.asyncDispose]: () => context.close() }
}

const link = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true })
const namesOf = async (actor: Actor) => (await projectsOf(actor)).map(({ name }) => name)

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

const message = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true })

test('the first project is made from the empty page, and leads to its own', async () => {
  await using made = await opened([])
  const { ada, page } = made
  await page.getByText('Make your first project').waitFor()
  await page.getByRole('main').getByRole('button', { name: 'New project' }).click()
  const dialog = page.getByRole('dialog', { name: 'New project' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Fill this in.').waitFor()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Garden')
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Beds')
  await dialog.getByRole('combobox', { name: 'Status' }).selectOption('In progress')
  await dialog.getByRole('textbox', { name: 'Due date' }).fill('30 april')
  await dialog.getByRole('radio', { name: 'Green' }).click()
  await dialog.getByRole('switch', { name: 'Tracked' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor()
  await eventuallyMatches(async () => (await projectsOf(ada))[0], {
    name: 'Garden',
    description: 'Beds',
    status: 'in_progress',
    due_date: '2026-04-30',
    color: '#2f8f5b',
    is_tracked: true,
  })
  const [garden] = await projectsOf(ada)
  await page.waitForURL(`**/projects/${garden?.id}`)
})

test('"Project" in the menu "New" begins a project from any page, and Back closes it', async () => {
  await using made = await opened(['Garden'])
  const { page } = made
  await page.goto('/settings/appearance')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Project' }).click()
  await page.getByRole('dialog', { name: 'New project' }).waitFor()
  await page.goBack()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('a project is changed where it stands, at once and before the service answers', async () => {
  await using made = await opened(['Garden', 'Office'])
  const { ada, page, idOf } = made
  const answer = await hold(page, '**/api/projects/*')
  await choose(page, 'Garden', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit project' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Kitchen garden')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await link(page, 'Kitchen garden').waitFor()
  answer()
  await eventuallyMatches(async () => (await send(ada, 'GET', `/${idOf('Garden')}`)).body, {
    name: 'Kitchen garden',
  })
})

test('projects are put in order by keys, by the menu and by a dialog, and "Undo" takes it back', async () => {
  await using made = await opened(['One', 'Two', 'Three'])
  const { ada, page } = made
  await link(page, 'One').focus()
  await page.keyboard.press('Alt+ArrowDown')
  await message(page, 'Moved One to place 2 of 3').waitFor()
  await eventually(() => namesOf(ada), ['Two', 'One', 'Three'])
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('One')
  await choose(page, 'Three', 'Move up')
  await eventually(() => namesOf(ada), ['Two', 'Three', 'One'])
  await choose(page, 'One', 'Move to…')
  const dialog = page.getByRole('dialog', { name: 'Move One' })
  await dialog.getByRole('combobox', { name: 'Place' }).selectOption('First')
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await eventually(() => namesOf(ada), ['One', 'Two', 'Three'])
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await eventually(() => namesOf(ada), ['Two', 'Three', 'One'])
})

test('a move in a list that has changed meanwhile is made once more in the new list, and nobody is bothered', async () => {
  await using made = await opened(['One', 'Two', 'Three'])
  const { ada, page } = made
  const statuses: number[] = []
  page.on('response', (answer) => {
    if (answer.url().endsWith('/reorder')) statuses.push(answer.status())
  })
  await page.route(
    '**/api/projects/reorder',
    async (route) => {
      await createProject(ada, { name: 'Four', position: 1 })
      await route.continue()
    },
    { times: 1 },
  )
  await link(page, 'One').focus()
  await page.keyboard.press('Alt+ArrowDown')
  await eventually(() => namesOf(ada), ['Four', 'Two', 'One', 'Three'])
  await eventually(() => Promise.resolve(statuses), [409, 200])
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(() => namesOf(ada), ['Four', 'One', 'Two', 'Three'])
})

test('a deleted project takes its tasks and comments along, says how many, and comes back with them', async () => {
  await using made = await opened(['Garden', 'Office'])
  const { ada, page, idOf } = made
  const garden = idOf('Garden')
  const task = await createTask(ada, garden, { title: 'Dig' })
  await send(ada, 'POST', `/${garden}/tasks/${task.id}/comments`, { body: 'Deep' })
  // Changes come in their order: with the second task the comment is there.
  await createTask(ada, garden, { title: 'Fetch the spade', parent_task_id: task.id })
  await page.getByText('0 of 2 tasks done').waitFor()
  await link(page, 'Garden').focus()
  await page.keyboard.press('Delete')
  await message(page, 'Deleted Garden with 2 tasks and 1 comment').waitFor()
  await eventually(() => namesOf(ada), ['Office'])
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), 'Office')
  await page.getByRole('button', { name: 'Undo' }).click()
  await link(page, 'Garden').waitFor()
  await page.getByText('0 of 2 tasks done').waitFor()
  const { body } = await send(ada, 'GET', `/${garden}/tasks/${task.id}/comments`)
  expect(body.comments).toMatchObject([{ body: 'Deep' }])
})

test('what is due soon in tracked projects stands on the page, and what one ticks there stays until one leaves', async () => {
  await using made = await opened(['Garden', 'Office'])
  const { ada, page, idOf } = made
  await send(ada, 'PUT', `/${idOf('Garden')}`, { is_tracked: true })
  const { id } = await createTask(ada, idOf('Garden'), { title: 'Dig', due_date: '2026-03-06' })
  await createTask(ada, idOf('Garden'), { title: 'Much later', due_date: '2026-09-06' })
  await createTask(ada, idOf('Office'), { title: 'Not tracked', due_date: '2026-03-05' })
  const list = page.getByRole('list', { name: 'Due in tracked projects' })
  const box = list.getByRole('checkbox', { name: 'Dig' })
  await box.focus()
  expect(await list.getByRole('listitem').count()).toBe(1)
  await page.keyboard.press('Space')
  await eventuallyMatches(async () => (await send(ada, 'GET', `/${idOf('Garden')}/tasks/${id}`)).body, {
    status: 'completed',
  })
  expect(await box.isChecked()).toBe(true)
  await page.getByText('1 of 2 tasks done').waitFor()
})

test('a project says what it was before, and brings it back', async () => {
  await using made = await opened(['Garden'])
  const { ada, page, idOf } = made
  await send(ada, 'PUT', `/${idOf('Garden')}`, { name: 'Park', status: 'on_hold' })
  await link(page, 'Park').click()
  await page.getByRole('heading', { level: 1, name: 'Park' }).waitFor()
  await page.getByRole('button', { name: 'History' }).click()
  const dialog = page.getByRole('dialog', { name: 'History of Park' })
  await dialog.getByText('Name: from “Garden” to “Park”').waitFor()
  await dialog.getByText('Status: from “not started” to “on hold”').waitFor()
  await dialog.getByRole('button', { name: /^Bring back the version/ }).click()
  await eventuallyMatches(async () => (await send(ada, 'GET', `/${idOf('Garden')}`)).body, {
    name: 'Garden',
    status: 'not_started',
  })
})

const MANY = Array.from({ length: 14 }, (_, at) => `Project ${at + 1}`)

test('on a phone a finger that moves at once scrolls the list, and moves nothing', async () => {
  await using made = await opened(MANY, { options: SCREENS.phone })
  const { ada, page } = made
  const swipe = await putFinger(page, link(page, 'Project 3'))
  await swipe.by(0, -160)
  await swipe.up()
  await page.waitForFunction(() => scrollY > 80)
  expect(await namesOf(ada)).toEqual(MANY)
})

test('on a phone a finger that rests on a project first moves it, and opens nothing', async () => {
  await using made = await opened(MANY, { options: SCREENS.phone })
  const { ada, page } = made
  const [one, two] = await Promise.all(
    ['Project 1', 'Project 2'].map((name) => link(page, name).boundingBox()),
  )
  const press = await putFinger(page, link(page, 'Project 1'))
  await page.locator('[data-dragged]').waitFor()
  await press.by(0, ((two?.y ?? 0) - (one?.y ?? 0)) * 1.8)
  await press.up()
  await eventually(async () => (await namesOf(ada)).slice(0, 2), ['Project 2', 'Project 1'])
  expect(new URL(page.url()).pathname).toBe('/projects')
})

test('where the projects cannot be read, the page says so and tries again', async () => {
  const ada = await client.h.signedIn()
  await createProject(ada, { name: 'Garden' })
  const { page, context } = await client.open({ as: ada })
  await page.route('**/api/changes?*types=project*', (route) =>
    route.fulfill({ status: 500, json: { detail: 'Broken' } }),
  )
  await page.goto('/projects')
  await page.getByText('The projects could not be read.').waitFor()
  expect(await page.getByText('Make your first project').count()).toBe(0)
  await tryAgain(page, '**/api/changes?*types=project*')
  await link(page, 'Garden').waitFor()
  await context.close()
})

test('a project that is gone has a page that says so', async () => {
  await using made = await opened([])
  await made.page.goto('/projects/999999')
  await made.page.getByRole('heading', { level: 1, name: 'This is gone' }).waitFor()
})
