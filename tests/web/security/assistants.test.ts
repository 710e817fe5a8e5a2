import { afterAll, beforeAll, expect } from 'bun:test'
import { test } from '../../support/browser'
import { assistantWith } from '../../support/assistants'
import { pressOn } from '../../support/keyboard'
import { createToken } from '../../support/tokens'
import { type Client, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

test('an assistant is let in by keyboard alone, with settings to copy that it connects with, and is shut out again', async () => {
  const ada = await client.h.signedIn()
  await createToken(ada, ['tasks:write'], { name: 'Script' })
  const { page, context } = await client.open({ as: ada })
  await page.goto('/settings')
  await pressOn(page, page.getByRole('link', { name: 'Assistants' }))
  await page.getByRole('heading', { name: 'Assistants', level: 1 }).waitFor()
  await page.getByText('No assistant is let in.').waitFor()
  await pressOn(page, page.getByRole('button', { name: 'New access for an assistant' }))
  await page.getByRole('dialog', { name: 'New access for an assistant' }).waitFor()
  await page.keyboard.type('Laptop')
  await page.getByRole('combobox', { name: 'People' }).selectOption('Not at all')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Access for Laptop' }).waitFor()
  const settings = await page.locator('.to-type code').last().innerText()
  const { organiser } = JSON.parse(settings).mcpServers
  expect(organiser).toMatchObject({ type: 'http', url: `${client.origin}/mcp` })
  const token = String(organiser.headers.Authorization).replace('Bearer ', '')
  const assistant = await assistantWith(client.h, token)
  const added = await assistant.call('add', { items: [{ type: 'todo', title: 'Water the plants' }] })
  expect(added.isError).toBe(false)
  expect((await assistant.call('add', { items: [{ type: 'person', first_name: 'Sam' }] })).isError).toBe(true)

  await pressOn(page, page.getByRole('button', { name: 'Done' }))
  const lines = page.getByRole('list', { name: 'Existing' }).getByRole('listitem')
  await lines.filter({ hasText: 'Laptop' }).waitFor()
  expect(await lines.count()).toBe(1)
  await pressOn(page, page.getByRole('button', { name: 'Revoke Laptop' }))
  await page
    .getByRole('dialog')
    .getByText('The assistant that uses “Laptop” sees and changes nothing')
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('No assistant is let in.').waitFor()
  await expect(assistantWith(client.h, token)).rejects.toThrow()
  await context.close()
})
