import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { calendarOf, exportOf, importInto, newCalendar, twoYears } from '../../../support/calendar-files'
import { at, organiser } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'UTC',
  'Asia/Kolkata',
]
const RULES = [
  null,
  'FREQ=DAILY;INTERVAL=3;COUNT=40',
  'FREQ=DAILY;UNTIL=20261101',
  'FREQ=WEEKLY;BYDAY=MO,TH;COUNT=30',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=WE,FR;UNTIL=20270301T120000',
  'FREQ=MONTHLY;BYDAY=-1SU',
  'FREQ=MONTHLY;BYMONTHDAY=31;COUNT=9',
  'FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU',
]

const pad = (n: number) => String(n).padStart(2, '0')
const eventArbitrary = fc.record({
  allDay: fc.boolean(),
  zone: fc.constantFrom(...ZONES),
  rule: fc.constantFrom(...RULES),
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 31 }),
  hour: fc.integer({ min: 0, max: 23 }),
  minute: fc.constantFrom(0, 30),
  minutes: fc.constantFrom(0, 30, 60, 1500),
  title: fc.constantFrom('Choir', 'Ä; very, long\\ title', 'x'.repeat(200), '(no title)', 'a:b "c"'),
  description: fc.constantFrom(null, 'One\nTwo; three, four\\n', ' leading', '\\'),
  reminder: fc.constantFrom(null, 0, 15, 1440),
  edits: fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 12 }),
      what: fc.constantFrom('cancel', 'title', 'move', 'reminder'),
    }),
    { maxLength: 4 },
  ),
})

type Ada = Awaited<ReturnType<typeof organiser>>
interface Shown {
  readonly occurrence_start: string
  readonly all_day: boolean
}
const aimAt = ({ occurrence_start }: Shown) => at(occurrence_start)
const EDITS = {
  cancel: (ada: Ada, id: number, one: Shown) => ada.remove(id, aimAt(one)),
  title: (ada: Ada, id: number, one: Shown) => ada.change(id, { title: 'Other' }, aimAt(one)),
  reminder: (ada: Ada, id: number, one: Shown) => ada.change(id, { reminder_minutes: 5 }, aimAt(one)),
  move: (ada: Ada, id: number, one: Shown) =>
    ada.change(
      id,
      one.all_day ? { start_date: '2026-06-07' } : { start_at: '2026-10-25T02:30:00+01:00' },
      aimAt(one),
    ),
}

describe('an export that another account imports', () => {
  test('has every occurrence of two years as it was, and is unchanged when it is imported again, there or here', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(eventArbitrary, { minLength: 1, maxLength: 4 }), async (wanted) => {
        const [ada, bob] = [await organiser(h, 'Europe/Berlin'), await organiser(h, 'Europe/Berlin')]
        const own = await calendarOf(ada)
        for (const event of wanted) {
          const date = new Date(Date.UTC(2026, event.month - 1, event.day)).toISOString().slice(0, 10)
          const start = `${date}T${pad(event.hour)}:${pad(event.minute)}`
          const end = new Date(Date.parse(`${start}Z`) + event.minutes * 60_000).toISOString().slice(0, 16)
          const made = await ada.attempt({
            title: event.title,
            description: event.description,
            reminder_minutes: event.reminder,
            recurrence_rule: event.rule,
            ...(event.allDay
              ? { all_day: true, start_date: date, end_date: end.slice(0, 10) }
              : { start_at: start, end_at: end, time_zone: event.zone }),
          })
          // A rule may name nothing from that start on, and an end may stand on a wall before the start.
          if (made.status !== 201) continue
          const { id } = made.body
          const shown = (await ada.occurrences(id, '2026-01-01', '2027-01-30')).body.occurrences
          for (const { at: index, what } of event.rule === null ? [] : event.edits) {
            if (shown[index]) await EDITS[what](ada, id, shown[index])
          }
        }
        const text = await exportOf(ada, own)
        const back = (await importInto(ada, own, text)).body
        expect(back).toMatchObject({ created: 0, updated: 0, skipped: [] })
        const theirs = await newCalendar(bob)
        const answered = await importInto(bob, theirs, text)
        expect(answered).toMatchObject({ status: 200, body: { skipped: [] } })
        expect(await twoYears(bob, theirs)).toEqual(await twoYears(ada, own))
        expect(back.unchanged).toBe(answered.body.created)
        const again = await importInto(bob, theirs, text)
        expect(again.body).toEqual({ created: 0, updated: 0, unchanged: answered.body.created, skipped: [] })
        const second = await newCalendar(bob, 'Second')
        const onward = await exportOf(bob, theirs)
        expect((await importInto(bob, theirs, onward)).body).toEqual(again.body)
        await importInto(bob, second, onward)
        expect(await twoYears(bob, second)).toEqual(await twoYears(ada, own))
      }),
      { numRuns: 25 },
    )
  }, 60_000)
})
