import type { Page } from 'playwright-core'
import type { SCREENS } from '../../support/web'
import type { Life } from './life'
import { TODO_SCREENS } from './screens.todos'
import { PROJECTS } from './screens.projects'
import { SHARING } from './screens.sharing'
import { SECURITY } from './screens.security'
import { REMINDERS } from './screens.reminders'
import { FIND_TIME } from './screens.find-time'
import { PEOPLE } from './screens.people'
import { SETTINGS } from './screens.settings'
import { ADMINISTRATION, SEARCH } from './screens.admin'
import {
  button,
  dialog,
  eventOf,
  field,
  json,
  menu,
  openEditor,
  pressKey,
  refuse,
  submitPassword,
  tapOn,
} from './steps'

/** Who looks: nobody, a user with a full week or with nothing yet, and those whom one page alone is for. */
export type Viewer = 'visitor' | 'filled' | 'empty' | 'forced' | 'locked' | 'admin'

/** One thing that the client shows, which every walk of this folder looks at. */
export interface WebScreen {
  readonly name: string
  readonly at: string | ((life: Life) => string)
  readonly as: readonly Viewer[]
  /** The only screen that has it. */
  readonly only?: keyof typeof SCREENS
  /** What a person does to see it. */
  readonly show?: (page: Page, life: Life) => Promise<unknown>
  /** What the service does, from before the page is opened. */
  readonly before?: (page: Page) => Promise<unknown>
}

const VISITOR = ['visitor'] as const
const FILLED = ['filled'] as const
const BOTH = ['filled', 'empty'] as const
const SIGNED_OUT = { authenticated: false, setup_required: false, registration_open: false }
const WEEK = '/calendar/week/2026-03-04'

const ENTERING: readonly WebScreen[] = [
  { name: 'setup', at: '/setup', as: VISITOR, before: (page) => json(page, '**/api/auth/status', 200, { ...SIGNED_OUT, setup_required: true }) },
  { name: 'sign-in', at: '/sign-in', as: VISITOR },
  { name: 'sign-in refused', at: '/sign-in', as: VISITOR, show: (page) => submitPassword(page, 'nobody') },
  { name: 'register', at: '/register', as: VISITOR },
  { name: 'second factor', at: '/sign-in', as: VISITOR, show: async (page, life) => {
      await submitPassword(page, life.withFactor)
      await page.waitForURL('**/second-factor')
    } },
  { name: 'backup code', at: '/sign-in', as: VISITOR, show: async (page, life) => {
      await submitPassword(page, life.withFactor)
      await button(page, 'Use a backup code')
    } },
  { name: 'second factor set-up', at: '/sign-in', as: VISITOR, show: async (page, life) => {
      await submitPassword(page, life.needingFactor)
      await page.getByRole('main').locator('svg path').first().waitFor()
    } },
  { name: 'change password', at: '/change-password', as: ['forced'] },
  { name: 'locked', at: '/today', as: ['locked'] },
  { name: 'service away', at: '/today', as: VISITOR, before: (page) => json(page, '**/api/auth/status', 503, {}) },
] // prettier-ignore

const CALENDAR: readonly WebScreen[] = [
  ...(['week', 'day', 'month', 'agenda'] as const).map((view) => ({
    name: view,
    at: `/calendar/${view}/2026-03-04`,
    as: BOTH,
  })),
  { name: 'week on its way', at: WEEK, as: FILLED, before: (page) => page.route('**/api/events?*', () => {}) },
  { name: 'week that could not be read', at: WEEK, as: FILLED, before: (page) => refuse(page, '**/api/events?*', 500) },
  { name: 'week without the service', at: WEEK, as: FILLED, show: async (page) => {
      await page.context().setOffline(true)
      await page.locator('.connection-offline').waitFor()
    } },
  { name: 'calendar options', at: WEEK, as: FILLED, show: (page) => button(page, 'Calendar options') },
  { name: 'event sheet', at: '/calendar/day/2026-03-04', as: FILLED, only: 'phone', show: (page) => tapOn(page, 'Workshop') },
  { name: 'move dialog', at: '/calendar/day/2026-03-04', as: FILLED, only: 'phone', show: async (page) => {
      await tapOn(page, 'Workshop')
      await button(page, 'Move…')
    } },
  { name: 'event beside its place', at: WEEK, as: FILLED, only: 'desktop', show: async (page) => {
      await eventOf(page, 'Workshop').click()
      await dialog(page, 'Edit event')
    } },
  { name: 'moving by keys', at: WEEK, as: FILLED, only: 'desktop', show: async (page) => {
      await eventOf(page, 'Workshop').focus()
      await pressKey(page, 'v', 'ArrowDown')
    } },
  { name: 'message with Undo', at: WEEK, as: FILLED, show: async (page) => {
      await page.locator('[data-key^=todo]').first().click()
      await button(page, 'Undo', 'see')
    } },
] // prettier-ignore

const EVENTS: readonly WebScreen[] = [
  { name: 'new event page', at: '/events/new?from=2026-03-10T12:00', as: FILLED },
  { name: 'event page', at: ({ event }) => `/events/${event}`, as: FILLED },
  { name: 'event with mistakes', at: '/events/new?from=2026-03-10T12:00', as: FILLED, show: async (page) => {
      await field(page, 'Start date').fill('someday')
      await button(page, 'Save')
    } },
  { name: 'event as a guest', at: ({ invitation }) => `/events/${invitation}`, as: FILLED },
  { name: 'event that is gone', at: '/events/999999', as: FILLED },
  { name: 'new event dialog', at: '/settings/appearance', as: BOTH, show: (page) => openEditor(page) },
  { name: 'list of times', at: '/settings/appearance', as: FILLED, show: async (page) => {
      await openEditor(page)
      await field(page, 'Start time').click()
      await pressKey(page, 'ArrowDown')
      await page.locator('[role=option]').first().waitFor()
    } },
  { name: 'custom repetition', at: '/events/new?from=2026-03-10T12:00', as: FILLED, show: async (page) => {
      await field(page, 'Repeat').selectOption('own')
      await page.locator('.repeat-preview li').first().waitFor()
    } },
  { name: 'change repeating event', at: ({ series }) => `/events/${series}?occurrence=2026-03-12T18:00:00%2B01:00`, as: FILLED, show: async (page) => {
      await field(page, 'Title').fill('Band rehearsal')
      await button(page, 'Save')
      await dialog(page, 'Change repeating event')
    } },
  { name: 'delete event with guests', at: ({ shared }) => `/events/${shared}`, as: FILLED, show: async (page) => {
      await button(page, 'Delete')
      await dialog(page, 'Delete event')
    } },
  { name: 'save as template', at: '/events/new?from=2026-03-10T12:00&title=Retro', as: FILLED, show: async (page) => {
      await button(page, 'Save as template')
      await dialog(page, 'Save as template')
    } },
  { name: 'changed elsewhere', at: ({ contested }) => `/events/${contested}`, as: FILLED, show: async (page, life) => {
      await field(page, 'Title').fill('Mine')
      await life.contest()
      await button(page, 'Save')
      await dialog(page, 'Changed elsewhere')
    } },
  { name: 'quick add', at: '/settings/appearance', as: BOTH, show: async (page) => {
      await pressKey(page, 'q')
      await dialog(page, 'Quick add')
      await page.keyboard.type('Lunch with Sam tomorrow 12:30')
    } },
] // prettier-ignore

const FRAME: readonly WebScreen[] = [
  { name: 'today', at: '/today', as: BOTH },
  { name: 'settings', at: '/settings', as: FILLED },
  ...(['appearance', 'shortcuts', 'security', 'data', 'calendars'] as const).map((page) => ({
    name: `settings ${page}`,
    at: `/settings/${page}`,
    as: FILLED,
  })),
  { name: 'settings of a calendar', at: ({ calendar }) => `/settings/calendars/${calendar}`, as: FILLED },
  { name: 'calendar that is gone', at: '/settings/calendars/999999', as: FILLED },
  { name: 'confirm it is you', at: ({ calendar }) => `/settings/calendars/${calendar}`, as: FILLED, show: async (page) => {
      await json(page, '**/api/calendars/*/feed', 403, { detail: 'x', code: 'reauthentication_required' })
      await button(page, 'Make a secret address')
      await dialog(page, 'Confirm it is you')
    } },
  { name: 'end of a secret address', at: ({ calendar }) => `/settings/calendars/${calendar}`, as: FILLED, show: async (page) => {
      await json(page, '**/api/calendars/*/feed', 201, { url: 'https://example.org/feed' })
      await button(page, 'Make a secret address')
      await button(page, 'End the secret address')
      await dialog(page, 'End the secret address')
    } },
  { name: 'sign in again', at: '/events/new?from=2026-03-10T12:00', as: FILLED, show: async (page) => {
      await field(page, 'Title').fill('Half a sentence')
      await refuse(page, '**/api/events', 401)
      await json(page, '**/api/auth/status', 200, SIGNED_OUT)
      await button(page, 'Save')
      await dialog(page, 'Sign in again')
    } },
  { name: 'keyboard shortcuts', at: WEEK, as: FILLED, show: async (page) => {
      await pressKey(page, '?')
      await dialog(page, 'Keyboard shortcuts')
    } },
  // Over a page that stands still: axe-core takes what a menu covers in part for too small.
  { name: 'menu New', at: '/settings', as: FILLED, show: (page) => menu(page, 'New') },
  { name: 'menu Account', at: '/settings', as: FILLED, show: (page) => menu(page, 'Account') },
  { name: 'menu More', at: '/settings', as: FILLED, only: 'phone', show: (page) => menu(page, 'More') },
  { name: 'unknown address', at: '/no/such/place', as: FILLED },
] // prettier-ignore

/** Every page and dialog that the client has. */
export const ALL_SCREENS: readonly WebScreen[] = [
  ...ENTERING,
  ...FRAME,
  ...CALENDAR,
  ...EVENTS,
  ...FIND_TIME,
  ...TODO_SCREENS,
  ...PROJECTS,
  ...PEOPLE,
  ...SHARING,
  ...SECURITY,
  ...SETTINGS,
  ...SEARCH,
  ...ADMINISTRATION,
  ...REMINDERS,
]
