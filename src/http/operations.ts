import { Elysia, t } from 'elysia'
import type { Deps } from '../deps'
import { AppError, unavailable } from '../lib/errors'
import { sha256Hex } from '../lib/text'
import { ErrorBody } from './errors'
import type { SessionGuard } from './session-guard'

const HealthView = t.Object({ status: t.Literal('ok') })

/** Health and metrics (contract: http.operations). */
export const operations = ({ readiness, metrics, config }: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'http.operations', tags: ['Operations'] })
    .use(guard)
    .get('/health/live', () => ({ status: 'ok' as const }), {
      public: { alwaysAnswers: true },
      response: { 200: HealthView },
      detail: { operationId: 'getLiveness', summary: 'Check whether the process runs' },
    })
    .get(
      '/health/ready',
      async () => {
        if (!(await readiness.isReady())) throw unavailable(undefined)
        return { status: 'ok' as const }
      },
      {
        public: { alwaysAnswers: true },
        response: { 200: HealthView, 503: ErrorBody },
        detail: {
          operationId: 'getReadiness',
          summary: 'Check whether this instance is ready',
          description: 'Ready means that the database answers and is migrated, and no shutdown has begun.',
        },
      },
    )
    .get(
      '/metrics',
      async ({ request }) => {
        const [, given] = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
        if (!(await isSame(given, config.http.metricsToken))) throw new AppError('not_found', 'Not found')
        const { contentType, text } = await metrics.render()
        return new Response(text, { headers: { 'content-type': contentType } })
      },
      {
        public: { alwaysAnswers: true },
        detail: { hide: true, operationId: 'getMetrics', summary: 'Prometheus metrics' },
      },
    )

/** Compares digests, so that the time taken does not reveal how much of a guess is right. */
const isSame = async (given: string | undefined, expected: string | undefined): Promise<boolean> =>
  given !== undefined && expected !== undefined && (await sha256Hex(given)) === (await sha256Hex(expected))
