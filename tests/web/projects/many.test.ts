import { afterAll, beforeAll, expect } from 'bun:test'
import { test } from '../../support/browser'
import type { Actor } from '../../support/harness'
import { createProject, createTask, send } from '../../support/projects'
import { type Client, eventually, startClient } from '../../support/web'

const COUNT = 500

let client: Client
let ada: Actor
let project: number
beforeAll(async () => {
  client = await startClient()
  ada = await client.h.signedIn()
  project = (await createProject(ada, { name: 'Garden' })).id
  for (let number = 1; number <= COUNT; number++) await createTask(ada, project, { title: `Task ${number}` })
}, 120_000)
afterAll(() => client[Symbol.asyncDispose]())

async function opened(layout: 'list' | 'board') {
  const { page, context } = await client.open({ as: ada })
  await page.goto(`/projects/${project}?layout=${layout}`)
  await page.getByRole('link', { name: 'Task 1', exact: true }).waitFor()
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

const titleAt = async (position: number) =>
  (await send(ada, 'GET', `/${project}/tasks?limit=200`)).body.tasks[position - 1].title as string

test('of 500 tasks only those in sight stand in the list, and each of them can be reached and moved', async () => {
  await using made = await opened('list')
  const { page } = made
  const lines = page.getByRole('list', { name: 'Tasks' }).getByRole('listitem')
  await eventually(async () => (await lines.count()) < 80, true)
  await page.getByText('0 of 500 tasks done').waitFor()
  await page.getByRole('checkbox', { name: 'Task 1', exact: true }).focus()
  await page.keyboard.press('End')
  await page.getByRole('checkbox', { name: 'Task 500', exact: true }).waitFor()
  await page.keyboard.press('Home')
  await page.keyboard.press('Alt+ArrowDown')
  await eventually(() => titleAt(2), 'Task 1')
  await page.keyboard.press('Alt+ArrowUp')
  await eventually(() => titleAt(1), 'Task 1')
})

test('a column of the board shows 50 cards, and more when somebody asks for them', async () => {
  await using made = await opened('board')
  const { page } = made
  const cards = page.getByRole('list', { name: 'Open' }).getByRole('listitem')
  expect(await cards.count()).toBe(50)
  await page.getByRole('button', { name: 'Load more' }).click()
  await eventually(() => cards.count(), 100)
})
