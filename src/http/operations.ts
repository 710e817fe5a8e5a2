import { Elysia, t } from 'elysia'
import type { Deps } from '../deps'
import { AppError, unavailable } from '../lib/errors'
import { ErrorBody } from './errors'
import type { SessionGuard } from './session-guard'

const HealthView = t.Object({ status: t.Literal('ok') })

/** Health and metrics (contract, section 20). */
export const operations = ({ readiness, metrics, config }: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'http.operations', tags: ['Operations'] })
    .use(guard)
    .get('/health/live', () => ({ status: 'ok' as const }), {
      public: {},
      response: { 200: HealthView },
      detail: { operationId: 'getLiveness', summary: 'Tell whether the process runs' },
    })
    .get(
      '/health/ready',
      async () => {
        if (!(await readiness.isReady())) throw unavailable(undefined)
        return { status: 'ok' as const }
      },
      {
        public: {},
        response: { 200: HealthView, 503: ErrorBody },
        detail: {
          operationId: 'getReadiness',
          summary: 'Tell whether this instance can serve',
          description: 'The database answers, is migrated, and no shutdown has begun.',
        },
      },
    )
    .get(
      '/metrics',
      async ({ request }) => {
        const expected = config.http.metricsToken
        const given = request.headers.get('authorization')
        if (expected === undefined || given !== `Bearer ${expected}`)
          throw new AppError('not_found', 'Not found')
        const { contentType, text } = await metrics.render()
        return new Response(text, { headers: { 'content-type': contentType } })
      },
      { public: {}, detail: { hide: true, operationId: 'getMetrics', summary: 'Prometheus metrics' } },
    )
