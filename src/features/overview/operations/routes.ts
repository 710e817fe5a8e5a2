import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { Again } from '../../../http/admission'
import type { SessionGuard } from '../../../http/session-guard'
import { pathName } from '../../../lib/wire/schema'
import { OperationsPage, OperationsQuery, UndoView } from './model'
import * as operations from './service'
import { listOperations } from './service.list'

const OperationPath = t.Object({ id: pathName('The `X-Operation-Id` of the operation.') })

export const operationRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'operations.routes', prefix: '/api/operations', tags: ['Undo'] })
    .use(guard)
    .get('', ({ session, query }) => listOperations(deps, session, query), {
      session: { scope: 'any' },
      query: OperationsQuery,
      response: { 200: OperationsPage },
      detail: {
        operationId: 'listOperations',
        summary: 'List what the caller has done',
        description:
          'Newest first; kept for 30 days. An access token is told of items in the areas that it may read.',
      },
    })
    .post('/:id/undo', ({ session, params }) => operations.undoOperation(deps, session, params.id), {
      session: {
        scope: 'any',
        readAgain: ({ session, operation }: Again) => operations.readUndone(deps, session, operation),
      },
      params: OperationPath,
      response: { 200: UndoView, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody, 410: ErrorBody },
      detail: {
        operationId: 'undoOperation',
        summary: 'Undo an operation',
        description:
          'Makes everything that the operation changed as it was before, cascades included, under the same ids and with higher versions. Undoing an undoing does it again. Possible for 30 days, for who did it and for the owner of all that it touched. 409 `Changed since` with `items` when something is not as the operation left it. An access token needs the write scope of each area that the operation touched.',
      },
    })
