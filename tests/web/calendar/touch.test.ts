import { afterAll, beforeAll, beforeEach, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { type Organiser, organiser } from '../../support/events'
import { putFinger } from '../../support/finger'
import { type Client, eventually, hold, SCREENS, startClient } from '../../support/web'

let client: Client
let ada: Organiser
let id: number
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await organiser(client.h, 'Europe/Berlin')
  const times = { start_at: '2026-03-04T12:30', end_at: '2026-03-04T13:15' }
  id = (await ada.create({ title: 'Lunch', ...times })).id
})

const startOf = async () => (await ada.read(id)).body.start_at as string
const lunch = (page: Page) => page.getByRole('button', { name: /^Lunch,/ })
const quarters = async (page: Page, count: number) => {
  const hours = await page.locator('[data-hours]').first().boundingBox()
  return ((hours?.height ?? 0) / 96) * count
}

async function shown(address: string, options: Parameters<Client['open']>[0] = {}) {
  const { page, context } = await client.open({ as: ada, ...options })
  await page.goto(address)
  await page.locator('.calendar-body:not([data-loading])').waitFor()
  await lunch(page).scrollIntoViewIfNeeded()
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

test('on a phone a finger that rests on an event drags it, and the page stays where it is', async () => {
  await using at = await shown('/calendar/day/2026-03-04', { options: SCREENS.phone })
  const { page } = at
  const top = () => page.evaluate(() => [scrollY, document.querySelector('.calendar-body')?.scrollTop])
  const before = await top()
  const touch = await putFinger(page, lunch(page))
  await page.locator('.event-ghost').first().waitFor()
  await touch.by(0, await quarters(page, 4))
  await touch.up()
  await page.getByText('Moved Lunch, Wednesday 4 March 2026, 13:30 to 14:15').waitFor()
  await eventually(startOf, '2026-03-04T13:30:00+01:00')
  expect(await top()).toEqual(before)
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('on a phone a finger that moves at once scrolls, and drags nothing', async () => {
  await using at = await shown('/calendar/day/2026-03-04', { options: SCREENS.phone })
  const { page } = at
  const from = (await lunch(page).boundingBox())?.y ?? 0
  const touch = await putFinger(page, lunch(page))
  await touch.by(0, -160)
  await touch.up()
  await page.waitForFunction(
    (y) => (document.querySelector('[aria-label^="Lunch,"]')?.getBoundingClientRect().y ?? y) < y - 80,
    from,
  )
  expect(await page.locator('.event-ghost').count()).toBe(0)
  expect(await page.getByText(/^Moved/).count()).toBe(0)
  expect(await startOf()).toBe('2026-03-04T12:30:00+01:00')
})

test('a moved event stands in its new place in the next frame, before the service answers', async () => {
  await using at = await shown('/calendar/week/2026-03-04')
  const { page } = at
  const release = await hold(page, '**/api/events/*')
  await lunch(page).focus()
  await page.keyboard.press('v')
  await page.keyboard.press('ArrowRight')
  // The key itself, then the first frame that the browser draws after it.
  const name = await page.evaluate(
    () =>
      new Promise<string | null | undefined>((resolve) => {
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
        requestAnimationFrame(() =>
          requestAnimationFrame(() => resolve(document.querySelector('[aria-label^="Lunch,"]')?.ariaLabel)),
        )
      }),
  )
  expect(name).toBe('Lunch, Thursday 5 March 2026, 12:30 to 13:15, Personal')
  expect(await startOf()).toBe('2026-03-04T12:30:00+01:00')
  release()
  await eventually(startOf, '2026-03-05T12:30:00+01:00')
})
