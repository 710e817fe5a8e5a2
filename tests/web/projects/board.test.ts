import { afterAll, beforeAll, expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { test } from '../../support/browser'
import { putFinger } from '../../support/finger'
import { createProject, createTask, send } from '../../support/projects'
import { type Client, eventually, eventuallyMatches, hold, SCREENS, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const TASKS = [
  ['Dig', 'pending'],
  ['Sow', 'pending'],
  ['Water', 'in_progress'],
  ['Weed', 'completed'],
] as const

async function opened(options: Parameters<Client['open']>[0] = {}) {
  const ada = await client.h.signedIn()
  const { id: project } = await createProject(ada, { name: 'Garden' })
  for (const [title, status] of TASKS) await createTask(ada, project, { title, status })
  const { page, context } = await client.open({ as: ada, ...options })
  await page.goto(`/projects/${project}?layout=board`)
  await card(page, 'Dig').waitFor()
  return {
    ada,
    page,
    project,
    /** All tasks in their order, as `title: status`. */
    order: async () => {
      const { body } = await send(ada, 'GET', `/${project}/tasks`)
      return (body.tasks as ReadonlyArray<{ readonly title: string; readonly status: string }>).map(
        ({ title, status }) => `${title}: ${status}`,
      )
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}

const column = (page: Page, name: string) => page.getByRole('list', { name, exact: true })
const card = (page: Page, title: string) =>
  page.getByRole('main').getByRole('link', { name: title, exact: true })
const titlesIn = (page: Page, name: string) => column(page, name).getByRole('link').allTextContents()
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
const message = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true })

async function centreOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('Not shown')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function drag(
  page: Page,
  title: string,
  to: { readonly x: number; readonly y: number },
): Promise<void> {
  const from = await centreOf(card(page, title))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 6 })
  await page.mouse.up()
}

test('the board shows the tasks in columns by their status, and its address survives a reload', async () => {
  await using made = await opened()
  const { page } = made
  await page.reload()
  await card(page, 'Dig').waitFor()
  expect(await titlesIn(page, 'Open')).toEqual(['Dig', 'Sow'])
  expect(await titlesIn(page, 'In progress')).toEqual(['Water'])
  expect(await titlesIn(page, 'Completed')).toEqual(['Weed'])
  await page.getByRole('radio', { name: 'List' }).click()
  await page.getByRole('list', { name: 'Tasks' }).waitFor()
  expect(new URL(page.url()).search).toBe('')
})

test('a card is dragged to another column, to its place there, and "Undo" brings it back', async () => {
  await using made = await opened()
  const { page, order } = made
  const { x, y } = await centreOf(card(page, 'Water'))
  await drag(page, 'Dig', { x, y: y + 40 })
  await message(page, 'Moved Dig to In progress').waitFor()
  expect(await titlesIn(page, 'In progress')).toEqual(['Water', 'Dig'])
  await eventually(order, ['Sow: pending', 'Water: in_progress', 'Dig: in_progress', 'Weed: completed'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(order, ['Dig: pending', 'Sow: pending', 'Water: in_progress', 'Weed: completed'])
  expect(await titlesIn(page, 'Open')).toEqual(['Dig', 'Sow'])
})

test('a card is dragged within its column, and the drag opens nothing', async () => {
  await using made = await opened()
  const { page, order } = made
  const { x, y } = await centreOf(card(page, 'Sow'))
  await drag(page, 'Dig', { x, y: y + 20 })
  await eventually(order, ['Sow: pending', 'Dig: pending', 'Water: in_progress', 'Weed: completed'])
  expect(new URL(page.url()).pathname).not.toContain('tasks')
})

test('a card moves by keys, each step is said, and the focus goes along', async () => {
  await using made = await opened()
  const { page, order } = made
  await card(page, 'Dig').focus()
  await page.keyboard.press('Alt+ArrowRight')
  await message(page, 'Moved Dig to In progress').waitFor()
  expect(await focused(page)).toBe('Dig')
  await page.keyboard.press('Alt+ArrowRight')
  await message(page, 'Moved Dig to Completed').waitFor()
  await page.keyboard.press('Alt+ArrowDown')
  await message(page, 'Moved Dig to place 4 of 4').waitFor()
  await eventually(order, ['Sow: pending', 'Water: in_progress', 'Weed: completed', 'Dig: completed'])
  expect(await focused(page)).toBe('Dig')
})

test('arrows go from card to card and from column to column', async () => {
  await using made = await opened()
  const { page } = made
  await card(page, 'Dig').focus()
  for (const [key, title] of [
    ['ArrowDown', 'Sow'],
    ['ArrowRight', 'Water'],
    ['ArrowRight', 'Weed'],
    ['ArrowLeft', 'Water'],
  ] as const) {
    await page.keyboard.press(key)
    expect(await focused(page)).toBe(title)
  }
})

test('a card moves by its menu, to any column', async () => {
  await using made = await opened()
  const { page, order } = made
  await page.getByRole('button', { name: 'More actions for Sow' }).click()
  await page.getByRole('menuitem', { name: 'Move to…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move Sow' })
  await dialog.getByRole('combobox', { name: 'Status' }).selectOption('Completed')
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await eventually(order, ['Dig: pending', 'Sow: completed', 'Water: in_progress', 'Weed: completed'])
  await page.getByRole('button', { name: 'More actions for Weed' }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await eventually(order, ['Dig: pending', 'Weed: completed', 'Sow: completed', 'Water: in_progress'])
})

test('a card stands in its new column at once, before the service answers', async () => {
  await using made = await opened()
  const { page, order } = made
  const release = await hold(page, '**/api/projects/**')
  await card(page, 'Dig').focus()
  await page.keyboard.press('Alt+ArrowRight')
  await eventually(() => titlesIn(page, 'In progress'), ['Dig', 'Water'])
  expect((await order())[0]).toBe('Dig: pending')
  release()
  await eventuallyMatches(
    order,
    ['Dig: in_progress'].concat(['Sow: pending', 'Water: in_progress', 'Weed: completed']),
  )
})

test('on a phone a finger that rests on a card moves it to the next column, and one that moves at once scrolls', async () => {
  await using made = await opened({ options: SCREENS.phone })
  const { page, order } = made
  const swipe = await putFinger(page, card(page, 'Dig'))
  await swipe.by(0, -60)
  await swipe.up()
  await page.waitForFunction(() => scrollY > 20)
  expect((await order())[0]).toBe('Dig: pending')
  await (await card(page, 'Dig').elementHandle())?.waitForElementState('stable')
  const [from, to] = [await centreOf(card(page, 'Dig')), await centreOf(card(page, 'Water'))]
  const press = await putFinger(page, card(page, 'Dig'))
  await page.locator('[data-dragged]').waitFor()
  await press.by(0, to.y - from.y + 30)
  await press.up()
  await eventually(order, ['Sow: pending', 'Water: in_progress', 'Dig: in_progress', 'Weed: completed'])
})
