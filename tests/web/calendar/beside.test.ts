import { afterAll, beforeAll, expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { test } from '../../support/browser'
import { organiser } from '../../support/events'
import { friends } from '../../support/inviting'
import { type Client, eventually, SCREENS, startClient, waitForAnswers } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin.
const WEEK = '/calendar/week/2026-03-04'
const TIMES = { start_at: '2026-03-03T12:30:00+01:00', end_at: '2026-03-03T13:15:00+01:00' }

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

async function shown(address = WEEK, options: Parameters<Client['open']>[0] = {}) {
  const ada = await organiser(client.h, 'Europe/Berlin')
  const { id } = await ada.create({ title: 'Lunch', location: 'Café Luna', ...TIMES })
  const { page, context } = await client.open({ as: ada, ...options })
  await page.goto(address)
  await page.locator('.calendar-body:not([data-loading])').waitFor()
  return { ada, id, page, [Symbol.asyncDispose]: () => context.close() }
}

const lunch = (page: Page) => page.getByRole('button', { name: /^Lunch,/ })
const editor = (page: Page) => page.getByRole('dialog', { name: 'Edit event' })

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('It is not shown')
  return box
}

/** Whether one of the two stands wholly beside the other. */
async function areApart(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await boxOf(one), await boxOf(other)]
  return a.x + a.width <= b.x || b.x + b.width <= a.x
}

test('on a desktop an event opens beside its place, which stays in sight, and a press elsewhere closes it and keeps what was typed', async () => {
  for (const [title, day] of [
    ['Lunch', '03'],
    ['Late', '07'],
  ] as const) {
    await using at = await shown()
    const { ada, page } = at
    if (title === 'Late')
      await ada.create({
        title,
        start_at: `2026-03-${day}T15:00:00+01:00`,
        end_at: `2026-03-${day}T16:00:00+01:00`,
      })
    const event = page.getByRole('button', { name: new RegExp(`^${title},`) })
    await event.click()
    await editor(page).waitFor()
    expect([title, await areApart(editor(page), event)]).toEqual([title, true])
    const { y, height } = await boxOf(editor(page))
    expect([title, y > 0, y + height < 800]).toEqual([title, true, true])
    await editor(page).getByRole('textbox', { name: 'Title' }).fill('Supper')
    const heading = await boxOf(page.getByRole('heading', { level: 1 }))
    await page.mouse.click(heading.x + 2, heading.y + 2)
    await editor(page).waitFor({ state: 'detached' })
    await page.waitForURL(`**${WEEK}`)
    expect(await event.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    expect(await editor(page).getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Supper')
  }
}, 20_000)

test('what is drawn into the week stays drawn beside its editor until that is closed', async () => {
  await using at = await shown()
  const { page } = at
  const cell = await boxOf(
    page.getByRole('gridcell', { name: 'Friday 6 March 2026' }).locator('[data-hours]'),
  )
  const ghost = page.locator('.event-ghost')
  await page.mouse.click(cell.x + 20, cell.y + (cell.height / 24) * 10 + 4)
  const making = page.getByRole('dialog', { name: 'New event' })
  await making.waitFor()
  expect(await areApart(making, ghost)).toBe(true)
  await page.keyboard.press('Escape')
  await making.waitFor({ state: 'detached' })
  expect(await ghost.count()).toBe(0)
  await page.keyboard.press('c')
  await making.waitFor()
  expect(await ghost.count()).toBe(0)
})

test('on a phone and in the agenda an event opens in the middle, as there is no room beside it', async () => {
  await using at = await shown('/calendar/agenda/2026-03-01')
  const { page } = at
  await lunch(page).click()
  const { x, width } = await boxOf(editor(page))
  expect(Math.abs(x + width / 2 - 640)).toBeLessThan(2)

  await using phone = await shown('/calendar/day/2026-03-03', { options: SCREENS.phone })
  await lunch(phone.page).tap()
  await phone.page.getByRole('dialog', { name: 'Lunch' }).getByRole('button', { name: 'Edit' }).tap()
  expect(await boxOf(editor(phone.page))).toMatchObject({ x: 0, width: 360 })
})

test('deleting an event in the grid first says how many guests will be told, and deletes one without guests at once', async () => {
  const { ada, bob } = await friends(client.h)
  const { id } = await ada.create({ title: 'Lunch', ...TIMES })
  await ada.create({
    title: 'Alone',
    start_at: '2026-03-05T09:00:00+01:00',
    end_at: '2026-03-05T10:00:00+01:00',
  })
  await ada.invite(id, bob)
  const { page, context } = await client.open({ as: ada })
  await page.goto(WEEK)
  await lunch(page).focus()
  await page.keyboard.press('Delete')
  const question = page.getByRole('dialog', { name: 'Delete event' })
  await question.getByText('One person is invited and will be told that it is cancelled.').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect((await ada.read(id)).status).toBe(200)
  expect(await lunch(page).evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Delete')
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Deleted Lunch').waitFor()
  await eventually(async () => (await ada.read(id)).status, 404)

  await page.getByRole('button', { name: /^Alone,/ }).focus()
  await waitForAnswers(page)
  await page.keyboard.press('Delete')
  await page.getByText('Deleted Alone').waitFor()
  await context.close()
})

test('who deletes an event in the grid while the service takes its time is asked meanwhile, and has to answer', async () => {
  await using at = await shown()
  const { ada, id, page } = at
  const gate = Promise.withResolvers<void>()
  await page.route('**/invitations*', async (route) => {
    await gate.promise
    await route.continue()
  })
  await lunch(page).focus()
  await page.keyboard.press('Delete')
  const question = page.getByRole('dialog', { name: 'Delete event' })
  await question.getByText('If people are invited, they will be told').waitFor()
  gate.resolve()
  await question.getByText('Nobody is invited.').waitFor()
  expect((await ada.read(id)).status).toBe(200)
  await question.getByRole('button', { name: 'Delete' }).click()
  await eventually(async () => (await ada.read(id)).status, 404)
})

test("what stands in the grid is found by the browser's own search, and shows in its place", async () => {
  await using at = await shown()
  const { page } = at
  for (const view of ['week', 'month', 'day']) {
    const address = `/calendar/${view}/2026-03-03`
    await page.goto(address)
    await lunch(page).waitFor()
    const title = lunch(page).locator('.event-title')
    expect(await title.locator('[hidden=until-found]').count()).toBe(1)
    // The browser searches a page for the text that an address names as it does for what somebody types.
    await page.goto(`${address}#:~:text=Lunch`)
    await title.locator('.drawn-found:not([hidden])').waitFor()
    expect(await title.evaluate((element) => getComputedStyle(element, '::before').content)).toBe('none')
  }
})
