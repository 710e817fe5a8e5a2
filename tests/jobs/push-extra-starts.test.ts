import { expect, test } from 'bun:test'
import { calendar, calendarOf, importInto } from '../support/calendar-files'
import { observed, rowsReadBy } from '../support/statements'
import { usePushing } from '../support/use-pushing'
import { useSql } from '../support/use-sql'

const { h } = usePushing({ per: 'file' })
const sql = useSql(h)

test('an extra start is announced at its time, and of a thousand only those near it are read', async () => {
  const ada = await h.listener()
  const dates = Array.from({ length: 1000 }, (_, i) =>
    new Date(Date.UTC(2026, 2, 2) + i * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''),
  )
  const file = calendar(
    ...Array.from({ length: 5 }, (_, i) => [
      `UID:p${i}`,
      'DTSTART;TZID=Europe/Berlin:20260301T120000',
      `SUMMARY:P${i}`,
      `RDATE;TZID=Europe/Berlin:${dates.map((day) => `${day}T120000`).join()}`,
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER:PT0M',
      'END:VALARM',
    ]),
  )
  await importInto(ada, await calendarOf(ada), file)
  await sql`analyze event_extra_starts`
  await h.tick()
  h.clock.advance({ hours: 2 })
  using statements = observed(h.db)
  expect((await h.titles(ada)).toSorted()).toEqual(['P0', 'P1', 'P2', 'P3', 'P4'])
  const reading = statements.filter(({ text }) => text.includes('event_extra_starts'))
  expect(reading).not.toEqual([])
  for (const one of reading) {
    expect(await rowsReadBy(sql, one, 'event_extra_starts')).toBeLessThanOrEqual(5 * 40)
  }
})
