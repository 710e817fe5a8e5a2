import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import type { Actor } from '../../support/harness'
import { friends } from '../../support/inviting'
import { pressOn } from '../../support/keyboard'
import { type Client, eventually, SCREENS, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const post = async (actor: Actor, path: string, body: object) => {
  const answer = await actor.request('POST', `/api/${path}`, { body })
  expect([answer.status, answer.body]).toEqual([201, answer.body])
  return answer.body
}
const trashOf = async (actor: Actor): Promise<string[]> =>
  (await actor.request('GET', '/api/trash')).body.items.map(({ title }: { title: string }) => title)

/** A calendar with two events, and a todo, all deleted. */
async function withTrash() {
  const ada = await client.h.signedIn()
  const garden = await post(ada, 'calendars', { name: 'Garden' })
  for (const title of ['Sow peas', 'Weed'])
    await post(ada, 'events', {
      title,
      calendar_id: garden.id,
      start_at: '2026-03-05T09:00:00Z',
      end_at: '2026-03-05T10:00:00Z',
    })
  const todo = await post(ada, 'todos', { title: 'Buy seeds' })
  await ada.request('DELETE', `/api/calendars/${garden.id}`)
  await ada.request('DELETE', `/api/todos/${todo.id}`)
  return { ada, garden, todo }
}

async function openTrash(as: Actor, options: Parameters<Client['open']>[0] = {}, path = '/trash') {
  const { page, context } = await client.open({ as, ...options })
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, context, list: page.getByRole('list', { name: /Trash|Recent changes/ }) }
}

const line = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })

test('what was deleted says what was in it and how long it stays, and comes back with all of it', async () => {
  const { ada, garden } = await withTrash()
  const { page, context } = await openTrash(ada)
  await line(page, 'Garden')
    .getByText('Calendar · with 2 events · deleted today at 10:30 · gone for good on 3 April 2026')
    .waitFor()
  await page.getByRole('button', { name: 'Restore Garden' }).click()
  await page.getByText('Restored Garden with 2 events').waitFor()
  expect(await trashOf(ada)).toEqual(['Buy seeds'])
  await page.getByRole('button', { name: 'Show' }).click()
  await page.waitForURL(`**/settings/calendars/${garden.id}`)
  await page.goto('/calendar/week/2026-03-05')
  await page.getByRole('button', { name: /^Sow peas, Thursday 5 March 2026/ }).waitFor()
  await context.close()
})

test('a restoration is taken back by "Undo" of its message', async () => {
  const { ada } = await withTrash()
  const { page, context } = await openTrash(ada)
  await page.getByRole('button', { name: 'Restore Buy seeds' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone: Restored Buy seeds').waitFor()
  await eventually(async () => (await trashOf(ada)).toSorted(), ['Buy seeds', 'Garden'])
  await context.close()
})

test('things are restored and deleted for good by keyboard alone, and the focus never falls to the page', async () => {
  const { ada } = await withTrash()
  const { page, context } = await openTrash(ada)
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await pressOn(page, page.getByRole('button', { name: 'Restore Buy seeds' }))
  await page.getByText('Restored Buy seeds').waitFor()
  await eventually(focused, 'Restore Garden')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'Delete for good?' })
  await question
    .getByText('Garden is deleted at once and for good, with 2 events. This cannot be undone.')
    .waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  expect(await focused()).toBe('Delete Garden for good')
  await page.keyboard.press('Enter')
  await question.waitFor()
  await pressOn(page, question.getByRole('button', { name: 'Delete for good' }))
  await page.getByText('Deleted Garden for good').waitFor()
  expect(await trashOf(ada)).toEqual([])
  await page.getByText('The trash is empty').waitFor()
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await context.close()
})

test('the trash is emptied after a question that counts what goes, on a phone', async () => {
  const { ada } = await withTrash()
  const { page, context } = await openTrash(ada, { options: SCREENS.phone })
  await page.getByRole('button', { name: 'Empty the trash' }).click()
  const question = page.getByRole('dialog', { name: 'Empty the trash?' })
  await question.getByText('2 things are deleted at once and for good').waitFor()
  await question.getByRole('button', { name: 'Empty the trash' }).click()
  await page.getByText('The trash is empty now').waitFor()
  expect(await trashOf(ada)).toEqual([])
  await context.close()
})

test('one kind is shown alone, and the address keeps it', async () => {
  const { ada } = await withTrash()
  const { page, context } = await openTrash(ada)
  await line(page, 'Garden').waitFor()
  await page.getByLabel('Kind').selectOption({ label: 'Todo' })
  await line(page, 'Garden').waitFor({ state: 'detached' })
  await line(page, 'Buy seeds').waitFor()
  await page.reload()
  await line(page, 'Buy seeds').waitFor()
  expect(await line(page, 'Garden').count()).toBe(0)
  await page.getByLabel('Kind').selectOption({ label: 'Person' })
  await page.getByText('Nothing of this kind is in the trash').waitFor()
  await context.close()
})

test('what is in something that is deleted itself says what has to come back first', async () => {
  const ada = await client.h.signedIn()
  const project = await post(ada, 'projects', { name: 'Shed' })
  const task = await post(ada, `projects/${project.id}/tasks`, { title: 'Paint' })
  await ada.request('DELETE', `/api/projects/${project.id}/tasks/${task.id}`)
  await ada.request('DELETE', `/api/projects/${project.id}`)
  const { page, context } = await openTrash(ada)
  await page.getByRole('button', { name: 'Restore Paint' }).click()
  await line(page, 'Paint').getByText('Its project is in the trash as well.').waitFor()
  await page.getByRole('button', { name: 'Restore Shed' }).click()
  await page.getByText('Restored Shed').waitFor()
  await page.getByRole('button', { name: 'Restore Paint' }).click()
  await page.getByText('Restored Paint').waitFor()
  await context.close()
})

test('the owner sees who deleted something from their calendar', async () => {
  const { ada, bob } = await friends(client.h)
  const shared = await post(ada, 'calendars', { name: 'Both' })
  const { id } = await post(ada, 'events', {
    title: 'Ours',
    calendar_id: shared.id,
    start_at: '2026-03-05T09:00:00Z',
    end_at: '2026-03-05T10:00:00Z',
  })
  await post(ada, `calendars/${shared.id}/members`, { user_id: bob.row.id, permission: 'write' })
  const { body } = await bob.request('GET', '/api/calendars/invites')
  await bob.request('PUT', `/api/calendars/invites/${body.invites[0].id}/accept`)
  expect((await bob.request('DELETE', `/api/events/${id}`)).status).toBe(204)
  const { page, context } = await openTrash(ada)
  await line(page, 'Ours').getByText(`by ${bob.row.networkName}`).waitFor()
  const { page: theirs, context: other } = await openTrash(bob)
  await theirs.getByRole('button', { name: 'Delete Ours for good' }).click()
  const question = theirs.getByRole('dialog', { name: 'Delete for good?' })
  await question.getByRole('button', { name: 'Delete for good' }).click()
  await question.getByText('You may not do this here.').waitFor()
  await context.close()
  await other.close()
})

test('a trash of hundreds of things is read page by page and stays quick', async () => {
  const ada = await client.h.signedIn()
  for (let count = 0; count < 120; count++) {
    const { id } = await post(ada, 'reminders', { title: `Reminder ${count}` })
    await ada.request('DELETE', `/api/reminders/${id}`)
  }
  const { page, context } = await openTrash(ada)
  await line(page, 'Reminder 119').waitFor()
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Restore Reminder 119' }).focus()
  await page.keyboard.press('End')
  await eventually(
    () => page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
    'Restore Reminder 0',
  )
  await context.close()
})

test('a trash that could not be read says so and is read again', async () => {
  const { ada } = await withTrash()
  const { page, context } = await client.open({ as: ada })
  await page.route('**/api/trash?*', (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto('/trash')
  await page.getByRole('alert').getByText('The service is busy or restarting.').waitFor()
  expect(await page.getByText('The trash is empty').count()).toBe(0)
  await page.unroute('**/api/trash?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await line(page, 'Garden').waitFor()
  await context.close()
})

test('recent changes say what was done to what, when and by what, and undo and redo it', async () => {
  const { ada, todo } = await withTrash()
  const { page, context } = await openTrash(ada, {}, '/trash/changes')
  const deleted = line(page, 'Buy seeds').filter({ hasText: 'Todo deleted · today at 10:30 · in a browser' })
  await pressOn(page, deleted.getByRole('button', { name: 'Undo: Buy seeds (Todo deleted)' }))
  await page.getByText('Undone: Buy seeds (Todo deleted)').waitFor()
  expect((await ada.request('GET', `/api/todos/${todo.id}`)).status).toBe(200)
  const redo = deleted.getByRole('button', { name: 'Redo: Buy seeds (Todo deleted)' })
  expect(await redo.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByText('Done again: Buy seeds (Todo deleted)').waitFor()
  expect((await ada.request('GET', `/api/todos/${todo.id}`)).status).toBe(404)
  await context.close()
})

test('what was changed since is named instead of being overwritten', async () => {
  const ada = await client.h.signedIn()
  const { id } = await post(ada, 'todos', { title: 'Buy seeds' })
  await ada.request('PUT', `/api/todos/${id}`, { body: { title: 'Buy more seeds' } })
  await ada.request('PUT', `/api/todos/${id}`, { body: { title: 'Buy all the seeds' } })
  const { page, context } = await openTrash(ada, { options: SCREENS.phone }, '/trash/changes')
  const first = line(page, 'Todo changed').filter({ hasText: /^Buy seeds/ })
  await first.getByRole('button').click()
  await first.getByText('This was changed since').waitFor()
  await first.getByText('Buy all the seeds (Todo)').waitFor()
  expect((await ada.request('GET', `/api/todos/${id}`)).body.title).toBe('Buy all the seeds')
  await context.close()
})

test('an undo that came too late leads to the recent changes', async () => {
  const ada = await client.h.signedIn()
  const { body: calendar } = await ada.request('POST', '/api/calendars', { body: { name: 'Garden' } })
  const { page, context } = await client.open({ as: ada })
  await page.goto(`/settings/calendars/${calendar.id}`)
  await page.getByRole('button', { name: 'Delete calendar' }).click()
  await eventually(() => trashOf(ada), ['Garden'])
  await ada.request('DELETE', '/api/trash')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Could not be undone: Deleted the calendar Garden.').waitFor()
  await page.getByRole('button', { name: 'Recent changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Recent changes' }).waitFor()
  await context.close()
})

test('the trash is reached from the account menu', async () => {
  const ada = await client.h.signedIn()
  const { page, context } = await openTrash(ada, {}, '/today')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Trash' }).click()
  await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor()
  await page.getByText('The trash is empty').waitFor()
  await context.close()
})
