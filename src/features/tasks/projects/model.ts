import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { historyPage, pageQuery } from '../../../lib/wire/page'
import {
  day,
  line,
  listPosition,
  optionalNullable,
  paragraphs,
  queryFlag,
  rank,
} from '../../../lib/wire/schema'
import { color } from '../../../lib/wire/schema'

const status = (options = {}) =>
  t.Union(
    [t.Literal('not_started'), t.Literal('in_progress'), t.Literal('on_hold'), t.Literal('completed')],
    options,
  )

const fields = {
  description: optionalNullable(paragraphs({ min: 0, max: 10_000 })),
  color: optionalNullable(color()),
  status: t.Optional(status({ description: '`not_started` by default.' })),
  due_date: optionalNullable(day()),
  is_tracked: Type.Optional(
    Type.Boolean({ description: 'Whether its open tasks are in the list of tracked tasks.' }),
  ),
  position: listPosition(),
}
const name = () => line({ max: 200 })

export const ProjectView = t.Object(
  {
    id: Type.Integer(),
    name: t.String(),
    description: t.Nullable(t.String()),
    color: t.Nullable(t.String({ description: '#rrggbb' })),
    status: status(),
    due_date: t.Nullable(t.String({ format: 'date' })),
    is_tracked: t.Boolean(),
    position: Type.Integer({ description: 'Among the projects of the owner, from 1.' }),
    rank: rank(),
    task_count: Type.Integer({ description: 'Including subtasks.' }),
    completed_task_count: Type.Integer({ description: 'Including subtasks.' }),
    version: Type.Integer({
      description: 'Increases with every change, but not when others move past it; for `If-Match`.',
    }),
    created_at: t.String({ format: 'date-time' }),
    updated_at: t.String({ format: 'date-time' }),
  },
  { title: 'Project' },
)
export type ProjectView = typeof ProjectView.static

export const ProjectsQuery = t.Object({
  status: t.Optional(status({ description: 'Only projects with this status.' })),
  is_tracked: t.Optional(queryFlag('Only tracked projects, or only the others.')),
  ...pageQuery,
})
export type ProjectsQuery = typeof ProjectsQuery.static

export const ProjectHistory = historyPage(ProjectView)
export type ProjectHistory = typeof ProjectHistory.static

export const ProjectsPage = t.Object({
  projects: t.Array(ProjectView),
  next_cursor: t.Nullable(t.String()),
})
export type ProjectsPage = typeof ProjectsPage.static

export const ProjectsView = t.Object({ projects: t.Array(ProjectView) })

export const NewProject = t.Object({ name: name(), ...fields })
export type NewProject = typeof NewProject.static

export const ProjectChanges = t.Object({ name: t.Optional(name()), ...fields })
export type ProjectChanges = typeof ProjectChanges.static

export const ProjectOrder = t.Object({
  project_ids: t.Array(Type.Integer(), { description: 'All projects of the caller, in their new order.' }),
})
