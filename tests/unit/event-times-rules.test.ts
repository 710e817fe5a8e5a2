import { describe, expect, test } from 'bun:test'
import {
  type GivenTimes,
  moveFirst,
  readTimes,
  sameTimes,
  startAndEnd,
  type Times,
  timesAt,
  timesOfOverride,
  wallOf,
} from '../../src/features/events/events/rules.times'

const BERLIN = 'Europe/Berlin'
const wall = (text: string) => Date.parse(`${text}Z`)
const days = (startDate: string, endDate: string): Times => ({ allDay: true, startDate, endDate })
const timed = (start: string, end: string, zone = BERLIN): Times =>
  readTimes({ start_at: start, end_at: end, time_zone: zone }, undefined, 'UTC')
const tea = timed('2026-03-04T15:00', '2026-03-04T16:30')
const trip = days('2026-03-04', '2026-03-06')

const problemsOf = (act: () => unknown): unknown => {
  try {
    act()
    return undefined
  } catch (error) {
    const { problems } = error as { problems?: ReadonlyArray<{ field: string; message: string }> }
    return problems?.map(({ field, message }) => `${field} ${message}`)
  }
}
const refusalOf = (given: GivenTimes, stored?: Times) => problemsOf(() => readTimes(given, stored, 'UTC'))

describe('the times of a new event', () => {
  test('are read in its zone, or else in the default one', () => {
    expect(tea).toEqual({
      allDay: false,
      startAt: new Date('2026-03-04T14:00:00Z'),
      endAt: new Date('2026-03-04T15:30:00Z'),
      startWall: wall('2026-03-04T15:00'),
      timeZone: BERLIN,
    })
    expect(readTimes({ start_at: '2026-03-04T15:00', end_at: '2026-03-04T15:00' }, undefined, 'UTC')).toEqual(
      {
        allDay: false,
        startAt: new Date('2026-03-04T15:00:00Z'),
        endAt: new Date('2026-03-04T15:00:00Z'),
        startWall: wall('2026-03-04T15:00'),
        timeZone: 'UTC',
      },
    )
  })

  test('are days for an event of whole days, whatever the zone', () => {
    const given = { all_day: true, start_date: '2026-03-04', end_date: '2026-03-04', time_zone: BERLIN }
    expect(readTimes({ ...given, start_at: null }, undefined, 'UTC')).toEqual(
      days('2026-03-04', '2026-03-04'),
    )
  })

  test('are all given, and of one kind', () => {
    expect(refusalOf({ end_at: '2026-03-04T15:00' })).toEqual(['body.start_at is required'])
    expect(refusalOf({ start_at: '2026-03-04T15:00' })).toEqual(['body.end_at is required'])
    expect(refusalOf({ start_at: '2026-03-04T15:00', end_at: null })).toEqual(['body.end_at is required'])
    expect(refusalOf({ all_day: true, end_date: '2026-03-04' })).toEqual(['body.start_date is required'])
    expect(refusalOf({ all_day: true, start_date: '2026-03-04' })).toEqual(['body.end_date is required'])
    expect(
      refusalOf({ start_date: '2026-03-04', end_date: '2026-03-04', start_at: '2026-03-04T15:00' }),
    ).toEqual([
      'body.start_date must not be given for a timed event',
      'body.end_date must not be given for a timed event',
    ])
    expect(refusalOf({ all_day: true, start_at: '2026-03-04T15:00', end_at: '2026-03-04T15:00' })).toEqual([
      'body.start_at must not be given for an all-day event',
      'body.end_at must not be given for an all-day event',
    ])
  })

  test('do not end before they begin', () => {
    expect(refusalOf({ start_at: '2026-03-04T15:00:01', end_at: '2026-03-04T15:00' })).toEqual([
      'body.end_at must not be before start_at',
    ])
    expect(refusalOf({ all_day: true, start_date: '2026-03-05', end_date: '2026-03-04' })).toEqual([
      'body.end_date must not be before start_date',
    ])
  })

  test.each<[start: string, end: string, field: string | undefined]>([
    ['1900-01-01', '2200-12-31', undefined],
    ['1899-12-31', '1900-01-01', 'start'],
    ['2200-12-31', '2201-01-01', 'end'],
    ['2201-01-01', '2201-01-01', 'start'],
  ])('lie within the years 1900 to 2200: from %s to %s', (start, end, field) => {
    const outside = (name: string) =>
      field && [expect.stringMatching(new RegExp(`^body\\.${field}_${name} `))]
    expect(refusalOf({ all_day: true, start_date: start, end_date: end })).toEqual(outside('date'))
    const given = { start_at: `${start}T12:00`, end_at: `${end}T12:00` }
    expect(refusalOf(given)).toEqual(outside('at'))
  })
})

describe('a change of the times', () => {
  const read = (given: GivenTimes, stored: Times) => readTimes(given, stored, 'UTC')

  test('keeps what it does not name', () => {
    expect(read({}, tea)).toEqual(tea)
    expect(read({}, trip)).toEqual(trip)
  })

  test('of the start keeps the duration', () => {
    expect(read({ start_at: '2026-03-04T17:00' }, tea)).toEqual(timed('2026-03-04T17:00', '2026-03-04T18:30'))
    expect(read({ start_date: '2026-02-28' }, trip)).toEqual(days('2026-02-28', '2026-03-02'))
  })

  test('of the end keeps the start', () => {
    expect(read({ end_at: '2026-03-04T17:00' }, tea)).toEqual(timed('2026-03-04T15:00', '2026-03-04T17:00'))
    expect(read({ end_date: '2026-03-09' }, trip)).toEqual(days('2026-03-04', '2026-03-09'))
  })

  test('of the zone alone keeps the instants, at the local time there', () => {
    expect(read({ time_zone: 'UTC' }, tea)).toEqual(timed('2026-03-04T14:00', '2026-03-04T15:30', 'UTC'))
  })

  test('of the kind needs the times of the other kind', () => {
    expect(refusalOf({ all_day: true }, tea)).toEqual(['body.start_date is required'])
    expect(refusalOf({ all_day: false }, trip)).toEqual(['body.start_at is required'])
    expect(refusalOf({ start_at: null }, tea)).toEqual(['body.start_at is required'])
    expect(read({ all_day: true, start_date: '2026-03-04', end_date: '2026-03-06' }, tea)).toEqual(trip)
    const given = {
      all_day: false,
      start_at: '2026-03-04T15:00',
      end_at: '2026-03-04T16:30',
      time_zone: BERLIN,
    }
    expect(read(given, trip)).toEqual(tea)
  })

  test('that sends back the start keeps a local time that daylight saving skips', () => {
    const skipped = timesAt(timed('2026-03-28T02:30', '2026-03-28T03:00'), wall('2026-03-29T02:30'))
    expect(skipped).toMatchObject({
      startAt: new Date('2026-03-29T01:30:00Z'),
      startWall: wall('2026-03-29T02:30'),
    })
    expect(read({ start_at: '2026-03-29T03:30' }, skipped)).toEqual(skipped)
    expect(read({ start_at: '2026-03-29T04:30' }, skipped)).toMatchObject({
      startWall: wall('2026-03-29T04:30'),
    })
  })
})

describe('an occurrence', () => {
  test('is known by the local time of its start', () => {
    expect(wallOf(tea)).toBe(wall('2026-03-04T15:00'))
    expect(wallOf(trip)).toBe(wall('2026-03-04T00:00'))
    expect(timesAt(tea, wallOf(tea))).toBe(tea)
  })

  test('takes as long as the first, also over a change of the clocks', () => {
    const night = timed('2026-03-27T23:00', '2026-03-28T06:00')
    expect(timesAt(night, wall('2026-03-28T23:00'))).toEqual(timed('2026-03-28T23:00', '2026-03-29T07:00'))
    expect(timesAt(trip, wall('2026-12-30T00:00'))).toEqual(days('2026-12-30', '2027-01-01'))
  })

  test('has the columns of its kind', () => {
    const none = { startAt: null, endAt: null, startDate: null, endDate: null }
    const instants = { startAt: new Date('2026-03-04T14:00:00Z'), endAt: new Date('2026-03-04T15:30:00Z') }
    expect(startAndEnd(tea)).toEqual({ ...none, ...instants })
    expect(startAndEnd(trip)).toEqual({ ...none, startDate: '2026-03-04', endDate: '2026-03-06' })
    expect(timesOfOverride(tea, tea)).toEqual({ ...none, ...instants, timeZone: null })
    expect(timesOfOverride(trip, tea)).toEqual({ ...none, ...instants, timeZone: BERLIN })
    expect(timesOfOverride(trip, trip).timeZone).toBeNull()
    expect(timesOfOverride(tea, trip).timeZone).toBeNull()
  })

  test('is at the same time as another one by kind, start and end', () => {
    expect(sameTimes(tea, { ...tea })).toBe(true)
    expect(sameTimes(tea, timed('2026-03-04T14:00', '2026-03-04T15:30', 'UTC'))).toBe(true)
    expect(sameTimes(tea, timed('2026-03-04T15:00', '2026-03-04T16:31'))).toBe(false)
    expect(sameTimes(tea, timed('2026-03-04T14:59', '2026-03-04T16:30'))).toBe(false)
    expect(sameTimes(trip, { ...trip })).toBe(true)
    expect(sameTimes(trip, days('2026-03-04', '2026-03-07'))).toBe(false)
    expect(sameTimes(trip, days('2026-03-03', '2026-03-06'))).toBe(false)
    expect(sameTimes(trip, tea)).toBe(false)
    expect(sameTimes(tea, trip)).toBe(false)
  })
})

describe('a series of which one occurrence moves', () => {
  const next = timesAt(tea, wall('2026-03-11T15:00'))

  test('moves by as much, and takes the new duration only where that changed', () => {
    expect(moveFirst(tea, next, timed('2026-03-12T16:00', '2026-03-12T17:30'))).toEqual(
      timed('2026-03-05T16:00', '2026-03-05T17:30'),
    )
    const short = timed('2026-03-11T15:00', '2026-03-11T15:30')
    expect(moveFirst(tea, short, timed('2026-03-11T16:00', '2026-03-11T16:30'))).toEqual(
      timed('2026-03-04T16:00', '2026-03-04T17:30'),
    )
    expect(moveFirst(tea, next, timed('2026-03-11T15:00', '2026-03-11T17:00'))).toEqual(
      timed('2026-03-04T15:00', '2026-03-04T17:00'),
    )
  })

  test('of whole days does so, too', () => {
    const before = days('2026-03-11', '2026-03-13')
    expect(moveFirst(trip, before, days('2026-03-10', '2026-03-12'))).toEqual(
      days('2026-03-03', '2026-03-05'),
    )
    expect(moveFirst(trip, before, days('2026-03-11', '2026-03-11'))).toEqual(
      days('2026-03-04', '2026-03-04'),
    )
    const single = days('2026-03-11', '2026-03-11')
    expect(moveFirst(trip, single, days('2026-03-12', '2026-03-12'))).toEqual(
      days('2026-03-05', '2026-03-07'),
    )
  })

  test('takes the times of the occurrence where the kind changes', () => {
    expect(moveFirst(tea, next, days('2026-03-12', '2026-03-13'))).toEqual(days('2026-03-05', '2026-03-06'))
    expect(
      moveFirst(trip, days('2026-03-11', '2026-03-13'), timed('2026-03-11T15:00', '2026-03-11T16:30')),
    ).toEqual(tea)
    expect(
      moveFirst(tea, days('2026-03-11', '2026-03-11'), timed('2026-03-11T15:00', '2026-03-11T16:00')),
    ).toMatchObject({
      startWall: wall('2026-03-05T06:00'),
      endAt: new Date('2026-03-05T06:00:00Z'),
    })
  })

  test('takes the days of an occurrence of another kind as they are', () => {
    const day = days('2026-03-11', '2026-03-11')
    expect(moveFirst(tea, day, days('2026-03-12', '2026-03-12'))).toEqual(days('2026-03-05', '2026-03-05'))
    expect(moveFirst(trip, next, days('2026-03-12', '2026-03-12'))).toMatchObject({ allDay: true })
  })

  test('stays within the years 1900 to 2200', () => {
    const move = () => moveFirst(days('1900-01-02', '1900-01-02'), trip, days('2026-03-02', '2026-03-04'))
    expect(problemsOf(move)).toEqual([expect.stringMatching(/^body\.start_date /)])
  })
})
