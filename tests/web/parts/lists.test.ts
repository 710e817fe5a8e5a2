import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { startGallery } from '../../support/gallery'
import { drawn, eventually } from '../../support/web'

let gallery: Awaited<ReturnType<typeof startGallery>>
beforeAll(async () => {
  gallery = await startGallery()
}, 60_000)
afterAll(() => gallery[Symbol.asyncDispose]())

async function openList(options: Parameters<typeof gallery.open>[1] = {}) {
  const page = await gallery.open('/reminders', options)
  await page.getByRole('list', { name: 'Reminders' }).waitFor()
  return page
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
const focusIs = (page: Page, text: string) => eventually(() => focused(page), text)
const line = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
/** The first lines, as they stand. */
const top = (page: Page, count = 3) =>
  page
    .getByRole('list', { name: 'Reminders' })
    .getByRole('listitem')
    .evaluateAll(
      (lines, wanted) =>
        lines
          .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
          .slice(0, wanted)
          .map(({ textContent }) => textContent),
      count,
    )

test('of a long list only what is in sight stands in the page, and each line says which of how many it is', async () => {
  const page = await openList()
  const lines = page.getByRole('listitem').and(page.locator('[aria-setsize="5000"]'))
  await eventually(async () => (await lines.count()) < 60, true)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await page.locator('[aria-posinset="5000"]').waitFor()
  expect(await lines.count()).toBeLessThan(60)
  await page.context().close()
})

test('arrows, Home and End go through a list, and a line in focus survives scrolling', async () => {
  const page = await openList()
  await line(page, 'Line 1').focus()
  await page.keyboard.press('ArrowDown')
  await focusIs(page, 'Line 2')
  await page.keyboard.press('End')
  await focusIs(page, 'Line 5000')
  await page.evaluate(() => scrollTo(0, 0))
  await line(page, 'Line 1').waitFor()
  await page.keyboard.press('ArrowUp')
  await focusIs(page, 'Line 4999')
  await page.keyboard.press('Home')
  await focusIs(page, 'Line 1')
  await page.context().close()
})

test('Alt with an arrow moves a line, and the focus goes along', async () => {
  const page = await openList()
  await line(page, 'Line 1').focus()
  await page.keyboard.press('Alt+ArrowDown')
  await eventually(() => top(page), ['Line 2', 'Line 1', 'Line 3'])
  await focusIs(page, 'Line 1')
  await page.keyboard.press('Alt+ArrowDown')
  await eventually(() => top(page), ['Line 2', 'Line 3', 'Line 1'])
  await page.keyboard.press('Alt+ArrowUp')
  await eventually(() => top(page), ['Line 2', 'Line 1', 'Line 3'])
  await focusIs(page, 'Line 1')
  await page.context().close()
})

test('when the line in focus is deleted, the next one has the focus', async () => {
  const page = await openList()
  await line(page, 'Line 2').focus()
  await page.keyboard.press('Delete')
  await eventually(() => top(page), ['Line 1', 'Line 3', 'Line 4'])
  await focusIs(page, 'Line 3')
  await page.context().close()
})

test('a line is dragged to another place, Escape leaves it, and the drag opens nothing', async () => {
  const page = await openList()
  const box = async (name: string) => (await line(page, name).boundingBox()) ?? { x: 0, y: 0, height: 0 }
  const [from, to] = [await box('Line 1'), await box('Line 3')]
  const drag = async () => {
    await page.mouse.move(from.x + 20, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(from.x + 20, to.y + to.height, { steps: 6 })
  }
  await drag()
  await page.keyboard.press('Escape')
  await page.mouse.up()
  expect(await top(page)).toEqual(['Line 1', 'Line 2', 'Line 3'])
  await page.goto('/reminders')
  await line(page, 'Line 1').waitFor()
  await drag()
  await page.mouse.up()
  await eventually(() => top(page), ['Line 2', 'Line 3', 'Line 1'])
  expect(new URL(page.url()).pathname).toBe('/reminders')
  await page.context().close()
})

test('a detail opens beside its list, which stays where it is, and Back and Escape give the focus back', async () => {
  const page = await openList()
  await page.evaluate(() => scrollTo(0, 4000))
  const opener = page.getByRole('link', { name: /^Line 1\d\d$/ }).first()
  const name = (await opener.textContent()) ?? ''
  await opener.focus()
  const before = await page.evaluate(() => scrollY)
  await page.keyboard.press('Enter')
  const pane = page.getByRole('complementary', { name: 'Reminder' })
  await pane.getByRole('heading', { name: name.replace('Line', 'Item') }).waitFor()
  await focusIs(page, name.replace('Line', 'Item'))
  expect(await page.evaluate(() => scrollY)).toBe(before)
  await page.keyboard.press('Escape')
  await pane.waitFor({ state: 'detached' })
  await focusIs(page, name)
  await page.keyboard.press('Enter')
  await pane.waitFor()
  await page.goBack()
  await pane.waitFor({ state: 'detached' })
  await focusIs(page, name)
  expect(await page.evaluate(() => scrollY)).toBe(before)
  await page.context().close()
})

test('on a phone a detail is a page of its own, and Back finds the list where it was', async () => {
  const page = await openList({ screen: 'phone' })
  await page.evaluate(() => scrollTo(0, 4000))
  const opener = page.getByRole('link', { name: /^Line 1\d\d$/ }).first()
  await opener.waitFor()
  await drawn(page)
  const before = await page.evaluate(() => scrollY)
  const name = (await opener.textContent()) ?? ''
  await opener.evaluate((link) => (link as HTMLElement).click())
  await page.getByRole('heading', { level: 1, name: name.replace('Line', 'Item') }).waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('list', { name: 'Reminders' }).waitFor()
  await eventually(() => page.evaluate((place) => Math.abs(scrollY - place) < 50, before), true)
  await page.context().close()
})
