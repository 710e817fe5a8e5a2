import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createEvent } from '../support/events'
import { configure, deliveriesOf } from '../support/ntfy'
import { quietUntil } from '../../src/features/notifications/push-moments/rules'
import { birthdayMoments } from '../../src/features/notifications/push-moments/rules.items'
import { celebrationsBetween } from '../../src/lib/time/birthdays'
import { remind, usePushing } from '../support/use-pushing'

setDefaultTimeout(60_000)

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Auckland',
  'Africa/Casablanca',
  'UTC',
]
const DAYS = Array.from({ length: 365 }, (_, n) => Temporal.PlainDate.from('2026-01-01').add({ days: n }))

describe('quiet hours', () => {
  const { h, moveTo } = usePushing()

  test('hold events back until they end, also across midnight, and let reminders pass', async () => {
    moveTo('2026-03-10T12:00:00+01:00')
    const ada = await h.listener({ quiet_from: '22:00', quiet_to: '07:00' })
    await remind(ada, 'reminder', '2026-03-10T23:30:00')
    const event = { reminder_minutes: 0, start_at: '2026-03-10T23:30:00', end_at: '2026-03-10T23:40:00' }
    await createEvent(ada, { title: 'event', ...event })
    moveTo('2026-03-10T23:30:00+01:00')
    expect(await h.titles(ada)).toEqual(['reminder'])
    moveTo('2026-03-11T06:59:59+01:00')
    expect(await h.titles(ada)).toEqual([])
    expect((await deliveriesOf(ada)).map(({ status }: { status: string }) => status).toSorted()).toEqual([
      'pending',
      'sent',
    ])
    moveTo('2026-03-11T07:00:00+01:00')
    expect(await h.titles(ada)).toEqual(['event'])
  })

  test('let go what they held back once they are removed', async () => {
    moveTo('2026-03-12T12:00:00+01:00')
    const ada = await h.listener({ quiet_from: '11:00', quiet_to: '23:00' })
    const event = { reminder_minutes: 0, start_at: '2026-03-12T12:00:00', end_at: '2026-03-12T12:40:00' }
    await createEvent(ada, { title: 'event', ...event })
    expect(await h.titles(ada)).toEqual([])
    await configure(ada, { quiet_from: null, quiet_to: null })
    expect(await h.titles(ada)).toEqual(['event'])
  })
})

test.each(ZONES)('quiet hours in %s end when their clocks say so, on every day of the year', (timeZone) => {
  const quiet = { timeZone, quietFrom: '22:30', quietTo: '02:30' }
  for (const day of DAYS) {
    const instant = (date: Temporal.PlainDate, time: string) =>
      new Date(
        date.toPlainDateTime(Temporal.PlainTime.from(time)).toZonedDateTime(timeZone).epochMilliseconds,
      )
    const [begin, end] = [instant(day, '22:30'), instant(day.add({ days: 1 }), '02:30')]
    expect(quietUntil(quiet, begin)).toEqual(end)
    expect(quietUntil(quiet, new Date(+end - 1))).toEqual(end)
    expect(quietUntil(quiet, end)).toBeUndefined()
    expect(quietUntil(quiet, new Date(+begin - 1))).toBeUndefined()
  }
})

test.each(ZONES)('a birthday in %s is announced at 09:00 there, on every day of the year', (timeZone) => {
  const schedule = { timeZone, dayAt: '09:00:00', eventLeadMinutes: 15, todoLeadDays: 1, projectLeadDays: 1 }
  const bo = { id: 1, name: 'Bo', enteredAt: new Date('2025-12-01T00:00:00Z') }
  const window = { from: new Date('2025-12-01T00:00:00Z'), to: new Date('2027-02-01T00:00:00Z') }
  for (const day of DAYS) {
    const [celebration] = celebrationsBetween(
      `1980-${day.toString().slice(5)}`,
      day.toString(),
      day.toString(),
    )
    if (!celebration) throw new Error('no birthday')
    const moments = birthdayMoments(schedule, bo, celebration, window)
    const local = moments.map((moment) =>
      Temporal.Instant.fromEpochMilliseconds(+moment.at)
        .toZonedDateTimeISO(timeZone)
        .toPlainDateTime()
        .toString(),
    )
    // Samoa had no 30 December 2011, and nobody has no 09:00 since.
    expect(local).toEqual([`${day.toString()}T09:00:00`])
    expect(moments[0]?.content.title).toBe("Bo's birthday (46)")
  }
})
