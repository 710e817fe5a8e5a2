import type { Page } from 'playwright-core'
import type { WebScreen } from './screens'
import { button, dialog, json, refuse } from './steps'

const BOTH = ['filled', 'empty'] as const
const FILLED = ['filled'] as const

/** Lets the clock of the page go on, as if it had been left alone. */
const evening = (page: Page) =>
  page.evaluate(() => {
    const before = Temporal.Now.instant.bind(Temporal.Now)
    Object.defineProperty(Temporal.Now, 'instant', { value: () => before().add({ hours: 8 }) })
    document.dispatchEvent(new Event('visibilitychange'))
  })

/** Reminders, what becomes due, and notifications. */
export const REMINDERS: readonly WebScreen[] = [
  { name: 'reminders', at: '/reminders', as: BOTH },
  { name: 'a reminder', at: ({ reminder }) => `/reminders/${reminder}`, as: FILLED },
  { name: 'reminders that are due', at: '/reminders', as: FILLED, show: async (page) => {
      await evening(page)
      await button(page, 'Snooze', 'see')
    } },
  { name: 'reminder that is gone', at: '/reminders/999999', as: FILLED },
  { name: 'reminders that could not be read', at: '/reminders', as: FILLED, before: (page) => refuse(page, '**/api/changes?*types=reminder*', 500) },
  { name: 'due reminder told', at: '/settings/appearance', as: FILLED, show: async (page) => {
      await evening(page)
      await button(page, 'Snooze', 'see')
    } },
  { name: 'due reminders today', at: '/today', as: FILLED, show: async (page) => {
      await evening(page)
      await button(page, 'Snooze', 'see')
    } },
  { name: 'notifications', at: '/notifications', as: BOTH },
  { name: 'delete notification', at: '/notifications', as: FILLED, show: async (page) => {
      await page.locator('main [aria-haspopup=menu]').first().click()
      await page.getByRole('menuitem').last().click()
      await dialog(page, 'Delete notification')
    } },
  { name: 'weather', at: '/today', as: FILLED, before: (page) => json(page, '**/api/weather', 200, FORECAST), show: (page) => page.locator('.today-weather-now').waitFor() },
  { name: 'weather that did not answer', at: '/today', as: FILLED, before: (page) => refuse(page, '**/api/weather', 502), show: (page) => page.locator('.today-weather .problem-note').waitFor() },
] // prettier-ignore

const FORECAST = {
  location: { city: 'Berlin', latitude: 52.5, longitude: 13.4 },
  current: {
    time: '2026-03-04T10:30:00+01:00',
    temperature: 7.4,
    apparent_temperature: 4.1,
    weather_code: 61,
    wind_speed: 18,
    humidity: 80,
  },
  daily: ['2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07'].map((date, day) => ({
    date,
    weather_code: [61, 3, 0, 95][day],
    temperature_min: 2 + day,
    temperature_max: 9 + day,
    precipitation: day,
  })),
}
