import { describe, expect, test } from 'bun:test'
import { EVER, readRule, toSeries } from '../../src/features/events/events/rules.recurrence'
import type { Times } from '../../src/features/events/events/rules.times'

const wall = (text: string) => Date.parse(`${text}Z`)
const shown = (walls: readonly number[]) => walls.map((one) => new Date(one).toISOString().slice(0, 16))

describe('a series whose clocks change', () => {
  const berlin = (startAt: string, startWall: string): Times => ({
    allDay: false,
    startAt: new Date(startAt),
    endAt: new Date(startAt),
    startWall: wall(startWall),
    timeZone: 'Europe/Berlin',
  })
  const walls = (first: Times, rule: string, limit: number) =>
    shown(toSeries(first, readRule(rule)).within(EVER, limit))

  test('begins at the wall time that was given, also where the clocks skip it or show it twice', () => {
    const gap = berlin('2026-03-29T01:30:00Z', '2026-03-29T02:30')
    expect(walls(gap, 'FREQ=DAILY;BYHOUR=9', 2)).toEqual(['2026-03-29T02:30', '2026-03-29T09:30'])
    const second = berlin('2026-10-25T01:30:00Z', '2026-10-25T02:30')
    expect(toSeries(second, readRule('FREQ=DAILY')).has(wall('2026-10-25T02:30'))).toBe(true)
  })

  test('ends with the latest extra start on the clocks, which may be a skipped one', () => {
    const first = berlin('2026-03-02T09:00:00Z', '2026-03-02T10:00')
    const extras = [wall('2026-03-29T02:30'), wall('2026-03-29T03:10')]
    const last = toSeries(first, readRule('FREQ=DAILY;COUNT=1'), extras).last()
    expect(last).toMatchObject({
      startWall: wall('2026-03-29T02:30'),
      startAt: new Date('2026-03-29T01:30:00Z'),
    })
  })

  test('names a skipped wall time where the rule does, and what the clocks show elsewhere', () => {
    const skipped = berlin('2026-03-28T01:30:00Z', '2026-03-28T02:30')
    expect(walls(skipped, 'FREQ=DAILY', 2)).toEqual(['2026-03-28T02:30', '2026-03-29T02:30'])
    const spring = berlin('2026-03-29T06:00:00Z', '2026-03-29T08:00')
    expect(walls(spring, 'FREQ=DAILY;BYHOUR=8,9', 2)).toEqual(['2026-03-29T08:00', '2026-03-29T09:00'])
    const autumn = berlin('2026-10-25T08:00:00Z', '2026-10-25T09:00')
    expect(walls(autumn, 'FREQ=DAILY;BYHOUR=9,10', 3)).toEqual([
      '2026-10-25T09:00',
      '2026-10-25T10:00',
      '2026-10-26T09:00',
    ])
    const island = { ...skipped, timeZone: 'Australia/Lord_Howe' } as const
    const first = {
      ...island,
      startAt: new Date('2026-10-02T15:40:00Z'),
      startWall: wall('2026-10-03T02:10'),
    }
    expect(walls(first, 'FREQ=DAILY', 2)).toEqual(['2026-10-03T02:10', '2026-10-04T02:10'])
  })
})
