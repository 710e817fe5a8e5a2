import { afterAll, beforeAll, expect } from 'bun:test'
import { people } from '../../../src/db/schema'
import { defaultBook } from '../../support/books'
import { test } from '../../support/browser'
import { type Client, eventually, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

test('of five thousand people only those in sight stand in the page, and the last one is one key away', async () => {
  const ada = await client.h.signedIn()
  const bookId = await defaultBook(ada)
  const now = client.h.clock.now()
  const many = Array.from({ length: 5000 }, (_, index) => ({
    userId: ada.row.id,
    bookId,
    firstName: String.fromCodePoint(65 + (index % 26)),
    lastName: String(index).padStart(4, '0'),
    createdAt: now,
    updatedAt: now,
  }))
  for (let start = 0; start < many.length; start += 1000)
    await client.h.db.insert(people).values(many.slice(start, start + 1000))
  const { page, context } = await client.open({ as: ada })
  await page.goto('/people')
  await page.getByText('5,000 people').waitFor()
  const list = page.getByRole('list', { name: 'People' })
  await eventually(async () => (await list.getByRole('listitem').count()) < 60, true)
  await list.getByRole('link').first().focus()
  await page.keyboard.press('End')
  await eventually(() => page.evaluate(() => document.activeElement?.textContent?.includes('Z 4991')), true)
  await page.getByRole('searchbox').fill('q 4')
  await list.getByRole('link', { name: 'Q 0042' }).waitFor()
  await page.getByRole('searchbox').fill('q 0042')
  await eventually(() => list.getByRole('link').count(), 1)
  expect(await page.getByText('1 of 5,000 people').count()).toBe(1)
  await context.close()
})
