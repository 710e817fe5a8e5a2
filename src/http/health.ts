import { Elysia, t } from 'elysia'
import type { Deps } from '../deps'
import { AppError, unavailable } from '../lib/errors'
import { sha256Hex } from '../lib/text'
import { historySize } from '../access/history/service'
import { journalSize } from '../access/journal/service'
import { ErrorBody, failureFields } from './errors'
import type { SessionGuard } from './session-guard'

const HealthView = t.Object({ status: t.Literal('ok') })

/** Health and metrics (contract: http.operations). */
export const health = (deps: Deps, guard: SessionGuard) => {
  const { readiness, metrics, config } = deps
  return new Elysia({ name: 'http.health', tags: ['Operations'] })
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
        await noteSizes(deps)
        const { contentType, text } = await metrics.render()
        return new Response(text, { headers: { 'content-type': contentType } })
      },
      {
        public: { alwaysAnswers: true },
        detail: { hide: true, operationId: 'getMetrics', summary: 'Prometheus metrics' },
      },
    )
}

/** The other metrics are told even when the database does not answer. */
async function noteSizes({ db, metrics, log }: Deps): Promise<void> {
  try {
    metrics.setJournalSize(await journalSize({ db }))
    metrics.setHistorySize(await historySize({ db }))
  } catch (error) {
    log.warn('The sizes of the journal and of the history are not known', failureFields(error))
  }
}

/** Compares digests, so that the time taken does not reveal how much of a guess is right. */
const isSame = async (given: string | undefined, expected: string | undefined): Promise<boolean> =>
  given !== undefined && expected !== undefined && (await sha256Hex(given)) === (await sha256Hex(expected))
