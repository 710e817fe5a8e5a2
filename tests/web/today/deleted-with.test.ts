import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { type Client, hold, startClient } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const goTo = (page: Page, place: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click()
const box = (page: Page, name: string) => page.getByRole('checkbox', { name })

test('what is due of a deleted list or project goes from Today with it, before the service has answered', async () => {
  const ada = await client.h.signedIn()
  const { body: list } = await ada.request('POST', '/api/todo-lists', { body: { name: 'Garden' } })
  const { body: project } = await ada.request('POST', '/api/projects', { body: { name: 'Boat' } })
  const due = { due_date: '2026-03-04' }
  await ada.request('POST', '/api/todos', { body: { title: 'Prune', list_id: list.id, ...due } })
  await ada.request('POST', '/api/todos', { body: { title: 'Pay rent', ...due } })
  await ada.request('POST', `/api/projects/${project.id}/tasks`, { body: { title: 'Sand', ...due } })
  const { page, context } = await client.open({ as: ada })
  await page.goto('/today')
  for (const name of ['Prune', 'Pay rent', 'Sand']) await box(page, name).waitFor()
  const release = await hold(page, '**/api/{todo-lists,projects}/*')

  await goTo(page, 'Todos')
  await page.getByRole('button', { name: 'Lists' }).click()
  await page.getByRole('button', { name: 'More actions for Garden' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.keyboard.press('Escape')
  await goTo(page, 'Projects')
  await page.getByRole('button', { name: 'More actions for Boat' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await goTo(page, 'Today')
  await box(page, 'Pay rent').waitFor()
  expect(await box(page, 'Prune').count()).toBe(0)
  expect(await box(page, 'Sand').count()).toBe(0)
  release()
  await context.close()
})
