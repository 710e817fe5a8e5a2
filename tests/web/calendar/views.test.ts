import { afterAll, beforeAll, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { createEvent } from '../../support/events'
import type { Actor } from '../../support/harness'
import { type Client, eventually, SCREENS, startClient } from '../../support/web'

let client: Client
let ada: Actor
let empty: Actor
beforeAll(async () => {
  client = await startClient()
  ada = await signedIn('Europe/Berlin')
  empty = await signedIn('Europe/Berlin')
  const { body: work } = await ada.request('POST', '/api/calendars', {
    body: { name: 'Work', color: '#0f766e' },
  })
  const calendar_id = work.id
  const timed = (title: string, start_at: string, end_at: string, more: object = {}) =>
    createEvent(ada, { title, start_at, end_at, ...more })
  await timed('Lunch', '2026-03-04T12:30', '2026-03-04T13:15')
  await timed('Party', '2026-03-06T23:00', '2026-03-07T01:00', { calendar_id })
  await timed('Deadline', '2026-03-05T12:30', '2026-03-05T12:30')
  await timed('Stand-up', '2026-03-02T09:00', '2026-03-02T09:15', {
    calendar_id,
    recurrence_rule: 'FREQ=DAILY;COUNT=4',
  })
  await createEvent(ada, {
    title: 'Holiday',
    all_day: true,
    start_date: '2026-03-03',
    end_date: '2026-03-03',
  })
  await createEvent(ada, { title: 'Fair', all_day: true, start_date: '2026-03-05', end_date: '2026-03-10' })
  for (let hour = 10; hour < 18; hour += 1)
    await timed(`Meeting ${hour}`, `2026-03-18T${hour}:00`, `2026-03-18T${hour}:45`)
  await ada.request('POST', '/api/todos', { body: { title: 'Pay rent', due_date: '2026-03-04' } })
  const { body: project } = await ada.request('POST', '/api/projects', { body: { name: 'House' } })
  await ada.request('POST', `/api/projects/${project.id}/tasks`, {
    body: { title: 'Paint', due_date: '2026-03-05' },
  })
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

async function signedIn(time_zone: string): Promise<Actor> {
  const actor = await client.h.signedIn()
  await actor.request('PUT', '/api/settings', { body: { time_zone, first_day_of_week: 1 } })
  return actor
}

async function shown(address: string, given: Parameters<Client['open']>[0] = {}) {
  const { page, context } = await client.open({ as: ada, ...given })
  await page.goto(address)
  await read(page)
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

/** Waits until the calendar has read what it shows. */
const read = (page: Page) => page.locator('.calendar-body:not([data-loading])').waitFor()
const event = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe('every view says by names and roles what it shows', () => {
  test('the week: a grid of days named by their full date, today marked, events with all that is known of them', async () => {
    await using at = await shown('/calendar/week/2026-03-04')
    const { page } = at
    await page.getByRole('heading', { level: 1, name: '2–8 March 2026', exact: true }).waitFor()
    expect(await page.title()).toBe('Calendar – Organiser')
    const days = page.getByRole('grid', { name: 'Week' }).getByRole('gridcell')
    expect(await days.evaluateAll((cells) => cells.map((cell) => cell.ariaLabel))).toEqual([
      'Monday 2 March 2026',
      'Tuesday 3 March 2026',
      'Wednesday 4 March 2026',
      'Thursday 5 March 2026',
      'Friday 6 March 2026',
      'Saturday 7 March 2026',
      'Sunday 8 March 2026',
    ])
    expect(await page.locator('[role=gridcell][aria-current="date"]').getAttribute('aria-label')).toBe(
      'Wednesday 4 March 2026',
    )
    for (const name of [
      'Lunch, Wednesday 4 March 2026, 12:30 to 13:15, Personal',
      'Deadline, Thursday 5 March 2026, 12:30, Personal',
      'Party, Friday 6 March 2026 23:00 to Saturday 7 March 2026 01:00, Work',
      'Holiday, Tuesday 3 March 2026, all day, Personal',
      'Fair, Thursday 5 March 2026 to Tuesday 10 March 2026, all day, Personal',
      'Stand-up, Monday 2 March 2026, 09:00 to 09:15, Work, repeats',
    ])
      await event(page, name).waitFor()
    expect(await page.getByRole('checkbox', { name: 'Pay rent' }).isChecked()).toBe(false)
    await page.getByRole('checkbox', { name: 'Paint' }).waitFor()
  })

  test('the day: its hours, and only what happens in it', async () => {
    await using at = await shown('/calendar/day/2026-03-07')
    const { page } = at
    await page.getByRole('heading', { level: 1, name: 'Saturday 7 March 2026', exact: true }).waitFor()
    const grid = page.getByRole('grid', { name: 'Day' })
    expect(await grid.getByRole('rowheader').count()).toBe(24)
    await event(page, 'Party, Friday 6 March 2026 23:00 to Saturday 7 March 2026 01:00, Work').waitFor()
    expect(await page.getByRole('button', { name: /^Lunch/ }).count()).toBe(0)
  })

  test('the month: whole weeks, and how many more there are where a day is full', async () => {
    await using at = await shown('/calendar/month/2026-03-04')
    const { page } = at
    await page.getByRole('heading', { level: 1, name: 'March 2026', exact: true }).waitFor()
    const grid = page.getByRole('grid', { name: 'Month' })
    expect(await grid.getByRole('gridcell').count()).toBe(42)
    expect(
      await event(page, 'Fair, Thursday 5 March 2026 to Tuesday 10 March 2026, all day, Personal').count(),
    ).toBe(1)
    await page.getByRole('button', { name: /^\d more on Wednesday 18 March 2026$/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Wednesday 18 March 2026' }).waitFor()
    await event(page, 'Meeting 17, Wednesday 18 March 2026, 17:00 to 17:45, Personal').waitFor()
  })

  test('the agenda: a list by days, without the empty ones', async () => {
    await using at = await shown('/calendar/agenda/2026-03-04')
    const { page } = at
    const list = page.getByRole('list', { name: 'Agenda' })
    await list.getByRole('heading', { level: 2 }).first().waitFor()
    expect(await list.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Wednesday 4 MarchToday',
      'Thursday 5 March',
      'Friday 6 March',
      'Saturday 7 March',
      'Sunday 8 March',
      'Monday 9 March',
      'Tuesday 10 March',
      'Wednesday 18 March',
    ])
    await event(page, 'Lunch, Wednesday 4 March 2026, 12:30 to 13:15, Personal').waitFor()
  })

  // (contract: web.agenda)
  test('the agenda goes on with Load more, and Back finds as much of it as was left', async () => {
    await using at = await shown('/calendar/agenda/2026-01-20')
    const { page } = at
    const more = page.getByRole('button', { name: 'Load more' })
    expect(await event(page, 'Lunch, Wednesday 4 March 2026, 12:30 to 13:15, Personal').count()).toBe(0)
    await more.click()
    await page.getByRole('heading', { level: 1, name: '20 January – 16 March 2026' }).waitFor()
    await event(page, 'Lunch, Wednesday 4 March 2026, 12:30 to 13:15, Personal').waitFor()
    expect(await more.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.getByRole('radio', { name: 'Month' }).check()
    await page.getByRole('heading', { level: 1, name: 'January 2026', exact: true }).waitFor()
    await page.goBack()
    await event(page, 'Lunch, Wednesday 4 March 2026, 12:30 to 13:15, Personal').waitFor()
  })

  test('in German, all of it is German', async () => {
    await using at = await shown('/calendar/week/2026-03-04', { options: { locale: 'de-DE' } })
    const { page } = at
    await page.getByRole('heading', { level: 1, name: '2.–8. März 2026', exact: true }).waitFor()
    await page.getByRole('grid', { name: 'Woche' }).waitFor()
    await event(page, 'Lunch, Mittwoch, 4. März 2026, 12:30 bis 13:15, Personal').waitFor()
  })
})

test('an empty week says how to begin, and a calendar that could not be read never looks empty', async () => {
  const { page, context } = await client.open({ as: empty })
  await page.goto('/calendar/week/2026-03-04')
  await page.getByText('Drag or press C to add').waitFor()
  await page.route('**/api/events?*', (route) => route.fulfill({ status: 500, json: { detail: 'Broken' } }))
  await page.goto('/calendar/week/2026-09-02')
  await page.getByRole('alert').getByText('The calendar could not be read.').waitFor()
  expect(await page.getByText('Drag or press C to add').count()).toBe(0)
  // It tries again by itself when it becomes live, and after that at nobody's wish but the user's.
  await page.getByRole('status', { name: 'Connection' }).getByText('Live').waitFor()
  const tryAgain = page.getByRole('button', { name: 'Try again' })
  await Promise.all([page.waitForResponse('**/api/events?*'), tryAgain.click()])
  await page.unroute('**/api/events?*')
  await tryAgain.click()
  await page.getByText('Drag or press C to add').waitFor()
  await context.close()
})

test('Previous, Next, Today and View change the address; Back and Forward find view, scroll and selection again', async () => {
  await using at = await shown('/calendar/week/2026-03-04')
  const { page } = at
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const lunch = event(page, 'Lunch, Wednesday 4 March 2026, 12:30 to 13:15, Personal')
  const body = page.locator('.calendar-body')
  await body.evaluate((element) => element.scrollTo(0, 300))
  await lunch.focus()
  const scroll = await body.evaluate((element) => element.scrollTop)
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await heading('9–15 March 2026')
  await page.getByRole('radio', { name: 'Month' }).check()
  await heading('March 2026')
  expect(new URL(page.url()).pathname).toBe('/calendar/month/2026-03-11')
  await page.goBack()
  await heading('9–15 March 2026')
  await page.goBack()
  await heading('2–8 March 2026')
  expect(await body.evaluate((element) => element.scrollTop)).toBe(scroll)
  await page.waitForFunction(() => document.activeElement?.ariaLabel?.startsWith('Lunch'))
  await page.goForward()
  await page.goForward()
  await heading('March 2026')
  await page.getByRole('button', { name: 'Previous' }).click()
  await heading('February 2026')
  await page.getByRole('button', { name: 'Today' }).click()
  await heading('March 2026')
})

test('the calendar ends where the window does, and on a phone its end comes clear of the button New', async () => {
  for (const options of [SCREENS.desktop, SCREENS.phone]) {
    await using at = await shown('/calendar/agenda/2026-03-04', { options })
    const { page } = at
    const [height, window] = await page.evaluate(() => [document.documentElement.scrollHeight, innerHeight])
    expect(height).toBe(window)
    await page.locator('.calendar-body').evaluate((body) => body.scrollTo(0, body.scrollHeight))
    const last = await page.getByRole('button', { name: 'Load more' }).boundingBox()
    const add = await page.getByRole('button', { name: 'New', exact: true }).boundingBox()
    if (options === SCREENS.phone) expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThan(add?.y ?? 0)
  }
})

test('/calendar opens the view that was shown last, at today', async () => {
  await using at = await shown('/calendar/month/2026-07-01')
  const { page } = at
  await page.goto('/calendar')
  await page.waitForURL('**/calendar/month/2026-03-04')
})

test('on a phone the calendar opens as an agenda with the days of the week, and a week is three days', async () => {
  await using at = await shown('/calendar', { options: SCREENS.phone })
  const { page } = at
  await page.waitForURL('**/calendar/agenda/2026-03-04')
  await event(page, 'Thursday 5 March 2026').click()
  await page.waitForURL('**/calendar/agenda/2026-03-05')
  await page.getByRole('radio', { name: 'Week' }).check()
  await page.getByRole('heading', { level: 1, name: '5–7 March 2026' }).waitFor()
  expect(await page.getByRole('gridcell').count()).toBe(3)
})

test('options: a second time zone beside the hours, declined events hidden, numbers of weeks', async () => {
  await using at = await shown('/calendar/week/2026-03-04')
  const { page } = at
  await page.getByRole('button', { name: 'Calendar options' }).click()
  await page.getByRole('combobox', { name: 'Second time zone' }).selectOption('Asia/Kathmandu')
  await page.getByRole('checkbox', { name: 'Week numbers' }).check()
  await page.keyboard.press('Escape')
  expect(await page.getByRole('rowheader').nth(9).textContent()).toBe('13:45 09:00')
  await page.getByText('Week 10', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Calendar options' }).click()
  await page.getByRole('combobox', { name: 'Second time zone' }).selectOption('')
})

test('a checkbox completes a todo, and Undo opens it again', async () => {
  await using at = await shown('/calendar/week/2026-03-04')
  const { page } = at
  const rent = page.getByRole('checkbox', { name: 'Pay rent' })
  const stored = async () => (await ada.request('GET', '/api/todos')).body.todos[0].completed
  await rent.check()
  await page.getByText('Marked Pay rent as done').waitFor()
  await eventually(stored, true)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.waitForFunction(() => !document.querySelector<HTMLInputElement>('[data-key^=todo]')?.checked)
  await eventually(stored, false)
})

describe('axe-core finds nothing wrong', () => {
  for (const [screen, options] of Object.entries(SCREENS))
    for (const colorScheme of ['light', 'dark'] as const)
      for (const who of ['filled', 'empty'] as const)
        test(`${screen}, ${colorScheme}, ${who}`, async () => {
          const as = who === 'filled' ? ada : empty
          await using at = await shown('/calendar/week/2026-03-04', {
            as,
            options: { ...options, colorScheme },
          })
          for (const view of who === 'filled' ? ['week', 'day', 'month', 'agenda'] : ['week', 'agenda']) {
            await at.page.goto(`/calendar/${view}/2026-03-04`)
            await read(at.page)
            expect([view, await axeProblems(at.page)]).toEqual([view, []])
          }
        }, 60_000)
})
