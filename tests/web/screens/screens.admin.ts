import type { Page } from 'playwright-core'
import type { WebScreen } from './screens'
import type { Life } from './life'
import { button, dialog, pressKey, refuse } from './steps'

const FILLED = ['filled'] as const
const BOTH = ['filled', 'empty'] as const

async function openPalette(page: Page): Promise<void> {
  await pressKey(page, 'Control+k')
  await dialog(page, 'Commands')
}

/** The search and the palette. */
export const SEARCH: readonly WebScreen[] = [
  { name: 'search', at: '/search', as: FILLED },
  { name: 'search results', at: '/search?q=Swimming', as: FILLED, show: (page) => page.locator('.result-when').first().waitFor() },
  { name: 'search of one type', at: '/search?q=Swimming&types=events,todos', as: FILLED },
  { name: 'search without results', at: '/search?q=Sam&types=people', as: BOTH, show: (page) => page.locator('.empty').waitFor() },
  { name: 'search that failed', at: '/search?q=Sam', as: FILLED, before: (page) => refuse(page, '**/api/search?*', 500), show: (page) => page.locator('.problem-note').waitFor() },
  { name: 'last searches', at: '/search', as: FILLED, show: async (page) => {
      await page.locator('input[type=search]').fill('Swimming')
      await pressKey(page, 'Enter')
      await page.locator('[data-result]:focus').waitFor()
      await page.locator('input[type=search]').fill('')
      await page.locator('#last-searches').waitFor()
    } },
  { name: 'palette', at: '/calendar/week/2026-03-04', as: FILLED, show: openPalette },
  { name: 'palette with results', at: '/settings/appearance', as: FILLED, show: async (page) => {
      await openPalette(page)
      await page.keyboard.type('Swimming')
      await page.locator('.commands-note').first().waitFor()
    } },
] // prettier-ignore

const ADMIN = ['admin'] as const
const USER = ({ user }: Life) => `/admin/users/${user}`

/** What only administrators see. */
export const ADMINISTRATION: readonly WebScreen[] = [
  { name: 'administration', at: '/admin', as: ADMIN },
  { name: 'administration for others', at: '/admin', as: FILLED },
  { name: 'users', at: '/admin/users', as: ADMIN },
  { name: 'new user', at: '/admin/users', as: ADMIN, show: async (page) => {
      await button(page, 'Add a user')
      await dialog(page, 'Add a user')
    } },
  { name: 'user', at: USER, as: ADMIN },
  { name: 'user deletion', at: USER, as: ADMIN, show: async (page) => {
      await button(page, 'Delete the user')
      await page.getByRole('dialog').waitFor()
    } },
  { name: 'second factor of a user', at: USER, as: ADMIN, show: async (page) => {
      await button(page, 'Require a second factor')
      await page.getByRole('dialog').waitFor()
    } },
  { name: 'user that is gone', at: '/admin/users/999999', as: ADMIN },
  { name: 'service settings', at: '/admin/settings', as: ADMIN },
  { name: 'audit log', at: '/admin/audit', as: ADMIN },
  { name: 'audit log of a day without entries', at: '/admin/audit?from=1999-01-01&to=1999-01-01', as: ADMIN, show: (page) => page.locator('.empty').waitFor() },
] // prettier-ignore
