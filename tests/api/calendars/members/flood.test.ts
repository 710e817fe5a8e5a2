import { expect, test } from 'bun:test'
import { sharedWith } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const HOURLY = `FREQ=DAILY;BYHOUR=${Array.from({ length: 24 }, (_, hour) => hour).join()}`
const WINDOW = ['2026-03-09', '2026-03-16'] as const

test('when a writer fills a shared calendar, its owner still sees each other calendar, and all of them once it is hidden', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'write')
  const own = await ada.create({
    title: 'Dentist',
    start_at: '2026-03-10T09:00',
    end_at: '2026-03-10T10:00',
  })
  const body = {
    title: 'Flood',
    start_at: '2026-03-09T00:00',
    end_at: '2026-03-09T00:30',
    recurrence_rule: HOURLY,
    calendar_id: calendar.id,
  }
  for (let n = 0; n < 31; n++) await bob.create(body)
  const look = (query: Record<string, string> = {}) => ada.window(...WINDOW, query)
  expect(await look()).toMatchObject({ status: 422, body: { detail: 'Narrow the window' } })
  const narrowed = await look({ calendar_id: String(own.calendar_id) })
  expect(narrowed).toMatchObject({ status: 200, body: { events: [{ id: own.id }] } })
  expect(narrowed.body.events).toHaveLength(1)
  await ada.changeCalendar(calendar.id, { is_visible: false })
  expect((await look()).body.events).toEqual(narrowed.body.events)
})
