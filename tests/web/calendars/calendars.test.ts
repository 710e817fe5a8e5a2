import { afterAll, beforeAll, expect } from 'bun:test'
import { test } from '../../support/browser'
import { type Client, eventually, SCREENS, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const event = (uid: string, summary: string, start: string) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTAMP:20260101T000000Z',
  `DTSTART:${start}`,
  `SUMMARY:${summary}`,
  'END:VEVENT',
]

const file = (...events: string[][]) => ({
  name: 'home.ics',
  mimeType: 'text/calendar',
  buffer: Buffer.from(
    ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...events.flat(), 'END:VCALENDAR', ''].join(
      '\r\n',
    ),
  ),
})

async function openCalendar(options: Parameters<Client['open']>[0] = {}) {
  const ada = await client.h.signedIn()
  const { body } = await ada.request('GET', '/api/calendars')
  const { id } = body.calendars.find((calendar: { name: string }) => calendar.name === 'Personal')
  const { page, context } = await client.open({ as: ada, ...options })
  await page.goto(`/settings/calendars/${id}`)
  await page.getByRole('heading', { level: 1, name: 'Personal' }).waitFor()
  return { ada, id, page, [Symbol.asyncDispose]: () => context.close() }
}

test('a file is imported after its rehearsal said what would happen, and leads to its first event; the focus stays in its section', async () => {
  await using opened = await openCalendar()
  const { ada, page } = opened
  const chooser = page.getByLabel('Calendar file (.ics)')
  await chooser.setInputFiles(
    file(event('a', 'Later', '20260310T100000Z'), event('b', 'Sooner', '20260305T100000Z'), [
      'BEGIN:VEVENT',
      'UID:c',
      'END:VEVENT',
    ]),
  )
  await page.getByText('2 new').waitFor()
  expect(await page.getByText('1 skipped').count()).toBe(1)
  expect(
    (await ada.request('GET', '/api/events?from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z')).body.events,
  ).toEqual([])
  await page.getByRole('button', { name: 'Import' }).click()
  await page.getByText('The file is imported.').waitFor()
  expect(await page.getByRole('link', { name: 'Show the first event' }).getAttribute('href')).toBe(
    '/calendar/day/2026-03-05',
  )

  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Import')

  await chooser.setInputFiles(file(event('a', 'Later', '20260310T100000Z')))
  await page.getByText('1 unchanged').waitFor()
  expect(await page.getByRole('button', { name: 'Import' }).isDisabled()).toBe(true)
})

test('a file that is too large is refused at its field before it is sent', async () => {
  await using opened = await openCalendar()
  const { page } = opened
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const buffer = Buffer.alloc(10 * 1024 * 1024 + 1, 'x')
  await page
    .getByLabel('Calendar file (.ics)')
    .setInputFiles({ name: 'large.ics', mimeType: 'text/calendar', buffer })
  await page.getByText('The file is larger than 10 MiB').waitFor()
  expect(requests.filter((url) => url.includes('import'))).toEqual([])
})

test('a calendar is hidden, shown alone and shown again from the list beside the navigation', async () => {
  await using opened = await openCalendar()
  const { ada, page } = opened
  const list = page.getByRole('group', { name: 'Calendars' })
  const visible = async () =>
    (await ada.request('GET', '/api/calendars')).body.calendars
      .filter((calendar: { is_visible: boolean }) => calendar.is_visible)
      .map((calendar: { name: string }) => calendar.name)
      .toSorted()
  await list.getByRole('checkbox', { name: 'Birthdays' }).click()
  await eventually(visible, ['Personal'])
  const choose = async (action: string) => {
    await list.getByRole('button', { name: 'More actions for Birthdays' }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await choose('Show all')
  await eventually(visible, ['Birthdays', 'Personal'])
  await choose('Only this one')
  await eventually(visible, ['Birthdays'])
})

test('a day chosen by keys in the mini-month opens the calendar on it', async () => {
  await using opened = await openCalendar()
  const { page } = opened
  const grid = page.getByRole('grid', { name: 'Choose a date' })
  await grid.getByRole('button', { name: 'Wednesday 4 March 2026' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/calendar/day/2026-03-11')
})

test('the page of a calendar that is gone says so and leads on', async () => {
  const ada = await client.h.signedIn()
  const { page, context } = await client.open({ as: ada, options: SCREENS.phone })
  await page.goto('/settings/calendars/999999')
  await page.getByRole('heading', { level: 1, name: 'This is gone' }).waitFor()
  await context.close()
})

test('a deleted calendar comes back with its events by "Undo"', async () => {
  const ada = await client.h.signedIn()
  const { body: garden } = await ada.request('POST', '/api/calendars', { body: { name: 'Garden' } })
  await ada.request('POST', '/api/events', {
    body: {
      title: 'Sow peas',
      calendar_id: garden.id,
      start_at: '2026-03-05T09:00:00Z',
      end_at: '2026-03-05T10:00:00Z',
    },
  })
  const names = async () =>
    (await ada.request('GET', '/api/calendars')).body.calendars.map(({ name }: { name: string }) => name)
  const { page, context } = await client.open({ as: ada })
  await page.goto(`/settings/calendars/${garden.id}`)
  await page.getByRole('button', { name: 'Delete', exact: false }).click()
  await page.getByText('Deleted the calendar Garden').waitFor()
  await eventually(names, ['Birthdays', 'Personal'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(names, ['Birthdays', 'Garden', 'Personal'])
  await page.goto('/calendar/week/2026-03-05')
  await page.getByRole('button', { name: /^Sow peas, Thursday 5 March 2026/ }).waitFor()
  await context.close()
})
