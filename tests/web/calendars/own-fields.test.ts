import { afterAll, beforeAll, expect } from 'bun:test'
import { test } from '../../support/browser'
import { type Client, eventually, hold, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

/** Somebody with a calendar "Garden", at an address in which `ID` is that calendar. */
async function gardener(address: string) {
  const ada = await client.h.signedIn()
  const { body: garden } = await ada.request('POST', '/api/calendars', {
    body: { name: 'Garden', color: '#2f8f5b' },
  })
  const { page, context } = await client.open({ as: ada })
  await page.goto(address.replace('ID', String(garden.id)))
  await page.getByRole('heading', { level: 1 }).waitFor()
  return {
    ada,
    page,
    said: (text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text).waitFor(),
    undo: () => page.getByRole('button', { name: 'Undo' }).last().click(),
    garden: async () => (await ada.request('GET', `/api/calendars/${garden.id}`)).body,
    names: async (): Promise<string[]> =>
      (await ada.request('GET', '/api/calendars')).body.calendars.map(({ name }: { name: string }) => name),
    [Symbol.asyncDispose]: () => context.close(),
  }
}

test('the name and the colour of a calendar change before the service answers, and "Undo" takes each back', async () => {
  await using at = await gardener('/settings/calendars/ID')
  const { page, garden } = at
  const release = await hold(page, '**/api/calendars/*')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Allotment')
  await name.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Allotment' }).waitFor()
  expect((await garden()).name).toBe('Garden')
  release()
  await eventually(async () => (await garden()).name, 'Allotment')
  await at.undo()
  await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor()
  expect(await name.inputValue()).toBe('Garden')
  await eventually(async () => (await garden()).name, 'Garden')

  const colour = page.getByLabel('Colour')
  await colour.fill('#d64545')
  await colour.blur()
  await at.said('Gave Garden another colour')
  await eventually(async () => (await garden()).color, '#d64545')
  await at.undo()
  await eventually(async () => (await garden()).color, '#2f8f5b')
  await eventually(() => colour.inputValue(), '#2f8f5b')
})

test('a name that cannot be given is explained at its field, and Escape takes back what was typed', async () => {
  await using at = await gardener('/settings/calendars/ID')
  const { page } = at
  const name = page.getByRole('textbox', { name: 'Name' })
  for (const [typed, why] of [
    ['Personal', 'You have a calendar of this name'],
    [' ', 'Fill this in.'],
  ] as const) {
    await name.fill(typed)
    await name.press('Enter')
    await page.getByText(why).waitFor()
    expect([typed, await name.getAttribute('aria-invalid')]).toEqual([typed, 'true'])
  }
  await name.press('Escape')
  expect(await name.inputValue()).toBe('Garden')
  expect((await at.garden()).name).toBe('Garden')
})

test('another calendar becomes the default one, and "Undo" gives it back to the former', async () => {
  await using at = await gardener('/settings/calendars/ID')
  const { page, garden } = at
  await page.getByRole('switch', { name: 'Default calendar' }).click()
  await at.said('Garden is the default calendar')
  await eventually(async () => (await garden()).is_default, true)
  await at.undo()
  await eventually(async () => (await garden()).is_default, false)
  await eventually(() => page.getByRole('switch', { name: 'Default calendar' }).isChecked(), false)
})

test('a new calendar shows before the service answers, a taken name is explained, and "Undo" takes it back', async () => {
  await using at = await gardener('/settings/calendars')
  const { page, names } = at
  await page.getByRole('main').getByRole('link', { name: 'Garden' }).waitFor()
  const release = await hold(page, '**/api/calendars')
  const field = page.getByRole('textbox', { name: 'Name of the new calendar' })
  await field.fill('Garden')
  await field.press('Enter')
  await page.getByText('You have a calendar of this name').waitFor()
  await field.fill('Choir')
  await field.press('Enter')
  await at.said('Added the calendar Choir')
  const made = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Choir' })
  await made.waitFor()
  expect(await names()).not.toContain('Choir')
  release()
  await made.getByRole('link', { name: 'Choir' }).waitFor()
  expect(await names()).toContain('Choir')
  await at.undo()
  await made.waitFor({ state: 'detached' })
  await eventually(names, ['Birthdays', 'Garden', 'Personal'])
})

test('a secret address ends only after a question, as nothing brings it back, and the focus stays in its section', async () => {
  await using at = await gardener('/settings/calendars/ID')
  const { page, garden } = at
  await page.getByRole('button', { name: 'Make a secret address' }).click()
  const address = page.locator('.secret-address code')
  await address.waitFor()
  const first = await address.textContent()

  await page.getByRole('button', { name: 'Make a new one' }).click()
  const renewal = page.getByRole('dialog', { name: 'Make a new one' })
  await renewal.getByText('That cannot be undone.').waitFor()
  await renewal.getByRole('button', { name: 'Cancel' }).click()
  expect(await address.textContent()).toBe(first)
  await page.getByRole('button', { name: 'Make a new one' }).click()
  await renewal.getByRole('button', { name: 'Make a new one' }).click()
  await eventually(async () => (await address.textContent()) === first, false)

  await page.getByRole('button', { name: 'End the secret address' }).click()
  await page
    .getByRole('dialog', { name: 'End the secret address' })
    .getByRole('button', { name: 'End it' })
    .click()
  await at.said('The secret address has ended')
  expect((await garden()).feed_created_at).toBeNull()
  await page.getByRole('button', { name: 'Make a secret address' }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Secret address')
})
