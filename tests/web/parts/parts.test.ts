import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { startGallery } from '../../support/gallery'

let gallery: Awaited<ReturnType<typeof startGallery>>
beforeAll(async () => {
  gallery = await startGallery()
}, 60_000)
afterAll(() => gallery[Symbol.asyncDispose]())

/** The name of what has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: active } = document
    const label = active instanceof HTMLInputElement ? active.labels?.[0]?.textContent : undefined
    return label ?? active?.getAttribute('aria-label') ?? active?.textContent ?? active?.tagName
  })

const focus = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).focus()

test('a dialog begins at its first field, keeps the focus, closes on Escape, and gives the focus back', async () => {
  const page = await gallery.open('/gallery')
  await focus(page, 'Open a dialog')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Rename the calendar' }).waitFor()
  expect(await focused(page)).toBe('Name')
  await page.getByRole('combobox', { name: 'Owner' }).and(page.locator(':enabled')).waitFor()
  const walked: unknown[] = []
  for (let step = 0; step < 3; step += 1) {
    await page.keyboard.press('Tab')
    walked.push(await focused(page))
  }
  expect(walked).toEqual(['Owner', 'More', 'Cancel'])
  await page.getByRole('textbox', { name: 'Name' }).focus()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await focused(page)).toBe('Open a dialog')
  await page.context().close()
})

test('Escape closes a menu in a dialog and leaves the dialog open', async () => {
  const page = await gallery.open('/gallery')
  await focus(page, 'Open a dialog')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'More' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  expect(await page.getByRole('dialog', { name: 'Rename the calendar' }).isVisible()).toBe(true)
  await page.context().close()
})

test('a menu opens by keyboard at its first action, finds one by its letter, and gives the focus back', async () => {
  const page = await gallery.open('/gallery')
  await focus(page, 'Open a menu')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('menu', { name: 'Open a menu' }).waitFor()
  expect(await focused(page)).toContain('Edit')
  await page.keyboard.press('d')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Delete').waitFor()
  expect(await focused(page)).toBe('Open a menu')
  await page.context().close()
})

test('a menu speaks the language of the client and runs its way, whatever those of the browser are', async () => {
  for (const [language, close] of [
    ['de', 'Schließen'],
    ['ar-XB', 'Dismiss'],
  ] as const) {
    const page = await gallery.open('/gallery', { language })
    await page.locator('[aria-haspopup="menu"]').first().click()
    await page.getByRole('menu').waitFor()
    const own = page.locator('.popover button').first()
    expect(await own.getAttribute('aria-label')).toBe(close)
    const direction = await page.getByRole('menu').evaluate((menu) => getComputedStyle(menu).direction)
    expect(direction).toBe(language === 'ar-XB' ? 'rtl' : 'ltr')
    await page.context().close()
  }
})

test('a combobox offers what matches, and takes what is in no list where that is allowed', async () => {
  const page = await gallery.open('/gallery')
  const time = page.getByRole('combobox', { name: 'End time' })
  await time.fill('10:3')
  await page.getByRole('option', { name: '10:30' }).waitFor()
  expect(await page.getByRole('option').count()).toBe(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await time.inputValue()).toBe('10:30')
  await time.fill('10:37')
  await page.keyboard.press('Tab')
  expect(await time.inputValue()).toBe('10:37')
  await page.context().close()
})

test('the problem of a field is read with it', async () => {
  const page = await gallery.open('/gallery')
  const field = page.getByRole('textbox', { name: 'Start time' })
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  const id = await field.getAttribute('aria-describedby')
  expect(await page.locator(`[id="${id}"]`).textContent()).toBe('There is no such time.')
  await page.context().close()
})

test('F6 reaches the messages, whose button undoes; the focus is never lost', async () => {
  const page = await gallery.open('/gallery')
  await focus(page, 'Do something')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Messages' }).getByText('Moved Lunch to Tuesday.').waitFor()
  await page.keyboard.press('F6')
  expect(await focused(page)).toBe('Undo')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Undone').waitFor()
  expect(await page.getByText('Moved Lunch').count()).toBe(0)
  expect(await focused(page)).toBe('Gallery of parts')
  await page.context().close()
})

test('a message goes by itself, but not while it has the focus or the pointer, and never if something failed', async () => {
  const page = await gallery.open('/gallery')
  await page.clock.install()
  await focus(page, 'Say something')
  await page.keyboard.press('Enter')
  const message = page.getByRole('region', { name: 'Messages' }).getByText('Saved.')
  await message.waitFor()
  await page.keyboard.press('F6')
  await page.clock.runFor(60_000)
  expect(await message.count()).toBe(1)
  await focus(page, 'Say something')
  await message.hover()
  await page.clock.runFor(60_000)
  expect(await message.count()).toBe(1)
  await page.mouse.move(0, 0)
  await page.clock.runFor(60_000)
  await message.waitFor({ state: 'detached' })
  await focus(page, 'Fail')
  await page.keyboard.press('Enter')
  const failure = page.getByRole('alert').getByText('Something went wrong.').last()
  await failure.waitFor()
  await page.clock.runFor(60_000)
  expect(await page.getByRole('region', { name: 'Messages' }).getByRole('alert').count()).toBe(1)
  await page.context().close()
})

test('messages are inside an open dialog, where they can be reached', async () => {
  const page = await gallery.open('/gallery')
  await focus(page, 'Open a dialog')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('Saved in the dialog.').waitFor()
  await page.keyboard.press('F6')
  await page.keyboard.press('F6')
  expect(await focused(page)).toBe('Dismiss')
  await page.context().close()
})
