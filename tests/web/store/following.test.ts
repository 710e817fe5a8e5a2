import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { type Actor, PASSWORD } from '../../support/harness'
import { type Client, startClient } from '../../support/web'
import { add, connection, openStorePage, todo, waiting } from './store-page'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

async function opened(as: Actor) {
  const { context, page } = await client.open({ as })
  await openStorePage(context, page)
  await connection(page, 'live confirmed')
  return { context, page }
}

const titles = async (actor: Actor): Promise<string[]> => {
  const { body } = await actor.request('GET', '/api/todos?limit=200')
  return body.todos.map(({ title }: { title: string }) => title)
}

test('two tabs hold one stream, a change in one shows in the other, and the second follows on when the first closes', async () => {
  const ada = await client.h.signedIn()
  const { context, page } = await opened(ada)
  const streams: string[] = []
  context.on('request', (request) => {
    if (request.url().includes('/changes/stream')) streams.push(request.url())
  })
  const other = await openStorePage(context)
  await connection(other, 'live confirmed')
  expect(streams).toEqual([])
  await add(page, 'From the first')
  await todo(other, 'From the first').waitFor()
  await add(other, 'From the second')
  await todo(page, 'From the second').waitFor()
  const follows = other.waitForRequest('**/changes/stream*')
  await page.close()
  await follows
  await ada.request('POST', '/api/todos', { body: { title: 'From elsewhere' } })
  await todo(other, 'From elsewhere').waitFor()
  await context.close()
})

test('an event made elsewhere shows in the month that is looked at, and goes when it is deleted', async () => {
  const ada = await client.h.signedIn()
  const { context, page } = await opened(ada)
  const { body } = await ada.request('POST', '/api/events', {
    body: {
      title: 'Lunch',
      start_at: '2026-03-05T12:00',
      end_at: '2026-03-05T13:00',
      recurrence_rule: 'FREQ=WEEKLY;COUNT=2',
    },
  })
  const events = page.getByRole('list', { name: 'Events' })
  await events.getByText('Lunch').nth(1).waitFor()
  await ada.request('DELETE', `/api/events/${body.id}`)
  await events.getByText('Lunch').first().waitFor({ state: 'detached' })
  await context.close()
})

test('what was done offline waits, shows at once, and arrives when the service is reached again', async () => {
  const ada = await client.h.signedIn()
  const { context, page } = await opened(ada)
  await context.setOffline(true)
  await connection(page, 'offline')
  for (const title of ['One', 'Two', 'Three']) await add(page, title)
  await todo(page, 'Three').waitFor()
  await page.locator('li[data-waiting]').nth(2).waitFor()
  await waiting(page, 3)
  expect(await titles(ada)).toEqual([])
  await context.setOffline(false)
  await waiting(page, 0)
  await connection(page, 'live')
  expect((await titles(ada)).toSorted()).toEqual(['One', 'Three', 'Two'])
  await context.close()
})

test('undo takes back what the service did, and says why where it cannot', async () => {
  const ada = await client.h.signedIn()
  const { context, page } = await opened(ada)
  await add(page, 'Milk')
  await waiting(page, 0)
  await page.getByRole('button', { name: 'Delete' }).click()
  await todo(page, 'Milk').waitFor({ state: 'detached' })
  await waiting(page, 0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await todo(page, 'Milk').waitFor()
  await page.getByLabel('Notice').getByText('Undone: Deleted Milk').waitFor()
  expect(await titles(ada)).toEqual(['Milk'])
  const { body } = await ada.request('GET', '/api/todos')
  await ada.request('PUT', `/api/todos/${body.todos[0].id}`, { body: { title: 'Soy milk' } })
  await todo(page, 'Soy milk').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page
    .getByLabel('Notice')
    .getByText('Could not be undone: Added Milk. It was changed since.')
    .waitFor()
  expect(await titles(ada)).toEqual(['Soy milk'])
  await context.close()
})

test('a field that was changed elsewhere as well is asked about, by keyboard too', async () => {
  const ada = await client.h.signedIn()
  const { context, page } = await opened(ada)
  await add(page, 'Milk')
  await waiting(page, 0)
  const { body } = await ada.request('GET', '/api/todos')
  await page.getByLabel('Title of Milk').fill('Oat milk')
  await ada.request('PUT', `/api/todos/${body.todos[0].id}`, { body: { title: 'Soy milk' } })
  await todo(page, 'Soy milk').waitFor()
  await page.getByRole('button', { name: 'Rename' }).click()
  const dialog = page.getByRole('dialog', { name: 'Changed elsewhere' })
  const title = dialog.getByRole('radiogroup', { name: 'Title' })
  expect(await title.getByRole('radio', { name: 'Keep mine' }).isChecked()).toBe(true)
  await page.keyboard.press('Tab')
  await title.getByRole('radio', { name: 'Take theirs' }).focus()
  await page.keyboard.press('Space')
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await todo(page, 'Soy milk').waitFor()
  expect(await titles(ada)).toEqual(['Soy milk'])
  await context.close()
})

test('in 50 rounds of dropped requests and answers nothing is lost and nothing happens twice', async () => {
  const ada = await client.h.signedIn()
  const { context, page } = await opened(ada)
  let requests = 0
  await context.route('**/api/todos', async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    const round = requests++ % 3
    if (round === 0) return route.abort()
    if (round === 1) {
      await route.fetch()
      return route.abort('connectionreset')
    }
    return route.continue()
  })
  const expected = Array.from({ length: 50 }, (_, round) => `Todo ${round}`)
  for (const title of expected) {
    await add(page, title)
    await todo(page, title).waitFor()
    await page.evaluate(() => dispatchEvent(new Event('online')))
  }
  await waitForNothingWaiting(page)
  expect((await titles(ada)).toSorted()).toEqual(expected.toSorted())
  const shown = await page.getByRole('list', { name: 'Todos' }).locator('li > span').allTextContents()
  expect(shown.toSorted()).toEqual(expected.toSorted())
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
}, 60_000)

/** Tells the page again and again that it is online, so that no pause of its own is waited for. */
const waitForNothingWaiting = (page: Page) =>
  page.waitForFunction(() => {
    dispatchEvent(new Event('online'))
    return document.querySelector('output')?.textContent === '0'
  })

test('a cursor that no longer counts makes the client read everything again, and drop what is gone', async () => {
  const ada = await client.h.signedIn()
  const { context, page } = await opened(ada)
  await add(page, 'Before')
  await waiting(page, 0)
  const { body } = await ada.request('GET', '/api/todos')
  const anew = page.waitForRequest('**/api/changes?since=now')
  await client.h.db.execute('update sync_state set epoch = gen_random_uuid()')
  await ada.request('DELETE', `/api/todos/${body.todos[0].id}`)
  await ada.request('POST', '/api/todos', { body: { title: 'After' } })
  await anew
  await todo(page, 'After').waitFor()
  await todo(page, 'Before').waitFor({ state: 'detached' })
  await context.close()
})

test('locking stops the stream and unmounts everything; after unlocking, what was missed is there', async () => {
  const ada = await client.h.signedIn()
  const { context, page } = await opened(ada)
  await add(page, 'Secret plan')
  await waiting(page, 0)
  await page.evaluate(() => fetch('/api/auth/lock', { method: 'POST' }))
  await page.getByRole('status', { name: 'Session' }).getByText('locked').waitFor()
  expect(await page.content()).not.toContain('Secret plan')
  const unlocked = await page.evaluate(async (password) => {
    const answer = await fetch('/api/auth/verify-password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password }),
    })
    return answer.status
  }, PASSWORD)
  expect(unlocked).toBe(200)
  await ada.request('POST', '/api/todos', { body: { title: 'Missed' } })
  await page.getByRole('button', { name: 'Ask who I am' }).click()
  await todo(page, 'Secret plan').waitFor()
  await todo(page, 'Missed').waitFor()
  await context.close()
})
