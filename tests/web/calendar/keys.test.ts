import { afterAll, beforeAll, beforeEach, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { createEvent } from '../../support/events'
import type { Actor } from '../../support/harness'
import { type Client, eventually, SCREENS, startClient, waitForAnswers } from '../../support/web'

let client: Client
let ada: Actor
let ids: { lunch: number; choir: number }
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await client.h.signedIn()
  await ada.request('PUT', '/api/settings', { body: { time_zone: 'Europe/Berlin', first_day_of_week: 1 } })
  const lunch = await createEvent(ada, {
    title: 'Lunch',
    start_at: '2026-03-04T12:30',
    end_at: '2026-03-04T13:15',
  })
  const choir = await createEvent(ada, {
    title: 'Choir',
    start_at: '2026-03-05T12:00',
    end_at: '2026-03-05T13:00',
    recurrence_rule: 'FREQ=DAILY;COUNT=3',
  })
  ids = { lunch: lunch.id, choir: choir.id }
})

async function shown(address: string, options: Parameters<Client['open']>[0] = {}) {
  const { page, context } = await client.open({ as: ada, ...options })
  await page.goto(address)
  await page.locator('.calendar-body:not([data-loading])').waitFor()
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.ariaLabel)
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const times = async (id: number) => {
  const { body } = await ada.request('GET', `/api/events/${id}`)
  return [body.start_at, body.end_at]
}
/** The starts of all occurrences of Choir. */
const choirs = async () => {
  const { body } = await ada.request('GET', '/api/events?from=2026-03-01&to=2026-04-01')
  return body.events
    .filter(({ title }: { title: string }) => title === 'Choir')
    .map(({ start_at }: { start_at: string }) => start_at.slice(5, 16))
}
const LUNCH = 'Lunch, Wednesday 4 March 2026, 12:30 to 13:15, Personal'
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('arrows walk from day to day and through events, letters change view and period, and the focus is never lost', async () => {
  await using at = await shown('/calendar/week/2026-03-04')
  const { page } = at
  await page.getByRole('button', { name: 'Calendar options' }).focus()
  await press(page, 'Tab')
  expect(await focused(page)).toBe('Wednesday 4 March 2026')
  await press(page, 'ArrowDown')
  expect(await focused(page)).toBe(LUNCH)
  await press(page, 'ArrowRight')
  expect(await focused(page)).toBe('Choir, Thursday 5 March 2026, 12:00 to 13:00, Personal, repeats')
  await press(page, 'Home')
  expect(await focused(page)).toBe('Monday 2 March 2026')
  await press(page, 'End', 'ArrowRight')
  await page.waitForURL('**/calendar/week/2026-03-09')
  await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Monday 9 March 2026')
  for (const [key, path] of [
    ['k', '/calendar/week/2026-03-02'],
    ['j', '/calendar/week/2026-03-09'],
    ['m', '/calendar/month/2026-03-09'],
    ['t', '/calendar/month/2026-03-04'],
    ['a', '/calendar/agenda/2026-03-04'],
    ['d', '/calendar/day/2026-03-04'],
    ['w', '/calendar/week/2026-03-04'],
  ] as const) {
    await press(page, key)
    await page.waitForURL(`**${path}`)
    await page.locator('.calendar-body:not([data-loading])').waitFor()
    expect([key, await page.evaluate(() => document.activeElement === document.body)]).toEqual([key, false])
  }
  await press(page, 'c')
  await page.waitForURL(/events\/new\?from=2026-03-04T\d\d%3A00%3A00Z&to=/)
})

test('Enter opens an event or a day, e edits, and Delete deletes with a way back', async () => {
  await using at = await shown('/calendar/week/2026-03-04')
  const { page } = at
  await button(page, LUNCH).focus()
  await press(page, 'Enter')
  await page.waitForURL(`**/events/${ids.lunch}`)
  await page.goBack()
  await page.waitForFunction(() => document.activeElement?.ariaLabel?.startsWith('Lunch'))
  await press(page, 'e')
  await page.waitForURL(`**/events/${ids.lunch}`)
  await page.goBack()
  await page.waitForFunction(() => document.activeElement?.ariaLabel?.startsWith('Lunch'))
  await waitForAnswers(page)
  await press(page, 'Delete')
  await page.getByText('Deleted Lunch').waitFor()
  await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Wednesday 4 March 2026')
  await eventually(async () => (await ada.request('GET', `/api/events/${ids.lunch}`)).status, 404)
  await page.getByRole('button', { name: 'Undo' }).click()
  await button(page, LUNCH).waitFor()
  await page.locator('[data-date="2026-03-04"]').focus()
  await press(page, 'Enter')
  await page.waitForURL('**/calendar/day/2026-03-04')
})

describe('v moves the focused event', () => {
  test('arrows by quarters of an hour and days, Shift and arrows its end, each step said; Enter keeps it', async () => {
    await using at = await shown('/calendar/week/2026-03-04')
    const { page } = at
    const said = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
    await button(page, LUNCH).focus()
    await press(page, 'v')
    await said('Moving Lunch')
    await press(page, 'ArrowDown')
    await said('Lunch, Wednesday 4 March 2026, 12:45 to 13:30')
    await press(page, 'ArrowRight')
    await said('Lunch, Thursday 5 March 2026, 12:45 to 13:30')
    await press(page, 'Shift+ArrowDown')
    await said('Lunch, Thursday 5 March 2026, 12:45 to 13:45')
    expect(await page.locator('.event-ghost').count()).toBe(1)
    await press(page, 'Enter')
    await page.getByText('Moved Lunch, Thursday 5 March 2026, 12:45 to 13:45').waitFor()
    await eventually(() => times(ids.lunch), ['2026-03-05T12:45:00+01:00', '2026-03-05T13:45:00+01:00'])
    await page.waitForFunction(() => document.activeElement?.ariaLabel?.startsWith('Lunch, Thursday'))
    await page.getByRole('button', { name: 'Undo' }).click()
    await button(page, LUNCH).waitFor()
    await eventually(() => times(ids.lunch), ['2026-03-04T12:30:00+01:00', '2026-03-04T13:15:00+01:00'])
  })

  test('Escape leaves it where it was', async () => {
    await using at = await shown('/calendar/week/2026-03-04')
    const { page } = at
    await button(page, LUNCH).focus()
    await press(page, 'v', 'ArrowDown', 'ArrowDown', 'Escape')
    await page.getByText('Lunch stays where it was.').waitFor()
    expect(await page.locator('.event-ghost').count()).toBe(0)
    await eventually(() => times(ids.lunch), ['2026-03-04T12:30:00+01:00', '2026-03-04T13:15:00+01:00'])
    expect(await focused(page)).toBe(LUNCH)
  })

  for (const [choice, starts] of [
    ['Only this event', ['03-05T12:00', '03-06T12:15', '03-07T12:00']],
    ['This and following events', ['03-05T12:00', '03-06T12:15', '03-07T12:15']],
    ['All events', ['03-05T12:15', '03-06T12:15', '03-07T12:15']],
  ] as const)
    test(`of a repeating event it asks which ones: ${choice}`, async () => {
      await using at = await shown('/calendar/week/2026-03-04')
      const { page } = at
      await button(page, 'Choir, Friday 6 March 2026, 12:00 to 13:00, Personal, repeats').focus()
      await press(page, 'v', 'ArrowDown', 'Enter')
      const dialog = page.getByRole('dialog', { name: 'Change repeating event' })
      await dialog.getByRole('radio', { name: choice }).check()
      expect(await axeProblems(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await page.getByText('Moved Choir, Friday 6 March 2026, 12:15 to 13:15').waitFor()
      await eventually(choirs, [...starts])
    })
})

test('from right to left, arrows lead where they point, also while moving', async () => {
  await using at = await shown('/calendar/week/2026-03-04')
  const { page } = at
  await page.evaluate(() => localStorage.setItem('language', 'ar-XB'))
  await page.reload()
  await page.locator('.calendar-body:not([data-loading])').waitFor()
  const first = page.locator('[data-date="2026-03-02"]')
  const last = page.locator('[data-date="2026-03-08"]')
  expect((await first.boundingBox())?.x ?? 0).toBeGreaterThan((await last.boundingBox())?.x ?? 0)
  const day = () =>
    page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-date]')?.dataset.date)
  await page.locator('[data-date="2026-03-03"]').focus()
  await press(page, 'ArrowLeft')
  await eventually(day, '2026-03-04')
  await press(page, 'ArrowDown', 'v', 'ArrowLeft', 'Enter')
  await page
    .locator('[data-date="2026-03-05"] [data-key^="1 "], [data-date="2026-03-05"] .event')
    .nth(1)
    .waitFor()
  await page.getByRole('button', { name: /Undo|odnU|‮Undo/ }).waitFor()
  await eventually(async () => (await times(ids.lunch))[0], '2026-03-05T12:30:00+01:00')
})

describe('mouse and finger', () => {
  const middle = async (page: Page, selector: string) => {
    const box = await page.locator(selector).first().boundingBox()
    if (!box) throw new Error(`${selector} is not shown`)
    return { cx: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  const drag = async (page: Page, from: readonly [number, number], to: readonly [number, number]) => {
    await page.mouse.move(...from)
    await page.mouse.down()
    await page.mouse.move(from[0] + 6, from[1] + 6)
    await page.mouse.move(...to, { steps: 4 })
    await page.mouse.up()
  }

  test('dragging an event moves it, dragging its lower edge changes its end, Escape keeps it', async () => {
    await using at = await shown('/calendar/week/2026-03-04')
    const { page } = at
    const lunch = await middle(page, '[aria-label^="Lunch"]')
    const friday = await middle(page, '[data-date="2026-03-06"]')
    await page.mouse.move(lunch.cx, lunch.y)
    await page.mouse.down()
    await page.mouse.move(friday.cx, lunch.y + 96, { steps: 4 })
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(await page.locator('.event-ghost').count()).toBe(0)
    await drag(page, [lunch.cx, lunch.y], [friday.cx, lunch.y + 48])
    await page.getByText('Moved Lunch, Friday 6 March 2026, 13:30 to 14:15').waitFor()
    await eventually(() => times(ids.lunch), ['2026-03-06T13:30:00+01:00', '2026-03-06T14:15:00+01:00'])
    const handle = await middle(page, '[aria-label^="Lunch, Friday"] [data-handle]')
    await drag(page, [handle.cx, handle.y], [handle.cx, handle.y + 36])
    await page.getByText('Moved Lunch, Friday 6 March 2026, 13:30 to 15:00').waitFor()
    expect(new URL(page.url()).pathname).toBe('/calendar/week/2026-03-04')
  })

  test('dragging over empty hours begins a new event of that length', async () => {
    await using at = await shown('/calendar/week/2026-03-04')
    const { page } = at
    const hours = await page.locator('[data-date="2026-03-07"] [data-hours]').boundingBox()
    if (!hours) throw new Error('no hours')
    const y = (hour: number) => hours.y + (hours.height * hour) / 24
    await drag(page, [hours.x + 30, y(14) + 4], [hours.x + 30, y(15.5) - 4])
    await page.waitForURL('**/events/new?from=2026-03-07T13%3A00%3A00Z&to=2026-03-07T14%3A30%3A00Z')
  })

  test('a tap opens a sheet, in which Move… moves by typing', async () => {
    await using at = await shown('/calendar/day/2026-03-04', { options: SCREENS.phone })
    const { page } = at
    await page.locator('[aria-label^="Lunch"]').tap()
    const sheet = page.getByRole('dialog', { name: 'Lunch' })
    expect(await axeProblems(page)).toEqual([])
    await sheet.getByRole('button', { name: 'Move…' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Move Lunch' })
    await dialog.getByRole('textbox', { name: 'Start time' }).fill('later')
    await dialog.getByRole('button', { name: 'Move' }).tap()
    await dialog.getByText('Type a time such as 9:30.').waitFor()
    await dialog.getByRole('textbox', { name: 'Start time' }).fill('930')
    await dialog.getByRole('textbox', { name: 'Start date' }).fill('tomorrow')
    await dialog.getByRole('button', { name: 'Move' }).tap()
    await page.getByText('Moved Lunch, Thursday 5 March 2026, 09:30 to 10:15').waitFor()
    await eventually(async () => (await times(ids.lunch))[0], '2026-03-05T09:30:00+01:00')
  })
})

test('a change that meets another one made elsewhere keeps both, and says so', async () => {
  await using at = await shown('/calendar/week/2026-03-04')
  const { page } = at
  await page.context().setOffline(true)
  await button(page, LUNCH).focus()
  await press(page, 'v', 'ArrowDown', 'Enter')
  await ada.request('PUT', `/api/events/${ids.lunch}`, { body: { title: 'Brunch' } })
  await page.context().setOffline(false)
  await page.getByText('both changes are kept').waitFor()
  await button(page, 'Brunch, Wednesday 4 March 2026, 12:45 to 13:30, Personal').waitFor()
})

test('what the service refuses goes, and it is said why', async () => {
  await using at = await shown('/calendar/week/2026-03-04')
  const { page } = at
  await page.context().setOffline(true)
  await button(page, LUNCH).focus()
  await press(page, 'v', 'ArrowDown', 'Enter')
  await ada.request('DELETE', `/api/events/${ids.lunch}`)
  await page.context().setOffline(false)
  await page.getByText(/^Not saved: Moved Lunch.* It is gone\.$/).waitFor()
  await page.getByRole('button', { name: /^Lunch/ }).waitFor({ state: 'detached' })
})
