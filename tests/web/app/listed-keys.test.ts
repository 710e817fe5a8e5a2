import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { type Client, drawn, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

async function atTodos() {
  const ada = await client.h.signedIn()
  await ada.request('POST', '/api/todos', { body: { title: 'Milk' } })
  const { page, context } = await client.open({ as: ada })
  await page.goto('/todos')
  await page.getByRole('checkbox', { name: 'Milk' }).focus()
  return { page, ada, [Symbol.asyncDispose]: () => context.close() }
}

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

test('the sheet of shortcuts lists the keys of the list on the page, and the palette has no commands of them', async () => {
  await using at = await atTodos()
  const { page } = at
  await page.keyboard.press('?')
  for (const name of ['Next line', 'Move up', 'Edit', 'Delete'])
    await sheet(page).getByText(name, { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await sheet(page).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Type a command or search' }).fill('Move up')
  await page.getByRole('option', { name: /Search everywhere/ }).waitFor()
  expect(await page.getByRole('option', { name: 'Move up', exact: true }).count()).toBe(0)
})

test('a message hides nothing of the sheet, whose last line can be scrolled to', async () => {
  await using at = await atTodos()
  const { page } = at
  await page.setViewportSize({ width: 1280, height: 600 })
  await page.keyboard.press('Delete')
  await page.getByRole('status').filter({ hasText: 'Deleted Milk' }).waitFor()
  await page.keyboard.press('?')
  const message = sheet(page).locator('[data-message]')
  await message.waitFor()
  const [body, top] = await Promise.all([
    sheet(page)
      .locator('.dialog-body')
      .evaluate((element) => element.getBoundingClientRect().bottom),
    message.evaluate((element) => element.getBoundingClientRect().top),
  ])
  expect(body).toBeLessThanOrEqual(top)
})

test('letters that were turned off do nothing in any list', async () => {
  await using at = await atTodos()
  const { page, ada } = at
  await ada.request('POST', '/api/reminders', {
    body: { title: 'Call Sam', remind_at: '2026-03-05T10:00', time_zone: 'Europe/Berlin' },
  })
  await page.goto('/settings/shortcuts')
  await page.getByRole('switch', { name: 'Single-letter shortcuts' }).click()
  await page.goto('/reminders')
  await page.getByRole('checkbox', { name: 'Call Sam' }).focus()
  await page.keyboard.press('e')
  await drawn(page)
  expect(new URL(page.url()).pathname).toBe('/reminders')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/reminders/*')
})

test('"New" makes a calendar too: it leads to the field for its name', async () => {
  await using at = await atTodos()
  const { page } = at
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Calendar' }).click()
  await page.waitForURL('**/settings/calendars?new=calendar')
  await page.getByRole('textbox', { name: 'Name of the new calendar' }).and(page.locator(':focus')).waitFor()
})
