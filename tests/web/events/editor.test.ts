import { afterAll, beforeAll, expect } from 'bun:test'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import {
  title,
  startDate,
  startTime,
  endDate,
  endTime,
  save,
  told,
  focused,
} from '../../support/event-editor'
import { organiser, type Organiser } from '../../support/events'
import { type Client, eventually, eventuallyMatches, SCREENS, startClient } from '../../support/web'

// It is Wednesday 4 March 2026, 10:30 in Berlin.
let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const newcomer = () => organiser(client.h, 'Europe/Berlin')
const march = (ada: Organiser) => ada.list('2026-03-01', '2026-04-01')

async function at(as: Organiser, address: string, options: Parameters<Client['open']>[0] = {}) {
  const { page, context } = await client.open({ as, ...options })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, context }
}

test('an event is made by the keyboard alone', async () => {
  const ada = await newcomer()
  await ada.createCalendar('Work')
  const { page, context } = await at(ada, '/settings')
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'New event' }).waitFor()
  expect(await focused(page)).toBe('Title')
  await page.keyboard.type('Planning')
  const order = []
  for (const [keys, text] of [
    ['Calendar', ''],
    ['All day', ''],
    ['Start date', '2026-03-10'],
    ['Start time', '14:30'],
    ['End date', undefined],
    ['End time', '16:00'],
    ['Time zone', undefined],
    ['Repeat', undefined],
    ['Location', 'Room 3'],
  ] as const) {
    await page.keyboard.press('Tab')
    order.push([keys, await focused(page)])
    if (keys === 'Calendar') await page.keyboard.type('Work')
    if (text) await page.keyboard.press('ControlOrMeta+a')
    if (text) await page.keyboard.type(text)
  }
  expect(order.map(([, label]) => label)).toEqual(order.map(([keys]) => keys))
  await page.keyboard.press('ControlOrMeta+Enter')
  await told(page, 'Added Planning')
  await eventually(() => focused(page), 'Settings')
  await eventuallyMatches(
    () => march(ada),
    [
      {
        title: 'Planning',
        calendar_name: 'Work',
        start_at: '2026-03-10T14:30:00+01:00',
        end_at: '2026-03-10T16:00:00+01:00',
        location: 'Room 3',
      },
    ],
  )
  await context.close()
})

test('a list offers the times; it is used by the keyboard and closes without closing the editor', async () => {
  const { page, context } = await at(await newcomer(), '/events/new?from=2026-03-10T09:00')
  await startTime(page).focus()
  await page.keyboard.press('ArrowDown')
  const list = page.getByRole('listbox', { name: 'Start time' })
  await list.waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await list.waitFor({ state: 'detached' })
  expect(await startTime(page).inputValue()).toBe('09:15')
  expect(await endTime(page).inputValue()).toBe('10:15')
  await context.close()
})

test('the end follows the start, and typed dates and times are shown in full', async () => {
  const { page, context } = await at(
    await newcomer(),
    '/events/new?from=2026-03-10T22:30&to=2026-03-11T00:30&title=Train',
  )
  expect(await title(page).inputValue()).toBe('Train')
  await startDate(page).fill('24 dec')
  await startTime(page).fill('930')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  expect(await startDate(page).inputValue()).toBe('Thu 24 Dec 2026')
  expect(await startTime(page).inputValue()).toBe('09:30')
  expect(await endDate(page).inputValue()).toBe('Thu 24 Dec 2026')
  expect(await endTime(page).inputValue()).toBe('11:30')
  await context.close()
})

test('wrong input is explained at its field, the first of them has the focus, and nothing is saved', async () => {
  const ada = await newcomer()
  const { page, context } = await at(ada, '/events/new?from=2026-03-10T09:00')
  await startDate(page).fill('some day')
  await endTime(page).fill('25:99')
  await page.keyboard.press('Escape')
  await save(page)
  expect(await focused(page)).toBe('Title')
  for (const [field, words] of [
    [title(page), 'Fill this in.'],
    [startDate(page), 'This is not a date.'],
    [endTime(page), 'This is not a time.'],
  ] as const) {
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    const [id = ''] = ((await field.getAttribute('aria-describedby')) ?? '').split(' ').slice(-1)
    expect(await page.locator(`[id="${id}"]`).textContent()).toStartWith(words)
  }
  await title(page).fill('Lunch')
  await startDate(page).fill('2026-03-10')
  await endTime(page).fill('08:00')
  await page.keyboard.press('Escape')
  await endDate(page).fill('2026-03-10')
  await save(page)
  await page.getByText('The end is before the start.').waitFor()
  expect(await focused(page)).toBe('End time')
  await eventually(() => march(ada), [])
  await context.close()
})

test('times are those of the event’s zone, with the viewer’s beside them, whatever the machine’s zone is', async () => {
  const ada = await newcomer()
  const event = await ada.create({
    title: 'Call',
    start_at: '2026-03-10T09:00:00',
    end_at: '2026-03-10T10:00:00',
    time_zone: 'Asia/Kathmandu',
  })
  const { page, context } = await at(ada, `/events/${event.id}`, {
    options: { timezoneId: 'America/New_York' },
  })
  expect(await startTime(page).inputValue()).toBe('09:00')
  expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Asia/Kathmandu')
  await page.getByText('04:15 for you (Berlin)').waitFor()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Berlin')
  await page.keyboard.press('Tab')
  await save(page)
  await told(page, 'Changed Call')
  await eventuallyMatches(async () => (await ada.read(event.id)).body, {
    start_at: '2026-03-10T09:00:00+01:00',
    time_zone: 'Europe/Berlin',
  })
  await context.close()
})

test('an all-day event has its last day included', async () => {
  const ada = await newcomer()
  const { page, context } = await at(ada, '/events/new?from=2026-03-10&to=2026-03-12')
  expect(await page.getByRole('checkbox', { name: 'All day' }).isChecked()).toBe(true)
  expect(await startTime(page).count()).toBe(0)
  await title(page).fill('Fair')
  await save(page)
  await told(page, 'Added Fair')
  await eventuallyMatches(
    () => march(ada),
    [{ all_day: true, start_date: '2026-03-10', end_date: '2026-03-12' }],
  )
  await context.close()
})

test('what the service refuses is said with a way back to it, where the reason stands at its field', async () => {
  const ada = await newcomer()
  const { page, context } = await at(ada, '/events/new?from=2026-03-10T09:00')
  await title(page).fill('Lunch')
  await page.route('**/api/events', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 422,
          contentType: 'application/json',
          body: JSON.stringify({
            detail: 'recurrence_rule: must match at least one day',
            errors: [{ field: 'body.location', message: 'must be at most 500 characters' }],
          }),
        })
      : route.continue(),
  )
  await save(page)
  const messages = page.getByRole('region', { name: 'Messages' })
  await messages
    .getByRole('alert')
    .filter({ hasText: 'Not saved: Added Lunch. At most 500 characters.' })
    .waitFor()
  await page.unroute('**/api/events')
  await messages.getByRole('button', { name: 'Edit again' }).click()
  await page.getByRole('dialog', { name: 'New event' }).waitFor()
  expect(await title(page).inputValue()).toBe('Lunch')
  expect(await focused(page)).toBe('Location')
  await save(page)
  await eventuallyMatches(() => march(ada), [{ title: 'Lunch' }])
  await context.close()
})

test('what was typed outlives a reload, also when it was saved without the service, and can be given up', async () => {
  const ada = await newcomer()
  const { page, context } = await at(ada, '/events/new?from=2026-03-10T09:00')
  await title(page).fill('Lunch')
  await page.route('**/api/events', (route) => route.abort())
  await save(page)
  await told(page, 'Added Lunch')
  await page.goto('/events/new?from=2026-03-10T09:00')
  await page.getByText('These are your unsaved changes.').waitFor()
  expect(await title(page).inputValue()).toBe('Lunch')
  await page.getByRole('button', { name: 'Discard them' }).click()
  expect(await title(page).inputValue()).toBe('')
  expect(await march(ada)).toEqual([])
  await context.close()
})

test('an event that is saved while the service is away shows at once, and arrives with its later change', async () => {
  const ada = await newcomer()
  const { page, context } = await at(ada, '/calendar/week/2026-03-10')
  await page.getByRole('gridcell', { name: 'Tuesday 10 March 2026' }).waitFor()
  const dialog = page.getByRole('dialog', { name: 'New event' })
  // The editors come once the page is at rest.
  await page.keyboard.press('c')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await context.setOffline(true)
  await page.keyboard.press('c')
  await dialog.waitFor()
  await title(page).fill('Lunch')
  await startDate(page).fill('2026-03-12')
  await startTime(page).fill('12:00')
  await page.keyboard.press('Escape')
  await save(page)
  const event = page.getByRole('button', { name: /^Lunch, Thursday 12 March 2026, 12:00 to 13:00/ })
  await event.click()
  await title(page).fill('Long lunch')
  await save(page)
  const changed = page.getByRole('button', { name: /^Long lunch, Thursday 12 March 2026/ })
  await changed.waitFor()
  expect(await march(ada)).toEqual([])
  await context.setOffline(false)
  await eventuallyMatches(() => march(ada), [{ title: 'Long lunch', start_at: '2026-03-12T12:00:00+01:00' }])
  expect(await changed.count()).toBe(1)
  await context.close()
})

test('the editor has no accessibility problem and no horizontal scroll, on a laptop and a phone, in both languages', async () => {
  const ada = await newcomer()
  for (const [screen, colorScheme, locale] of [
    [SCREENS.desktop, 'light', 'en-GB'],
    [SCREENS.phone, 'dark', 'de-DE'],
  ] as const) {
    const { page, context } = await at(ada, '/events/new?from=2026-03-10T09:00', {
      options: { ...screen, colorScheme, locale },
    })
    const german = locale === 'de-DE'
    await page.getByRole('button', { name: german ? 'Speichern' : 'Save', exact: true }).click()
    await page
      .getByRole('combobox', { name: german ? 'Wiederholen' : 'Repeat' })
      .selectOption({ label: german ? 'Eigene Regel …' : 'Custom…' })
    await page.getByText(german ? 'Die ersten Tage' : 'The first dates').waitFor()
    expect(await axeProblems(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    await page.getByRole('combobox', { name: german ? 'Beginn (Uhrzeit)' : 'Start time' }).click()
    await page.getByRole('listbox').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await context.close()
  }
})
