import type { WebScreen } from './screens'
import { button, choose, dialog, field, json, menu } from './steps'

const FILLED = ['filled'] as const
const BOTH = ['filled', 'empty'] as const

/** Todos, their lists, and the history of a record. */
export const TODO_SCREENS: readonly WebScreen[] = [
  { name: 'todos', at: '/todos', as: BOTH },
  ...(['today', 'upcoming', 'done'] as const).map((view) => ({ name: `todos ${view}`, at: `/todos?view=${view}`, as: FILLED })),
  { name: 'todo', at: ({ todo }) => `/todos/${todo}`, as: FILLED },
  { name: 'todo that is gone', at: '/todos/999999', as: FILLED },
  { name: 'todo with mistakes', at: ({ todo }) => `/todos/${todo}`, as: FILLED, show: async (page) => {
      await field(page, 'Title').fill('')
      await field(page, 'Due date').fill('someday')
      await button(page, 'Save')
    } },
  { name: 'todo being typed', at: '/todos', as: FILLED, show: async (page) => {
      await field(page, 'Add a todo').fill('Pay rent every month')
    } },
  { name: 'menu of a todo', at: '/todos', as: FILLED, show: (page) => menu(page, 'More actions for Book the train') },
  { name: 'move a todo', at: '/todos', as: FILLED, show: async (page) => {
      // Another screen ticks "Book the train", and a done todo has no place among the open ones.
      await choose(page, 'More actions for Renew the passport', 'Move to…')
      await page.getByRole('spinbutton').waitFor()
    } },
  { name: 'lists of todos', at: '/todos', as: BOTH, show: async (page) => {
      await button(page, 'Lists')
      await dialog(page, 'Lists')
    } },
  { name: 'edit a list of todos', at: '/todos', as: FILLED, show: async (page) => {
      await button(page, 'Lists')
      await choose(page, 'More actions for Household', 'Edit')
      await dialog(page, 'Edit list')
    } },
  { name: 'history', at: ({ todo }) => `/todos/${todo}`, as: FILLED, show: async (page) => {
      await button(page, 'History')
      await page.getByRole('heading', { level: 3 }).first().waitFor()
    } },
  { name: 'todos that could not be read', at: '/todos', as: FILLED, before: (page) => json(page, '**/api/changes?types=todo&*', 500, { detail: 'x' }), show: (page) => page.getByRole('alert').waitFor() },
] // prettier-ignore
