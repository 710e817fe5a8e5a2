import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { organiser, type Organiser } from '../../support/events'
import { type Client, eventually, eventuallyMatches, SCREENS, startClient } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const newcomer = () => organiser(client.h, 'Europe/Berlin')
const KEY_MS = 60

async function openToday(as: Organiser, options: Parameters<Client['open']>[0] = {}) {
  const { page, context } = await client.open({ as, ...options })
  await page.goto('/today')
  const field = page.getByRole('textbox', { name: 'What do you want to add?' })
  await field.waitFor()
  return { page, context, field }
}

const pieces = (page: Page) => page.getByRole('list', { name: 'Understood as' }).getByRole('button')
const march = (ada: Organiser) => ada.list('2026-03-01', '2026-04-01')
const listed = async (ada: Organiser, what: 'todos' | 'reminders') =>
  (await ada.request('GET', `/api/${what}`)).body[what]

test('the first event comes from one typed line, and its parts show before it is saved', async () => {
  const ada = await newcomer()
  const { page, context, field } = await openToday(ada)
  // Nothing is planned, so the field has the focus.
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.type('Lunch with Sam tomorrow 12:30', { delay: KEY_MS })
  expect(await pieces(page).evaluateAll((list) => list.map((each) => each.ariaLabel))).toEqual([
    'Remove date: Thursday 5 March 2026',
    'Remove time: 12:30',
  ])
  await page.getByText('Thursday 5 March 2026, 12:30 to 13:30, in Personal').first().waitFor()
  await page.getByRole('button', { name: 'Add event' }).waitFor()
  await eventually(() => march(ada), [])
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Added Lunch with Sam' }).waitFor()
  expect(await field.inputValue()).toBe('')
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await eventuallyMatches(
    () => march(ada),
    [{ title: 'Lunch with Sam', start_at: '2026-03-05T12:30:00+01:00', end_at: '2026-03-05T13:30:00+01:00' }],
  )
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('status').filter({ hasText: 'Undone' }).waitFor()
  await eventually(() => march(ada), [])
  await context.close()
})

test('a removed piece is part of the title again, and the button says what will be added', async () => {
  const ada = await newcomer()
  const { page, context, field } = await openToday(ada)
  await field.fill('Watch the news today 20:00')
  await page.getByRole('button', { name: 'Remove time: 20:00' }).click()
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'Remove date: Wednesday 4 March 2026' }).click()
  await page.getByRole('button', { name: 'Add todo' }).click()
  await page.getByRole('status').filter({ hasText: 'Added Watch the news today 20:00' }).waitFor()
  await eventuallyMatches(
    () => listed(ada, 'todos'),
    [{ title: 'Watch the news today 20:00', due_date: null }],
  )
  await context.close()
})

test('events, todos and reminders are saved with all that was understood', async () => {
  const ada = await newcomer()
  await ada.createCalendar('Work')
  const { page, context, field } = await openToday(ada)
  const add = async (line: string, button: string) => {
    await field.fill(line)
    await page.getByRole('button', { name: button }).click()
    await field.and(page.locator('[value=""]')).waitFor()
  }
  await add('Standup every weekday 9:15 for 15 min in Room 3 #work', 'Add event')
  await add('Fair 9–11 March', 'Add event')
  await add('Pay rent on the 15th of every month #home', 'Add todo')
  await add('Remind me to call mum on Friday at 9', 'Add reminder')
  const called = async (name: string) => (await march(ada)).find(({ title }) => title === name)
  await eventuallyMatches(() => called('Standup'), {
    title: 'Standup',
    start_at: '2026-03-05T09:15:00+01:00',
    end_at: '2026-03-05T09:30:00+01:00',
    location: 'Room 3',
    calendar_name: 'Work',
    recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  })
  await eventuallyMatches(() => called('Fair'), {
    all_day: true,
    start_date: '2026-03-09',
    end_date: '2026-03-11',
  })
  await eventuallyMatches(
    () => listed(ada, 'todos'),
    [{ title: 'Pay rent', due_date: '2026-03-15', category: 'home', recurrence: 'monthly' }],
  )
  await eventuallyMatches(
    () => listed(ada, 'reminders'),
    [{ title: 'call mum', remind_at: '2026-03-06T09:00:00+01:00' }],
  )
  await context.close()
})

test('a line that names a calendar waits until the calendars are read, and then goes into that one', async () => {
  const ada = await newcomer()
  await ada.createCalendar('Work')
  const { page, context } = await client.open({ as: ada })
  const read = Promise.withResolvers<void>()
  await page.route('**/api/changes?*types=calendar*', async (route) => {
    await read.promise
    await route.continue()
  })
  await page.goto('/today')
  const field = page.getByRole('textbox', { name: 'What do you want to add?' })
  await field.fill('Standup tomorrow 9:15 #work')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add event' }).and(page.locator('[data-busy]')).waitFor()
  expect(await march(ada)).toEqual([])
  read.resolve()
  await page.getByRole('status').filter({ hasText: 'Added Standup' }).waitFor()
  expect(await field.inputValue()).toBe('')
  await eventuallyMatches(() => march(ada), [{ title: 'Standup', calendar_name: 'Work' }])
  await context.close()
})

test('the kind can be chosen, and what it cannot hold stays in the title', async () => {
  const ada = await newcomer()
  const { page, context, field } = await openToday(ada)
  await field.fill('Dinner tomorrow 19:00 at Luigi’s')
  await page.getByRole('radio', { name: 'Todo' }).check()
  await page.getByRole('button', { name: 'Add todo' }).click()
  await page.getByRole('status').filter({ hasText: 'Added Dinner at Luigi’s' }).waitFor()
  await eventuallyMatches(
    () => listed(ada, 'todos'),
    [{ title: 'Dinner at Luigi’s', due_date: '2026-03-05', due_time: '19:00' }],
  )
  await context.close()
})

test('the key q opens it anywhere, the letters typed after it are not lost, and the focus returns', async () => {
  const ada = await newcomer()
  const { page, context } = await openToday(ada)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  const dialog = page.getByRole('dialog', { name: 'Quick add' })
  await page.keyboard.press('q')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.type('qTea tomorrow 16:00')
  await dialog.getByRole('button', { name: 'Remove time: 16:00' }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await eventuallyMatches(() => march(ada), [{ title: 'Tea' }])
  await context.close()
})

test('what is added without the service waits and arrives once, though the first answer was lost', async () => {
  const ada = await newcomer()
  const { page, context, field } = await openToday(ada)
  await field.fill('Lunch tomorrow 12:30')
  // The service gets the first attempt, but its answer is lost.
  const isLost = Promise.withResolvers<void>()
  await page.route('**/api/events', async (route) => {
    await route.fetch()
    await route.abort()
    isLost.resolve()
  })
  await page.getByRole('button', { name: 'Add event' }).click()
  await page.getByRole('status').filter({ hasText: 'Added Lunch' }).waitFor()
  expect(await field.inputValue()).toBe('')
  await isLost.promise
  const repeated = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.unroute('**/api/events')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  expect((await repeated).status()).toBe(201)
  expect(await march(ada)).toHaveLength(1)
  await context.close()
})

test('what is typed stays through a reload, and so does what was added and had no answer', async () => {
  const { page, context, field } = await openToday(await newcomer())
  await field.fill('Dinner tomorrow 19:00')
  await page.reload()
  await page.getByRole('button', { name: 'Remove time: 19:00' }).waitFor()
  expect(await field.inputValue()).toBe('Dinner tomorrow 19:00')
  await page.route('**/api/events', (route) => route.abort())
  await page.getByRole('button', { name: 'Add event' }).click()
  await page.getByRole('status').filter({ hasText: 'Added Dinner' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Remove time: 19:00' }).waitFor()
  await context.close()
})

test('a line that the service refuses stands in its field again, with the reason', async () => {
  const { page, context, field } = await openToday(await newcomer())
  await page.route('**/api/todos', (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/json',
      body: JSON.stringify({ detail: 'You have too many todos' }),
    }),
  )
  await field.fill('Milk')
  await page.getByRole('button', { name: 'Add todo' }).click()
  await page
    .getByRole('alert')
    .filter({ hasText: 'Not saved: Added Milk. There are too many of these. Delete some first.' })
    .waitFor()
  await field.and(page.locator('[value="Milk"]')).waitFor()
  await context.close()
})

test('an empty line adds nothing and says so at the field', async () => {
  const { page, context, field } = await openToday(await newcomer())
  await field.press('Enter')
  await page.getByText('Type what you want to add.').waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  await context.close()
})

test('days are those of the user’s zone, not of the machine', async () => {
  const ada = await organiser(client.h, 'Pacific/Auckland')
  const { page, context, field } = await openToday(ada, { options: { timezoneId: 'America/Sao_Paulo' } })
  await field.fill('Breakfast tomorrow 8:00')
  await page.getByRole('button', { name: 'Remove date: Thursday 5 March 2026' }).waitFor()
  await field.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Added' }).waitFor()
  await eventuallyMatches(
    () => march(ada),
    [{ start_at: '2026-03-04T20:00:00+01:00', time_zone: 'Pacific/Auckland' }],
  )
  await context.close()
})

test('it understands and speaks German', async () => {
  const ada = await newcomer()
  const { page, context } = await client.open({ as: ada, options: { locale: 'de-DE' } })
  await page.goto('/today')
  const field = page.getByRole('textbox', { name: 'Was soll hinzukommen?' })
  await field.fill('Zahnarzt jeden zweiten Montag um halb neun')
  await page.getByRole('button', { name: 'Wiederholung entfernen: alle 2 Wochen am Montag' }).waitFor()
  await page.getByText('Montag, 9. März 2026, 08:30 bis 09:30, alle 2 Wochen am Montag').first().waitFor()
  await page.getByRole('button', { name: 'Termin hinzufügen' }).click()
  await page.getByRole('status').filter({ hasText: 'Zahnarzt hinzugefügt' }).waitFor()
  await eventuallyMatches(() => march(ada), [{}, {}])
  await context.close()
})

test('it has no accessibility problem and no horizontal scroll, on a laptop and a phone, in both schemes', async () => {
  const ada = await newcomer()
  for (const screen of Object.values(SCREENS))
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, context, field } = await openToday(ada, { options: { ...screen, colorScheme } })
      expect(await axeProblems(page)).toEqual([])
      await field.fill(
        'Dinner with everybody from the old office every 2nd Sunday 19:30 for 2 h at Café Luna',
      )
      await pieces(page).first().waitFor()
      expect(await axeProblems(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
      await page.locator('h1').click()
      await page.keyboard.press('q')
      await page.getByRole('dialog', { name: 'Quick add' }).waitFor()
      await page.keyboard.type('Tea tomorrow 16:00')
      expect(await axeProblems(page)).toEqual([])
      await context.close()
    }
})
