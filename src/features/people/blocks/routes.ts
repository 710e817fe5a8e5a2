import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { requestOrigin } from '../../../http/origin'
import type { Again } from '../../../http/admission'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { BlockPath, BlocksPage, BlocksQuery, BlockView, NewBlock } from './model'
import * as blocks from './service'

export const blockRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'blocks.routes', prefix: '/api/connections/blocks', tags: ['Connections'] })
    .use(guard)
    .get('', ({ query, session }) => blocks.listBlocks(deps, session.userId, query), {
      session: { scope: 'people:read' },
      query: BlocksQuery,
      response: { 200: BlocksPage },
      detail: {
        operationId: 'listBlocks',
        summary: 'List the blocked users',
        description: 'By the name that each user had when they were blocked.',
      },
    })
    .post(
      '',
      async ({ body, session, request, status }) => {
        const { ip } = requestOrigin(deps, request)
        return status(201, await blocks.block(deps, { session, ip }, body.network_name))
      },
      {
        session: {
          scope: 'people:write',
          readAgain: async ({ session, item }: Again) => {
            const [block] = await blocks.pageBlocksById(deps, session.userId, { afterId: item - 1, limit: 1 })
            return block?.id === item ? block : undefined
          },
        },
        body: NewBlock,
        response: { 201: BlockView, 404: ErrorBody },
        detail: {
          operationId: 'blockUser',
          summary: 'Block a user',
          description:
            'To each of the two, the other then seems to have no account: no search finds them, no request or invitation reaches them, and neither name is shown. Requests between the two and their notifications are deleted, and a connection ends as by `DELETE /api/connections/{id}`. The blocked user is not notified. The name must be one that a search finds, or that the caller is shown: of a connected user, in a request, in an invitation or in a shared calendar. Any other name gets a 404, whether or not somebody has it. If a stranger has taken over the name of somebody whom the caller knew by it, the name means that earlier user until they are blocked. Blocking again returns the same block.',
        },
      },
    )
    .delete(
      '/:id',
      async ({ session, params, request, status }) => {
        const { ip } = requestOrigin(deps, request)
        await blocks.unblock(deps, { session, ip }, readId(params.id, 'Block'))
        return status(204, undefined)
      },
      {
        session: { scope: 'people:write' },
        params: BlockPath,
        response: { 204: t.Void(), 404: ErrorBody },
        detail: {
          operationId: 'unblockUser',
          summary: 'Unblock a user',
          description:
            'The two can find each other and send requests again. Nothing that the block ended comes back.',
        },
      },
    )
