import type { WebScreen } from './screens'
import { button, dialog, field, menu, refuse } from './steps'

const FILLED = ['filled'] as const
const BOTH = ['filled', 'empty'] as const

/** The pages and dialogs of projects and their tasks. */
export const PROJECTS: readonly WebScreen[] = [
  { name: 'projects', at: '/projects', as: BOTH },
  { name: 'projects that could not be read', at: '/projects', as: FILLED, before: (page) => refuse(page, '**/api/changes?*types=project*', 500) },
  { name: 'new project', at: '/projects?new=project', as: BOTH, show: async (page) => {
      await dialog(page, 'New project')
      await field(page, 'Due date').fill('someday')
      await button(page, 'Save')
    } },
  { name: 'menu of a project', at: '/projects', as: FILLED, show: (page) => menu(page, 'More actions for Tax return') },
  { name: 'project', at: ({ project }) => `/projects/${project}`, as: FILLED },
  { name: 'board of a project', at: ({ project }) => `/projects/${project}?layout=board`, as: FILLED },
  { name: 'edit project', at: ({ project }) => `/projects/${project}`, as: FILLED, show: async (page) => {
      await button(page, 'Edit')
      await dialog(page, 'Edit project')
    } },
  { name: 'task', at: ({ project, task }) => `/projects/${project}/tasks/${task}`, as: FILLED },
  { name: 'task beside the board', at: ({ project, task }) => `/projects/${project}/tasks/${task}?layout=board`, as: FILLED, only: 'desktop' },
  { name: 'move a task', at: ({ project, task }) => `/projects/${project}/tasks/${task}`, as: FILLED, show: async (page) => {
      await button(page, 'Move to…')
      await page.getByRole('dialog').waitFor()
    } },
  { name: 'project that is gone', at: '/projects/999999', as: FILLED },
] // prettier-ignore
