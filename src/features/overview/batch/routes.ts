import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import type { Dispatch } from '../../../http/dispatch'
import { ErrorBody } from '../../../http/errors'
import { contextOf } from '../../../http/request-context'
import type { SessionGuard } from '../../../http/session-guard'
import { BatchBody, BatchView } from './model'
import { runBatch } from './service'

export const batchRoutes = (deps: Deps, guard: SessionGuard, dispatch: Dispatch) =>
  new Elysia({ name: 'batch.routes', prefix: '/api/batch', tags: ['Changes'] }).use(guard).post(
    '',
    ({ body, request, session: { userId } }) => {
      const { startedAt = deps.clock.monotonic() } = contextOf(request) ?? {}
      return runBatch(deps, {
        userId,
        body,
        send: (command) => dispatch(request, { ...command, isBatched: true }),
        startedAt,
        hasLeft: () => request.signal.aborted || contextOf(request)?.isLate === true,
      })
    },
    {
      session: { scope: 'any', slow: true, reads: true },
      body: BatchBody,
      response: { 200: BatchView, 410: ErrorBody },
      detail: {
        operationId: 'runBatch',
        summary: 'Run several commands',
        description:
          'Runs up to 100 requests in their order, each with its own checks, transaction and `Idempotency-Key`; those that fail stop no other. A batch that was cut off is sent again as it was: what has run is not run again. A command is answered 424 when it refers to one that failed, 425 when it did not begin within 8 s or within 8 MiB of answers, and 422 when no batch may hold it: sign-in and account, administration, imports, exports, live updates and batches. With `since`, the changes up to the end come along; for them an access token needs the scope `overview:read`.',
      },
    },
  )
