import { afterAll, beforeAll, expect, test } from 'bun:test'
import { calendar, exportOf, importInto, importer, newCalendar } from '../../support/calendar-files'
import { type Harness, startHarness } from '../../support/harness'

let h: Harness
beforeAll(async () => void (h = await startHarness()))
afterAll(() => h[Symbol.asyncDispose]())

const RULES = ['FREQ=WEEKLY', 'FREQ=WEEKLY;INTERVAL=2', 'FREQ=DAILY;COUNT=5', 'FREQ=MONTHLY;UNTIL=20260801']

test.each(['no rule', ...RULES])(
  'a start beside %s is an occurrence: changed, cancelled, moved and divided at like any other',
  async (rule) => {
    const { ada, take, starts } = await importer(h)
    const lines = [
      'UID:x',
      'DTSTART:20260302T090000',
      'SUMMARY:X',
      ...(RULES.includes(rule) ? [`RRULE:${rule}`] : []),
    ]
    await take(calendar([...lines, 'RDATE:20260311T100000,20260325T110000,20260408T120000']))
    const [{ id }] = await ada.list('2026-03-02', '2026-03-03')
    const before = await starts()
    const at = (start: string, scope: string) => ({ scope, occurrence_start: start })
    expect(before).toContain('2026-03-25T11:00:00+01:00')
    const divided = await ada.change(id, { title: 'Y' }, at('2026-03-25T11:00', 'following'))
    expect(divided).toMatchObject({
      status: 200,
      body: { title: 'Y', start_at: '2026-03-25T11:00:00+01:00' },
    })
    expect(await starts()).toEqual(before)
    await ada.remove(id, at('2026-03-11T10:00', 'this'))
    expect(await starts()).toEqual(before.filter((start) => start !== '2026-03-11T10:00:00+01:00'))
    await ada.change(divided.body.id, { start_at: '2026-03-25T12:00' })
    expect(await starts()).toContain('2026-04-08T13:00:00+02:00')
  },
)

test('starts without a rule show one that names the first alone, and are exported without a rule again', async () => {
  const { ada, id, take, starts } = await importer(h)
  const dates = 'RDATE;TZID=Europe/Berlin:20260311T100000,20260325T110000'
  await take(calendar(['UID:x', 'DTSTART;TZID=Europe/Berlin:20260302T090000', 'SUMMARY:X', dates]))
  const [shown] = await ada.list('2026-03-02', '2026-03-03')
  expect(shown.recurrence_rule).toBe('FREQ=DAILY;COUNT=1')
  const before = await starts()
  expect(before).toHaveLength(3)
  // Who sends back what they read changes nothing.
  const { recurrence_rule } = shown
  expect((await ada.change(shown.id, { recurrence_rule, title: 'Y' })).status).toBe(200)
  expect(await starts()).toEqual(before)
  const file = await exportOf(ada, id)
  expect(file.split('BEGIN:VEVENT')[1]).not.toContain('RRULE')
  expect(file).toContain(dates)
  const other = await newCalendar(ada)
  await importInto(ada, other, file)
  const copies = await ada.list('2026-03-01', '2026-04-01', { calendar_id: String(other) })
  expect(copies.map((one) => [one.start_at, one.recurrence_rule])).toEqual(
    before.map((start) => [start, 'FREQ=DAILY;COUNT=1']),
  )
  await ada.change(shown.id, { recurrence_rule: null })
  expect(await starts()).toEqual(before.slice(0, 1))
})
