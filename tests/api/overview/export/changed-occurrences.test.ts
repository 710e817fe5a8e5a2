import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { organiser } from '../../../support/events'
import { pausesOf } from '../../../support/pauses'
import { observed } from '../../../support/statements'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const CHANGED = 300

test('the export of a series with many changed occurrences lets others in after each, and reads nothing that it leaves out', async () => {
  const ada = await organiser(h)
  const times = { start_at: '2026-01-01T09:00', end_at: '2026-01-01T10:00', time_zone: 'UTC' }
  const { id } = await ada.create({ ...times, recurrence_rule: 'FREQ=DAILY' })
  await h.db.execute(sql`
    insert into event_occurrences (event_id, occurrence_start, changes, kept, created_at, updated_at)
    select ${id}, '2026-01-01 09:00'::timestamp + n * interval '1 day', '{"title":"T"}', '["X-KEPT:1"]', now(), now()
    from generate_series(1, ${CHANGED}::integer) n`)
  const read = () => ada.request('GET', '/api/export')
  expect((await read()).body.events[0].overrides).toHaveLength(CHANGED)
  expect(await pausesOf(h, read)).toBeGreaterThan(CHANGED)

  using sent = observed(h.db)
  await read()
  const reading = sent.filter(({ text }) => text.includes('from "event_occurrences"'))
  expect(reading).not.toEqual([])
  for (const { text } of reading) expect(text).not.toContain('"kept"')
})
