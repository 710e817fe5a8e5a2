import { expect, test } from 'bun:test'
import { calendarOf, exportOf, importInto, wrapped } from '../../../support/calendar-files'
import { observed } from '../../../support/statements'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const SERIES = 4
const CHANGED = 300
const DAYS = Array.from({ length: CHANGED }, (_, n) =>
  new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10).replaceAll('-', ''),
)

const event = (uid: string, ...lines: readonly string[]) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  ...lines,
  'END:VEVENT',
]
const series = (uid: string) => [
  event(uid, 'DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=DAILY', 'SUMMARY:S'),
  ...DAYS.map((day) =>
    event(uid, `RECURRENCE-ID;VALUE=DATE:${day}`, `DTSTART;VALUE=DATE:${day}`, `SUMMARY:${day}`),
  ),
]
const single = (uid: string) => event(uid, 'DTSTART;VALUE=DATE:20260101', 'SUMMARY:T')

test('an export reads few changed occurrences at once, however many there are, and leaves none out', async () => {
  const ada = await h.signedIn()
  const id = await calendarOf(ada)
  const components = Array.from({ length: SERIES }, (_, n) => [...series(`s${n}`), single(`t${n}`)])
  const file = wrapped(...components.flat())
  expect((await importInto(ada, id, file)).body).toMatchObject({ created: 2 * SERIES, skipped: [] })

  using sent = observed(h.db)
  const exported = await exportOf(ada, id)
  const reading = sent.filter(({ text }) => /select .*"changes".* from "event_occurrences"/s.test(text))
  expect(reading.map(({ params }) => params.length)).toEqual([2, 2, 2, 2])
  expect(exported.match(/^BEGIN:VEVENT/gm)).toHaveLength(SERIES * (CHANGED + 2))
  for (const day of DAYS) expect(exported.split(`SUMMARY:${day}`).length - 1).toBe(SERIES)
  expect((await importInto(ada, id, exported)).body).toMatchObject({ unchanged: 2 * SERIES })
})
