import type { Page } from 'playwright-core'
import type { WebScreen } from './screens'
import { button, dialog, field, json } from './steps'

const FILLED = ['filled'] as const
const BOTH = ['filled', 'empty'] as const

const delivery = { kind: 'event', title: 'Workshop', fire_at: '2026-03-04T13:45:00+01:00', sent_at: null, attempts: 1 } // prettier-ignore
const DELIVERIES = [
  { ...delivery, key: 'a', status: 'sent', sent_at: '2026-03-04T09:45:03+01:00', error: null },
  { ...delivery, key: 'b', status: 'pending', attempts: 0, error: null },
  { ...delivery, key: 'c', status: 'pending', attempts: 2, error: 'The push server answered 503' },
  { ...delivery, key: 'd', status: 'failed', attempts: 6, error: 'The push server did not answer' },
]
const PLACE = { name: 'Berlin', country_code: 'DE', latitude: 52.52437, longitude: 13.41053, time_zone: 'Europe/Berlin' } // prettier-ignore
const NAMES = ['A', 'B'].map((letter) => ({ ...PLACE, state: letter, country: null }))

const operation = { title: 'Workshop', items: [{ type: 'event', id: 1 }], created_at: '2026-03-04T09:45:03+01:00', credential: { type: 'token', id: 1, name: 'Workshop' } } // prettier-ignore

/** The profile is there once its form is. */
const profile = (page: Page) => field(page, 'First name').waitFor()

/** The settings of the account, the trash and what stands over them. */
export const SETTINGS: readonly WebScreen[] = [
  { name: 'settings profile', at: '/settings/profile', as: BOTH, show: profile },
  { name: 'settings profile refused', at: '/settings/profile', as: FILLED, show: async (page) => {
      await field(page, 'Network name').fill('taken')
      await json(page, '**/api/settings', 409, { detail: 'That network name is not available' })
      await field(page, 'Network name').press('Enter')
      await page.locator('.field-problem').waitFor()
    } },
  ...(['calendar', 'sharing', 'push', 'account'] as const).map((page) => ({
    name: `settings ${page}`,
    at: `/settings/${page}`,
    as: BOTH,
  })),
  { name: 'settings calendar with places', at: '/settings/calendar', as: FILLED, show: async (page) => {
      await json(page, '**/api/weather/search?*', 200, { locations: NAMES })
      await field(page, 'Place').fill('Berlin')
      await page.locator('[role=option]').first().waitFor()
    } },
  { name: 'push messages that were sent', at: '/settings/push', as: FILLED, before: (page) => json(page, '**/api/settings/ntfy/deliveries', 200, { deliveries: DELIVERIES }), show: async (page) => {
      await page.locator('.told-list li').nth(3).waitFor()
      await json(page, '**/api/settings/ntfy/test', 502, { detail: 'x', code: 'push_status_403' })
      await button(page, 'Send a test message')
      await page.locator('.settings-test [role=alert]:not(:empty)').waitFor()
    } },
  { name: 'delete account', at: '/settings/account', as: BOTH, show: async (page) => {
      await button(page, 'Delete account')
      await dialog(page, 'Delete account')
      await page.locator('.what-goes').waitFor()
    } },
  { name: 'trash', at: '/trash', as: BOTH },
  { name: 'trash that could not be read', at: '/trash', as: FILLED, before: (page) => json(page, '**/api/trash?*', 500, { detail: 'x' }), show: (page) => page.locator('.problem-note').waitFor() },
  { name: 'restore refused', at: '/trash', as: FILLED, show: async (page) => {
      await json(page, '**/api/trash/*/restore', 409, { detail: 'Restore the list first' })
      await button(page, 'Restore Return the long ladder to the neighbours across the road')
      await page.locator('.trash-what [role=alert]:not(:empty)').first().waitFor()
    } },
  { name: 'delete for good', at: '/trash', as: FILLED, show: async (page) => {
      await button(page, 'Delete Allotment for good')
      await dialog(page, 'Delete for good?')
    } },
  { name: 'empty the trash', at: '/trash', as: FILLED, show: async (page) => {
      await button(page, 'Empty the trash')
      await dialog(page, 'Empty the trash?')
    } },
  { name: 'recent changes', at: '/trash/changes', as: BOTH },
  { name: 'undo refused', at: '/trash/changes', as: FILLED, before: (page) => json(page, '**/api/operations?*', 200, { operations: [{ ...operation, id: 'a', operation: 'changeEvent', undoable: true }], next_cursor: null }), show: async (page) => {
      await json(page, '**/api/operations/*/undo', 409, { detail: 'Changed since', code: 'changed_since', items: [{ type: 'event', id: 1, title: 'Workshop' }] })
      await page.locator('.trash-line button').first().click()
      await page.locator('.trash-what li').waitFor()
    } },
] // prettier-ignore
