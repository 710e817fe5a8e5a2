import { expect, test } from 'bun:test'
import { useHarness } from '../../../support/use-harness'

const TODOS = '/api/todos'
const h = useHarness()

/** Zones without daylight saving, whose days begin before, near and after those of the server in Berlin. */
const ZONES = [
  ['Pacific/Kiritimati', '+14:00'],
  ['Asia/Kolkata', '+05:30'],
  ['Pacific/Honolulu', '-10:00'],
] as const

type Row = readonly [recurrence: string, due: string | null, first: number, reset: string, next: string]

/** By the day of the completion: what recurs how, when it was due and when weeks begin; when it opens and is due then. */
const TURNS: Readonly<Record<string, readonly Row[]>> = {
  // A Wednesday.
  '2026-03-04': [
    ['daily', null, 0, '2026-03-05', '2026-03-05'],
    ['daily', null, 1, '2026-03-05', '2026-03-05'],
    ['daily', '2026-03-04', 0, '2026-03-05', '2026-03-05'],
    ['daily', '2026-03-20', 1, '2026-03-05', '2026-03-05'],
    ['weekly', null, 0, '2026-03-08', '2026-03-08'],
    ['weekly', null, 1, '2026-03-09', '2026-03-09'],
    ['weekly', '2026-03-06', 0, '2026-03-08', '2026-03-13'],
    ['weekly', '2026-03-06', 1, '2026-03-09', '2026-03-13'],
    ['weekly', '2026-03-01', 0, '2026-03-08', '2026-03-08'],
    ['weekly', '2026-03-01', 1, '2026-03-09', '2026-03-15'],
    ['monthly', null, 0, '2026-04-01', '2026-04-01'],
    ['monthly', null, 1, '2026-04-01', '2026-04-01'],
    ['monthly', '2026-03-31', 0, '2026-04-01', '2026-04-30'],
    ['monthly', '2026-03-31', 1, '2026-04-01', '2026-04-30'],
  ],
  // A Sunday.
  '2026-03-08': [
    ['weekly', null, 0, '2026-03-15', '2026-03-15'],
    ['weekly', null, 1, '2026-03-09', '2026-03-09'],
    ['weekly', '2026-03-08', 0, '2026-03-15', '2026-03-15'],
    ['weekly', '2026-03-08', 1, '2026-03-09', '2026-03-15'],
  ],
  '2026-04-30': [
    ['daily', null, 0, '2026-05-01', '2026-05-01'],
    ['daily', '2026-04-30', 1, '2026-05-01', '2026-05-01'],
    ['monthly', null, 1, '2026-05-01', '2026-05-01'],
    ['monthly', '2026-04-30', 0, '2026-05-01', '2026-05-30'],
  ],
  // A Thursday.
  '2026-12-31': [
    ['daily', '2026-12-31', 0, '2027-01-01', '2027-01-01'],
    ['weekly', null, 0, '2027-01-03', '2027-01-03'],
    ['weekly', null, 1, '2027-01-04', '2027-01-04'],
    ['weekly', '2026-12-31', 0, '2027-01-03', '2027-01-07'],
    ['weekly', '2026-12-31', 1, '2027-01-04', '2027-01-07'],
    ['monthly', '2026-12-31', 1, '2027-01-01', '2027-01-31'],
  ],
  // A Sunday, in no leap year.
  '2027-01-31': [
    ['daily', '2027-01-31', 1, '2027-02-01', '2027-02-01'],
    ['weekly', '2027-01-31', 0, '2027-02-07', '2027-02-07'],
    ['weekly', '2027-01-31', 1, '2027-02-01', '2027-02-07'],
    ['monthly', null, 0, '2027-02-01', '2027-02-01'],
    ['monthly', '2027-01-31', 0, '2027-02-01', '2027-02-28'],
    ['monthly', '2027-01-29', 1, '2027-02-01', '2027-02-28'],
  ],
  // A Monday, in a leap year.
  '2028-01-31': [
    ['weekly', '2028-01-31', 0, '2028-02-06', '2028-02-07'],
    ['weekly', '2028-01-31', 1, '2028-02-07', '2028-02-07'],
    ['monthly', '2028-01-31', 0, '2028-02-01', '2028-02-29'],
    ['monthly', '2028-01-30', 1, '2028-02-01', '2028-02-29'],
  ],
  '2028-02-28': [
    ['daily', null, 0, '2028-02-29', '2028-02-29'],
    ['daily', '2028-02-28', 1, '2028-02-29', '2028-02-29'],
  ],
  // A Tuesday.
  '2028-02-29': [
    ['daily', '2028-02-29', 0, '2028-03-01', '2028-03-01'],
    ['weekly', null, 0, '2028-03-05', '2028-03-05'],
    ['weekly', null, 1, '2028-03-06', '2028-03-06'],
    ['monthly', '2028-02-29', 0, '2028-03-01', '2028-03-29'],
    ['monthly', '2028-02-29', 1, '2028-03-01', '2028-03-29'],
  ],
}

// One test, because the clock goes through all days and zones in their order.
test('what is completed at 23:56 opens at the midnight, and is due on the day, that the calendar of its user says', async () => {
  for (const [day, rows] of Object.entries(TURNS)) {
    for (const [time_zone, offset] of ZONES) {
      h.clock.advance({ ms: Date.parse(`${day}T23:56:00${offset}`) - h.clock.now().getTime() })
      for (const [recurrence, due_date, first_day_of_week, reset, next_due_date] of rows) {
        const ada = await h.signedIn()
        await ada.request('PUT', '/api/settings', { body: { time_zone, first_day_of_week } })
        const { id } = (await ada.request('POST', TODOS, { body: { title: 'T', recurrence, due_date } })).body
        const done = (await ada.request('POST', `${TODOS}/${id}/toggle`)).body
        const name = `${recurrence}, due ${due_date}, weeks from ${first_day_of_week}, on ${day} in ${time_zone}`
        expect([name, new Date(done.reset_at).toISOString(), done.next_due_date]).toEqual([
          name,
          new Date(`${reset}T00:00:00${offset}`).toISOString(),
          next_due_date,
        ])
        expect(done).toMatchObject({ completed: true, due_date })
      }
    }
  }
}, 60_000)
