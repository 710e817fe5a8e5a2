import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { Again } from '../../../http/admission'
import type { SessionGuard } from '../../../http/session-guard'
import { pathName } from '../../../lib/wire/schema'
import { RestoredView, TrashPage, TrashQuery } from './model'
import * as trash from './service'

const TrashPath = t.Object({ id: pathName('The entry in the trash.') })

export const trashRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'trash.routes', prefix: '/api/trash', tags: ['Undo'] })
    .use(guard)
    .get('', ({ session, query }) => trash.listTrash(deps, session, query), {
      session: { scope: 'any' },
      query: TrashQuery,
      response: { 200: TrashPage },
      detail: {
        operationId: 'listTrash',
        summary: 'List what was deleted',
        description:
          'Newest first: what was deleted from what the caller owns, and what they deleted themselves from calendars in which they may write. What came back since is left out. An access token sees the areas that it may read.',
      },
    })
    .post('/:id/restore', ({ session, params }) => trash.restoreTrashItem(deps, session, params.id), {
      session: {
        scope: 'any',
        readAgain: ({ session, operation, item }: Again) =>
          trash.readRestored(deps, session, operation, item),
      },
      params: TrashPath,
      response: { 200: RestoredView, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
      detail: {
        operationId: 'restoreTrashItem',
        summary: 'Bring back what was deleted',
        description:
          'With all that was in it, under the same ids; a person whose address book is deleted comes back into the default one. Shares and secret addresses stay off. 409 when the calendar, list, project or task that it was in is in the trash as well, or when its UID is in use again. An access token needs the write scope of the area.',
      },
    })
    .delete(
      '/:id',
      async ({ session, params, status }) => {
        await trash.deleteTrashItem(deps, session, params.id)
        return status(204, undefined)
      },
      {
        session: { scope: 'any' },
        params: TrashPath,
        response: { 204: t.Void(), 403: ErrorBody, 404: ErrorBody },
        detail: {
          operationId: 'deleteTrashItem',
          summary: 'Delete something for good',
          description: 'At once, with all that was in it and all its former versions.',
        },
      },
    )
    .delete(
      '',
      async ({ session, status }) => {
        await trash.emptyTrash(deps, session)
        return status(204, undefined)
      },
      {
        session: { scope: 'any' },
        response: { 204: t.Void(), 403: ErrorBody },
        detail: {
          operationId: 'emptyTrash',
          summary: 'Empty the trash',
          description: 'Deletes for good all in it that was the caller’s, at once.',
        },
      },
    )
