import { describe, expect, test } from 'bun:test'
import { newDraft } from '../../../../src/web/events/draft'
import { bodyFor, fieldsAt, lengthOf, periodsAround } from '../../../../src/web/events/free-times'

const day = (text: string) => Temporal.PlainDate.from(text)
const FORMS = { today: day('2026-03-04'), monthFirst: false, locale: 'en-GB' }

const draft = (start: string, end: string, timeZone = 'Europe/Berlin') => {
  const span = {
    allDay: false,
    start: Temporal.PlainDateTime.from(start),
    end: Temporal.PlainDateTime.from(end),
  } as const
  return newDraft({ title: 'Choir', span, timeZone, calendarId: undefined }, FORMS)
}

describe('the length of an event', () => {
  test.each([
    ['2026-03-10T09:00', '2026-03-10T10:30', 90],
    ['2026-03-10T23:00', '2026-03-11T23:00', 1440],
    // The night in which Berlin loses an hour.
    ['2026-03-29T01:30', '2026-03-29T03:30', 60],
    ['2026-03-10T09:00', '2026-03-10T09:04', undefined],
    ['2026-03-10T09:00', '2026-03-11T09:01', undefined],
    ['2026-03-10T09:00', '2026-03-10T08:00', undefined],
  ])('from %s to %s in Berlin is %p minutes', (start, end, expected) => {
    expect(lengthOf(draft(start, end), FORMS)?.minutes).toBe(expected)
  })

  test('is unknown where a field cannot be read', () => {
    const good = draft('2026-03-10T09:00', '2026-03-10T10:00')
    for (const wrong of [{ startDate: 'someday' }, { endTime: 'late' }, { timeZone: 'Nowhere' }])
      expect(lengthOf({ ...good, ...wrong }, FORMS)).toBeUndefined()
  })
})

describe('the periods', () => {
  const named = (event: string, firstDay = 1) =>
    periodsAround(day(event), FORMS.today, firstDay).map(
      ({ name, first, last }) => `${name} ${first.toString()}/${last.toString()}`,
    )

  test('are the week of the event, the next one and each of their days', () => {
    const periods = named('2026-03-18')
    expect(periods.slice(0, 3)).toEqual([
      'week 2026-03-16/2026-03-22',
      'next-week 2026-03-23/2026-03-29',
      '2026-03-16 2026-03-16/2026-03-16',
    ])
    expect(periods).toHaveLength(16)
    expect(named('2026-03-18', 0)[0]).toBe('week 2026-03-15/2026-03-21')
  })

  test('leave out the days that have passed, and begin this week for an event that has', () => {
    expect(named('2025-01-01').slice(0, 3)).toEqual([
      'week 2026-03-02/2026-03-08',
      'next-week 2026-03-09/2026-03-15',
      '2026-03-04 2026-03-04/2026-03-04',
    ])
  })
})

test('the request names the days with their end excluded, the hours, at most 20 guests and the event to move', () => {
  const period = { name: 'week', first: day('2026-03-02'), last: day('2026-03-08') }
  const guests = Array.from({ length: 25 }, (_, id) => id + 1)
  const days = { from: '2026-03-02', to: '2026-03-09', minutes: 45 }
  expect(bodyFor({ minutes: 45, period, hours: 'work', guests, eventId: 7 })).toEqual({
    ...days,
    with: guests.slice(0, 20),
    hours: { from: '09:00', to: '17:00', days: ['MO', 'TU', 'WE', 'TH', 'FR'] },
    except_event_id: 7,
  })
  expect(bodyFor({ minutes: 45, period, hours: 'any', guests: [], eventId: undefined })).toEqual({
    ...days,
    with: [],
  })
})

test('a chosen time fills the fields by the clocks of the zone of the event', () => {
  const found = {
    from: '2026-03-10T16:30:00+01:00',
    to: '2026-03-10T17:30:00+01:00',
    free: [],
    busy: [],
    unknown: [],
  }
  expect(fieldsAt(found, draft('2026-03-10T09:00', '2026-03-10T10:00', 'Asia/Tokyo'), FORMS)).toEqual({
    startDate: 'Wed 11 Mar 2026',
    startTime: '00:30',
    endDate: 'Wed 11 Mar 2026',
    endTime: '01:30',
  })
})
