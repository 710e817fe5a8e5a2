import { describe, expect, test } from 'bun:test'
import { at, organiser } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const day = (start_date: string, recurrence_rule: string) => ({
  all_day: true,
  start_date,
  end_date: start_date,
  recurrence_rule,
})
const timed = (start: string, end: string, recurrence_rule: string, zone = 'Europe/Berlin') => ({
  start_at: start,
  end_at: end,
  time_zone: zone,
  recurrence_rule,
})

describe('the occurrences of a series', () => {
  test('a monthly rule on the 31st skips months without one', async () => {
    const ada = await organiser(h)
    await ada.create(day('2026-01-31', 'FREQ=MONTHLY'))
    expect(await ada.starts('2026-01-01', '2026-09-01')).toEqual([
      '2026-01-31',
      '2026-03-31',
      '2026-05-31',
      '2026-07-31',
      '2026-08-31',
    ])
  })

  test('the fifth weekday of a month is skipped where there is none', async () => {
    const ada = await organiser(h)
    await ada.create(day('2026-01-30', 'FREQ=MONTHLY;BYDAY=5FR'))
    expect(await ada.starts('2026-01-01', '2026-11-01')).toEqual([
      '2026-01-30',
      '2026-05-29',
      '2026-07-31',
      '2026-10-30',
    ])
  })

  test('a yearly rule on 29 February has occurrences in leap years', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(day('2024-02-29', 'FREQ=YEARLY'))
    expect(await ada.starts('2026-01-01', '2027-01-01')).toEqual([])
    expect(await ada.starts('2028-01-01', '2029-01-01')).toEqual(['2028-02-29'])
    const { body } = await ada.occurrences(id, '2100-01-01', '2101-01-01')
    expect(body.occurrences).toEqual([])
  })

  test('a daily series has one occurrence per local day across both changes of the clock', async () => {
    const ada = await organiser(h)
    await ada.create(timed('2026-03-01T02:30', '2026-03-01T03:00', 'FREQ=DAILY'))
    for (const [from, to, length] of [
      ['2026-03-28', '2026-04-01', 4],
      ['2026-10-24', '2026-10-28', 4],
    ] as const) {
      const starts = await ada.starts(from, to)
      expect(new Set(starts.map((start) => start.slice(0, 10))).size).toBe(length)
      expect(starts.length).toBe(length)
    }
  })

  test('a time that does not exist moves forward, and one that exists twice is the first', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(timed('2026-03-28T02:30', '2026-03-28T03:30', 'FREQ=DAILY'))
    const spring = await ada.list('2026-03-28', '2026-03-31')
    expect(
      spring.map(({ start_at, end_at, occurrence_start }) => [start_at, end_at, occurrence_start]),
    ).toEqual([
      ['2026-03-28T02:30:00+01:00', '2026-03-28T03:30:00+01:00', '2026-03-28T02:30:00+01:00'],
      ['2026-03-29T03:30:00+02:00', '2026-03-29T04:30:00+02:00', '2026-03-29T03:30:00+02:00'],
      ['2026-03-30T02:30:00+02:00', '2026-03-30T03:30:00+02:00', '2026-03-30T02:30:00+02:00'],
    ])
    const autumn = await ada.list('2026-10-25', '2026-10-26')
    expect(autumn.map(({ start_at, end_at }) => [start_at, end_at])).toEqual([
      // An occurrence keeps the exact duration.
      ['2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00'],
    ])
    const changed = await ada.change(id, { title: 'Gap' }, at('2026-03-29T03:30+02:00'))
    expect(changed.body).toMatchObject({
      title: 'Gap',
      start_at: '2026-03-29T03:30:00+02:00',
      is_override: true,
    })
    const twin = await ada.change(id, { title: 'x' }, at('2026-10-25T02:30+01:00'))
    expect([twin.status, twin.body.detail]).toEqual([404, 'Occurrence not found'])
  })

  test('a series that begins where the clock skips its time has that time ever after', async () => {
    const ada = await organiser(h)
    const made = await ada.create(timed('2026-03-29T02:30', '2026-03-29T03:30', 'FREQ=DAILY;COUNT=3'))
    expect(made.start_at).toBe('2026-03-29T03:30:00+02:00')
    expect(await ada.starts('2026-03-29', '2026-04-05')).toEqual([
      '2026-03-29T03:30:00+02:00',
      '2026-03-30T02:30:00+02:00',
      '2026-03-31T02:30:00+02:00',
    ])
    const sentBack = await ada.change(made.id, { start_at: made.start_at, end_at: made.end_at })
    expect(sentBack.body).toMatchObject({ start_at: made.start_at, end_at: made.end_at })
    expect(await ada.starts('2026-03-30', '2026-03-31')).toEqual(['2026-03-30T02:30:00+02:00'])
  })

  test('19:00 in Toronto stays 19:00 in November', async () => {
    const ada = await organiser(h, 'America/Toronto')
    await ada.create(timed('2026-10-29T19:00', '2026-10-29T20:00', 'FREQ=WEEKLY', 'America/Toronto'))
    expect(await ada.starts('2026-10-29', '2026-11-13')).toEqual([
      '2026-10-30T00:00:00+01:00',
      '2026-11-06T01:00:00+01:00',
      '2026-11-13T01:00:00+01:00',
    ])
  })

  test('an evening in Los Angeles is found by its local day', async () => {
    const ada = await organiser(h, 'America/Los_Angeles')
    await ada.create(
      timed('2026-06-01T20:00', '2026-06-01T23:00', 'FREQ=WEEKLY;BYDAY=MO', 'America/Los_Angeles'),
    )
    expect(await ada.starts('2026-06-08', '2026-06-09')).toEqual(['2026-06-09T05:00:00+02:00'])
    expect(await ada.starts('2026-06-09', '2026-06-10')).toEqual([])
  })

  test('UNTIL as an instant is inclusive, and as a date keeps that whole day', async () => {
    const ada = await organiser(h)
    const hours = ['2026-03-10T23:00', '2026-03-10T23:30'] as const
    const starts = async (until: string) => {
      const { id } = await ada.create(timed(...hours, `FREQ=DAILY;UNTIL=${until}`, 'America/Toronto'))
      const { body } = await ada.occurrences(id, '2026-03-01', '2026-04-01')
      await ada.remove(id)
      return body.occurrences.length
    }
    expect(await starts('20260313T030000Z')).toBe(3)
    expect(await starts('20260313T025959Z')).toBe(2)
    expect(await starts('20260312')).toBe(3)
  })

  test('the first occurrence is the start, also where the rule does not name it, and counts', async () => {
    const ada = await organiser(h)
    await ada.create(day('2026-03-10', 'FREQ=WEEKLY;BYDAY=MO;COUNT=3'))
    expect(await ada.starts('2026-03-01', '2026-05-01')).toEqual(['2026-03-10', '2026-03-16', '2026-03-23'])
  })

  test('an old series shows in 2040, and none after 2200', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(timed('1901-01-01T09:00', '1901-01-01T10:00', 'FREQ=DAILY'))
    expect(await ada.starts('2040-07-01', '2040-07-03')).toEqual([
      '2040-07-01T09:00:00+02:00',
      '2040-07-02T09:00:00+02:00',
    ])
    const { body } = await ada.occurrences(id, '2200-12-31T00:00', '2200-12-31T23:00')
    expect(body.occurrences.length).toBe(1)
  })

  test('an occurrence that began before the window and lasts into it is shown', async () => {
    const ada = await organiser(h)
    await ada.create(timed('2026-03-06T18:00', '2026-03-08T12:00', 'FREQ=WEEKLY'))
    await ada.create({ ...day('2026-03-05', 'FREQ=WEEKLY'), end_date: '2026-03-08', title: 'Trip' })
    const shown = await ada.list('2026-03-22', '2026-03-23')
    expect(shown.map(({ title, occurrence_start }) => [title, occurrence_start])).toEqual([
      ['Trip', '2026-03-19'],
      ['Choir', '2026-03-20T18:00:00+01:00'],
    ])
  })

  test('a single event has one occurrence, which is itself', async () => {
    const ada = await organiser(h)
    const { recurrence_rule: _, ...single } = day('2026-03-10', '')
    const event = await ada.create(single)
    const { body } = await ada.occurrences(event.id, '2026-03-01', '2026-04-01')
    expect(body).toEqual({ occurrences: [event], invitations_truncated: false })
    expect((await ada.occurrences(event.id, '2026-04-01', '2026-05-01')).body.occurrences).toEqual([])
  })

  test('overrides are shown where they were moved, and not where they were', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(timed('2026-03-02T09:00', '2026-03-02T10:00', 'FREQ=WEEKLY;COUNT=3'))
    await ada.change(id, { start_at: '2026-05-04T09:00' }, at('2026-03-09T09:00'))
    await ada.change(id, { start_at: '2025-01-01T09:00' }, at('2026-03-16T09:00'))
    expect(await ada.starts('2026-03-01', '2026-04-01')).toEqual(['2026-03-02T09:00:00+01:00'])
    const [late] = await ada.list('2026-05-01', '2026-06-01')
    expect(late).toMatchObject({
      id,
      start_at: '2026-05-04T09:00:00+02:00',
      end_at: '2026-05-04T10:00:00+02:00',
      occurrence_start: '2026-03-09T09:00:00+01:00',
      is_override: true,
    })
    expect(await ada.starts('2025-01-01', '2025-01-02')).toEqual(['2025-01-01T09:00:00+01:00'])
    const { body } = await ada.occurrences(id, '2026-05-01', '2026-06-01')
    expect(body.occurrences).toEqual([late])
  })

  test('overrides of an all-day series are shown where they were moved', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(day('2026-03-02', 'FREQ=WEEKLY;COUNT=2'))
    const moved = await ada.change(id, { start_date: '2026-06-01', end_date: '2026-06-02' }, at('2026-03-09'))
    expect(moved.body).toMatchObject({ start_date: '2026-06-01', occurrence_start: '2026-03-09' })
    expect(await ada.starts('2026-03-01', '2026-04-01')).toEqual(['2026-03-02'])
    expect(await ada.list('2026-06-02', '2026-06-03')).toEqual([moved.body])
  })
})
