import { afterAll, beforeAll, expect } from 'bun:test'
import { test } from '../../support/browser'
import { projectsOf, send } from '../../support/projects'
import { type Client, eventuallyMatches, holdToDraw, startClient } from '../../support/web'

// A new project has an id of this device until the service answers.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

/** The page of a project that was just made, whose answer is held. */
async function making() {
  const ada = await client.h.signedIn()
  const { page, context } = await client.open({ as: ada })
  await page.goto('/projects?new')
  const answer = await holdToDraw(page, '**/api/projects')
  await page.getByRole('textbox', { name: 'Name' }).fill('Boat')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Boat' }).waitFor()
  const toList = () => page.getByRole('main').getByRole('link', { name: 'Projects' }).click()
  return { ada, page, answer, toList, [Symbol.asyncDispose]: () => context.close() }
}

test('the menu of a new project stays open when the service answers, and its dialog keeps what is typed', async () => {
  await using made = await making()
  const { ada, page, answer, toList } = made
  await toList()
  await page.getByRole('button', { name: 'More actions for Boat' }).click()
  const edit = page.getByRole('menuitem', { name: 'Edit' })
  await edit.waitFor()
  await answer()
  expect(await edit.isVisible()).toBe(true)
  await edit.click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Ship')
  await page.getByRole('button', { name: 'Save' }).click()
  await eventuallyMatches(() => projectsOf(ada), [{ name: 'Ship' }])
})

test('who edits a new project goes on typing when the service answers', async () => {
  await using made = await making()
  const { ada, page, answer, toList } = made
  await toList()
  await page.getByRole('button', { name: 'More actions for Boat' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const description = page.getByRole('textbox', { name: 'Description' })
  await description.fill('A')
  await answer()
  await page.keyboard.type(' yawl')
  expect(await description.inputValue()).toBe('A yawl')
  await page.getByRole('button', { name: 'Save' }).click()
  await eventuallyMatches(() => projectsOf(ada), [{ name: 'Boat', description: 'A yawl' }])
})

test('what is open over the page of a new project stays open when the service answers', async () => {
  await using made = await making()
  const { ada, page, answer } = made
  await page.keyboard.press('c')
  const title = page.getByRole('dialog', { name: 'New event' }).getByRole('textbox', { name: 'Title' })
  await title.fill('Launch')
  await answer()
  expect(await title.inputValue()).toBe('Launch')
  await page.keyboard.press('Escape')
  const [project] = await projectsOf(ada)
  await page.waitForURL(`**/projects/${project?.id}`)
})

test('the tasks of a new project, and what is typed for the next, stay when the service answers', async () => {
  await using made = await making()
  const { ada, page, answer } = made
  const field = page.getByRole('textbox', { name: 'Add a task' })
  await field.fill('Sand')
  await page.keyboard.press('Enter')
  await field.fill('Pai')
  const line = page.getByRole('checkbox', { name: 'Sand' })
  await line.waitFor()
  const answerTask = await holdToDraw(page, '**/api/projects/*/tasks')
  await answer()
  await page.keyboard.type('nt')
  expect(await line.count()).toBe(1)
  expect(await field.inputValue()).toBe('Paint')
  await answerTask()
  const [project] = await projectsOf(ada)
  await eventuallyMatches(
    async () => (await send(ada, 'GET', `/${project?.id}/tasks`)).body.tasks,
    [{ title: 'Sand' }],
  )
})
