import { afterAll, beforeAll, expect } from 'bun:test'
import { test } from '../../support/browser'
import { organiser } from '../../support/events'
import { type Client, eventuallyMatches, holdToDraw, startClient } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

test('a new todo that is ticked on Today before the service answers stays there with the focus', async () => {
  const ada = await organiser(client.h, 'Europe/Berlin')
  const { page, context } = await client.open({ as: ada })
  await page.goto('/todos')
  const answer = await holdToDraw(page, '**/api/todos')
  await page.getByRole('textbox', { name: 'Add a todo' }).fill('Pay rent tomorrow')
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Pay rent' }).waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Today' }).click()
  const box = page.getByRole('checkbox', { name: 'Pay rent' })
  await box.click()
  await answer()
  expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
  await eventuallyMatches(
    async () => (await ada.request('GET', '/api/todos')).body.todos,
    [{ title: 'Pay rent', completed: true }],
  )
  expect(await box.isChecked()).toBe(true)
  await context.close()
})
