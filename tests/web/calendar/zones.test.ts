import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { test } from '../../support/browser'
import { createEvent } from '../../support/events'
import { type Client, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const ZONES = ['Pacific/Auckland', 'Europe/Berlin', 'America/Sao_Paulo', 'Asia/Kathmandu', 'America/New_York']

/** Instants around the changes of the clocks in all of these zones, and one without any. */
const INSTANTS = [
  '2026-03-08T07:30:00Z',
  '2026-03-29T01:30:00Z',
  '2026-04-04T14:30:00Z',
  '2026-09-26T14:30:00Z',
  '2026-10-25T00:30:00Z',
  '2026-11-01T06:30:00Z',
  '2026-07-01T12:15:00Z',
]

const clock = (at: Temporal.ZonedDateTime) => at.toPlainTime().toString({ smallestUnit: 'minute' })
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const MONTHS = ['March', 'April', 'July', 'September', 'October', 'November']
const NUMBERS = [3, 4, 7, 9, 10, 11]
const dateOf = (at: Temporal.ZonedDateTime) =>
  `${WEEKDAYS[at.dayOfWeek - 1]} ${at.day} ${MONTHS[NUMBERS.indexOf(at.month)]} ${at.year}`

for (const [index, setting] of ZONES.entries())
  test(`to a user in ${setting} every event stands at its instant, whatever the zones of the browser and the event`, async () => {
    const user = await client.h.signedIn()
    await user.request('PUT', '/api/settings', { body: { time_zone: setting, first_day_of_week: 1 } })
    for (const [place, time_zone] of ZONES.entries())
      for (const start of INSTANTS) {
        const end_at = Temporal.Instant.from(start).add({ minutes: 45 }).toString()
        await createEvent(user, { title: `Call ${place}`, start_at: start, end_at, time_zone })
      }
    const timezoneId = ZONES[(index + 2) % ZONES.length] ?? 'UTC'
    const { page, context } = await client.open({ as: user, options: { timezoneId } })
    for (const start of INSTANTS) {
      const at = Temporal.Instant.from(start).toZonedDateTimeISO(setting)
      const times = `${clock(at)} to ${clock(at.add({ minutes: 45 }))}`
      await page.goto(`/calendar/day/${at.toPlainDate().toString()}`)
      for (const place of ZONES.keys()) {
        const button = page.getByRole('button', {
          name: `Call ${place}, ${dateOf(at)}, ${times}, Personal`,
          exact: true,
        })
        await button.waitFor()
        // By what has really passed since midnight.
        const passed = at.startOfDay().until(at).total('minutes')
        expect(Number(await button.getAttribute('data-at'))).toBe(passed)
      }
      const hours = at
        .startOfDay()
        .until(at.startOfDay().add({ days: 1 }))
        .total('hours')
      expect([start, await page.getByRole('rowheader').count()]).toEqual([start, hours])
    }
    await context.close()
  }, 90_000)

describe('a week in which the clocks change', () => {
  test('has ordinary hours at its edge, and the changed day shows its own 23 or 25', async () => {
    const user = await client.h.signedIn()
    await user.request('PUT', '/api/settings', { body: { time_zone: 'Europe/Berlin', first_day_of_week: 1 } })
    const { page, context } = await client.open({ as: user })
    for (const [date, hours] of [
      ['2026-03-29', 23],
      ['2026-10-25', 25],
    ] as const) {
      await page.goto(`/calendar/week/${date}`)
      await page.locator(`[data-date="${date}"] .own-hour`).first().waitFor()
      expect(await page.locator(`[data-date="${date}"] .own-hour`).count()).toBe(hours)
      expect(await page.getByRole('rowheader').count()).toBe(24)
    }
    await context.close()
  })
})

test('today turns at the midnight of the user, not of the machine', async () => {
  const user = await client.h.signedIn()
  await user.request('PUT', '/api/settings', {
    body: { time_zone: 'Pacific/Auckland', first_day_of_week: 1 },
  })
  const { page, context } = await client.open({ as: user, options: { timezoneId: 'America/New_York' } })
  const midnight = Temporal.Instant.from('2026-03-05T11:00:00Z').epochMilliseconds
  const begins = midnight - 3 * 60_000
  await page.clock.install()
  await page.addInitScript((start) => {
    const opened = performance.now()
    Object.defineProperty(Temporal.Now, 'instant', {
      value: () => Temporal.Instant.fromEpochMilliseconds(start + Math.round(performance.now() - opened)),
    })
  }, begins)
  await page.goto('/calendar/week/2026-03-05')
  const today = page.locator('[role=gridcell][aria-current="date"]')
  await today.waitFor()
  expect(await today.getAttribute('aria-label')).toBe('Thursday 5 March 2026')
  await page.clock.runFor(4 * 60_000)
  await page.locator('[role=gridcell][aria-label="Friday 6 March 2026"][aria-current="date"]').waitFor()
  await context.close()
})
