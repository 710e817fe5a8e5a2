import type { Page } from 'playwright-core'
import { button, dialog, field, json, refuse } from './steps'
import type { WebScreen } from './screens'

const FILLED = ['filled'] as const
const NEW = '/events/new?from=2026-03-10T12:00&title=Retro'
const ASKED = '**/api/free-busy'

async function openFindTime(page: Page): Promise<void> {
  await button(page, 'Find a time')
  await dialog(page, 'Find a time')
}

/** The search for a time in the event editor. */
export const FIND_TIME: readonly WebScreen[] = [
  { name: 'find a time', at: NEW, as: FILLED, show: async (page) => {
      await openFindTime(page)
      await page.getByRole('dialog').getByRole('listitem').first().waitFor()
    } },
  { name: 'find a time with guests', at: ({ shared }) => `/events/${shared}`, as: FILLED, show: async (page) => {
      await openFindTime(page)
      await page.locator('dialog select').last().selectOption('any')
      await page.getByRole('dialog').getByRole('listitem').first().waitFor()
    } },
  { name: 'find a time without one', at: NEW, as: FILLED, show: async (page) => {
      await json(page, ASKED, 200, { proposals: [], people: [] })
      await openFindTime(page)
      await page.locator('dialog div[role=status] p').waitFor()
    } },
  { name: 'find a time on its way', at: NEW, as: FILLED, before: (page) => page.route(ASKED, () => {}), show: openFindTime },
  { name: 'find a time that could not be read', at: NEW, as: FILLED, before: (page) => refuse(page, ASKED, 500), show: openFindTime },
  { name: 'find a time without a length', at: NEW, as: FILLED, show: async (page) => {
      await field(page, 'Start date').fill('someday')
      await openFindTime(page)
    } },
] // prettier-ignore
