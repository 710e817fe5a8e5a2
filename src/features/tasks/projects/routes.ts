import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { Again } from '../../../http/admission'
import type { SessionGuard } from '../../../http/session-guard'
import { expectedVersions, IfMatch, tagged } from '../../../http/versions'
import { readId } from '../../../lib/wire/id'
import { HistoryQuery } from '../../../lib/wire/page'
import { pathId } from '../../../lib/wire/schema'
import {
  NewProject,
  ProjectChanges,
  ProjectOrder,
  ProjectsPage,
  ProjectsQuery,
  ProjectHistory,
  ProjectsView,
  ProjectView,
} from './model'
import * as projects from './service'

const params = t.Object({ id: pathId('Of the project.') })

export const projectRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'projects.routes', prefix: '/api/projects', tags: ['Projects'] })
    .use(guard)
    .get('', ({ session, query }) => projects.listProjects(deps, session.userId, query), {
      session: { scope: 'tasks:read' },
      query: ProjectsQuery,
      response: { 200: ProjectsPage },
      detail: { operationId: 'listProjects', summary: 'List the projects', description: 'By position.' },
    })
    .post(
      '',
      async ({ session, body, set, status }) =>
        status(201, tagged(set, await projects.createProject(deps, session, body))),
      {
        session: { scope: 'tasks:write' },
        body: NewProject,
        response: { 201: ProjectView, 409: ErrorBody },
        detail: {
          operationId: 'createProject',
          summary: 'Create a project',
          description: 'Adds it at the end unless a `position` is given.',
        },
      },
    )
    .put(
      '/reorder',
      async ({ session, body }) => ({
        projects: await projects.reorderProjects(deps, session, body.project_ids),
      }),
      {
        session: {
          scope: 'tasks:write',
          readAgain: async ({ session }: Again) => ({
            projects: await projects.listInOrder(deps, session.userId),
          }),
        },
        body: ProjectOrder,
        response: { 200: ProjectsView, 409: ErrorBody },
        detail: {
          operationId: 'reorderProjects',
          summary: 'Put the projects into a new order',
          description: 'The list must contain all projects. Their versions do not change.',
        },
      },
    )
    .get(
      '/:id',
      async ({ session, params: { id }, set }) =>
        tagged(set, await projects.readProject(deps, session.userId, readId(id, 'Project'))),
      {
        session: { scope: 'tasks:read' },
        params,
        response: { 200: ProjectView, 404: ErrorBody },
        detail: { operationId: 'getProject', summary: 'Read a project' },
      },
    )
    .get(
      '/:id/history',
      ({ session, params: { id }, query }) =>
        projects.listProjectVersions(deps, session, readId(id, 'Project'), query),
      {
        session: { scope: 'tasks:read' },
        params,
        query: HistoryQuery,
        response: { 200: ProjectHistory, 404: ErrorBody },
        detail: {
          operationId: 'listProjectVersions',
          summary: 'List the versions of a project',
          description:
            'Newest first, with the record as it was. Former versions are kept for 30 days or as `HISTORY_DAYS` says. The `position` and the counts of tasks are those of now.',
        },
      },
    )
    .put(
      '/:id',
      async ({ session, params: { id }, headers, body, set }) => {
        const target = { id: readId(id, 'Project'), expected: expectedVersions(headers) }
        return tagged(set, await projects.changeProject(deps, session, target, body))
      },
      {
        session: { scope: 'tasks:write' },
        params,
        headers: IfMatch,
        body: ProjectChanges,
        response: { 200: ProjectView, 404: ErrorBody, 412: ErrorBody },
        detail: {
          operationId: 'changeProject',
          summary: 'Change a project',
          description: 'Changes the given fields; a `position` moves the project there.',
        },
      },
    )
    .delete(
      '/:id',
      async ({ session, params: { id }, headers, status }) => {
        const target = { id: readId(id, 'Project'), expected: expectedVersions(headers) }
        await projects.deleteProject(deps, session, target)
        return status(204, undefined)
      },
      {
        session: { scope: 'tasks:write' },
        params,
        headers: IfMatch,
        response: { 204: t.Void(), 404: ErrorBody, 412: ErrorBody },
        detail: {
          operationId: 'deleteProject',
          summary: 'Delete a project',
          description: 'Also deletes its tasks and their comments.',
        },
      },
    )
