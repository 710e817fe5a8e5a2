import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { createMetrics } from '../../../src/adapters/metrics'
import { useHarness } from '../../support/use-harness'

const METRICS_TOKEN = 'metrics-metrics-metrics-metrics-metrics'
const h = useHarness({ env: { METRICS_TOKEN }, deps: { metrics: createMetrics() } })

test('the metrics tell how many items the journal knows, how many former rows are kept, and the bytes of those', async () => {
  const ada = await h.signedIn()
  for (const title of ['Bins', 'Bottles', 'Boxes']) {
    const { id } = (await ada.request('POST', '/api/todos', { body: { title } })).body
    await ada.request('PUT', `/api/todos/${id}`, { body: { title: 'Rubbish' } })
  }
  await h.db.execute(sql`analyze history, sync_changes`)
  const [there] = await h.db.execute<Record<string, number>>(sql`
    select (select count(*)::int from sync_changes) as journal_items, (select count(*)::int from history) as history_rows,
      pg_total_relation_size('history')::int as history_bytes`)
  const response = await h.request('GET', '/metrics', {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  })
  const told = new Map(
    String(response.body)
      .split('\n')
      .map((line) => line.split(' ', 2) as [string, string]),
  )
  for (const [name, count] of Object.entries(there ?? {}))
    expect([name, Number(told.get(name))]).toEqual([name, count])
  expect(there?.['history_rows']).toBeGreaterThan(0)
})
