import type { WebScreen } from './screens'
import { button, dialog, field, json, refuse } from './steps'

const FILLED = ['filled'] as const
const BOTH = ['filled', 'empty'] as const
const OF_CONNECTIONS = '**/api/changes?types=connection&*'

/** Connections, what is shared with them, and calendars that several people have. */
export const SHARING: readonly WebScreen[] = [
  { name: 'connections', at: '/connections', as: BOTH },
  { name: 'connections on their way', at: '/connections', as: FILLED, before: (page) => page.route(OF_CONNECTIONS, () => {}) },
  { name: 'connections that could not be read', at: '/connections', as: FILLED, before: (page) => refuse(page, OF_CONNECTIONS, 500) },
  { name: 'person found', at: '/connections', as: FILLED, show: async (page) => {
      await json(page, '**/api/connections/search', 200, { found: true, network_name: 'asked' })
      await field(page, 'Network name').first().fill('asked')
      await page.keyboard.press('Enter')
      await field(page, 'Message').waitFor()
    } },
  { name: 'nobody found', at: '/connections', as: FILLED, show: async (page) => {
      await json(page, '**/api/connections/search', 200, { found: false, network_name: 'asked' })
      await field(page, 'Network name').first().fill('asked')
      await page.keyboard.press('Enter')
      await page.getByRole('status').filter({ hasText: 'asked' }).waitFor()
    } },
  { name: 'connection', at: ({ sharing }) => `/connections/${sharing.connection}`, as: FILLED },
  { name: 'connection that is gone', at: '/connections/999999', as: FILLED },
  { name: 'disconnect', at: ({ sharing }) => `/connections/${sharing.connection}`, as: FILLED, show: async (page) => {
      await button(page, 'Disconnect')
      await dialog(page, 'Disconnect')
    } },
  { name: 'block', at: ({ sharing }) => `/connections/${sharing.connection}`, as: FILLED, show: async (page) => {
      await button(page, 'Block')
      await dialog(page, 'Block')
    } },
  { name: 'calendar that is shared', at: ({ sharing }) => `/settings/calendars/${sharing.sharedByMe}`, as: FILLED },
  { name: 'stop sharing', at: ({ sharing }) => `/settings/calendars/${sharing.sharedByMe}`, as: FILLED, show: async (page) => {
      await page.locator('.share > button').click()
      await dialog(page, 'Stop sharing')
    } },
  { name: 'calendar of somebody else', at: ({ sharing }) => `/settings/calendars/${sharing.sharedWithMe}`, as: FILLED },
  { name: 'leave a calendar', at: ({ sharing }) => `/settings/calendars/${sharing.sharedWithMe}`, as: FILLED, show: async (page) => {
      await button(page, 'Leave this calendar')
      await dialog(page, 'Leave this calendar')
    } },
] // prettier-ignore
