import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { CompletedRequest, Metrics } from '../lib/ports/metrics'

const BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Observations are recorded in batches, so that a request does not wait for its own. */
const MAX_WAITING = 1000

/** Metrics in Prometheus text format: of the process, of requests, of wrong access tokens, of live updates, the journal and the history. */
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
  const { wrongTokens, streams, endedStreams, journal, historyRows, historyBytes } = counters(registry)
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
    setStreams: (open) => streams.set(open),
    countEndedStream: (reason) => endedStreams.inc({ reason }),
    setJournalSize: (items) => journal.set(items),
    setHistorySize: ({ rows, bytes }) => {
      historyRows.set(rows)
      historyBytes.set(bytes)
    },
    render: async () => {
      count()
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

const counters = (registry: Registry) => ({
  wrongTokens: new Counter({
    name: 'access_tokens_refused_total',
    help: 'Requests with an access token that lets nobody in.',
    registers: [registry],
  }),
  streams: new Gauge({
    name: 'live_streams_open',
    help: 'Open live updates.',
    registers: [registry],
  }),
  endedStreams: new Counter({
    name: 'live_streams_ended_total',
    help: 'Live updates that have ended, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  }),
  journal: new Gauge({
    name: 'journal_items',
    help: 'Items that the journal of changes knows, about.',
    registers: [registry],
  }),
  historyRows: new Gauge({
    name: 'history_rows',
    help: 'Former rows that are kept for undoing, the trash and the versions, about.',
    registers: [registry],
  }),
  historyBytes: new Gauge({
    name: 'history_bytes',
    help: 'What the former rows take on the disk, with their indexes.',
    registers: [registry],
  }),
})
