import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'
import type { CompletedRequest, Metrics } from '../lib/ports/metrics'

const BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Observations are recorded in batches, so that a request does not wait for its own. */
const MAX_WAITING = 1000

/** Metrics in Prometheus text format: the process's own, a histogram of requests by method, route and status, and wrong access tokens. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  })
  const wrongTokens = new Counter({
    name: 'access_tokens_refused_total',
    help: 'Requests with an access token that lets nobody in.',
    registers: [registry],
  })
  let waiting: CompletedRequest[] = []
  const count = () => {
    for (const { method, route, status, durationMs } of waiting) {
      requests.observe({ method, route, status: String(status) }, durationMs / 1000)
    }
    waiting = []
  }
  return {
    observeRequest: (request) => {
      if (waiting.push(request) >= MAX_WAITING) count()
    },
    countWrongToken: () => wrongTokens.inc(),
    render: async () => {
      count()
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}
