import { describe, expect, test } from 'bun:test'
import {
  DECADES,
  EVER,
  lastEndOf,
  ONCE,
  readGivenRule,
  readRule,
  refusalOfRule,
  toSeries,
} from '../../src/features/events/events/rules.recurrence'
import type { Times } from '../../src/features/events/events/rules.times'
import { isForward } from '../../src/features/events/free-times/rules.openings'
import { startsNear } from '../../src/features/events/occurrences/rules'
import { readTemplateRule } from '../../src/features/events/templates/rules'
import { formatRule } from '../../src/lib/recurrence/grammar'

const wall = (text: string) => Date.parse(`${text}Z`)
const shown = (walls: readonly number[]) => walls.map((one) => new Date(one).toISOString().slice(0, 16))
const timed = (text: string, minutes = 60): Times => ({
  allDay: false,
  startAt: new Date(`${text}Z`),
  endAt: new Date(wall(text) + minutes * 60_000),
  startWall: wall(text),
  timeZone: 'UTC',
})
const day = (startDate: string, endDate = startDate): Times => ({ allDay: true, startDate, endDate })
const TEA = timed('2026-03-04T15:00')
const all = (series: ReturnType<typeof toSeries>, limit = 9) => shown(series.within(EVER, limit))
const at = (date: string) => wall(`${date}T15:00`)

describe('a series with extra starts', () => {
  const extras = [at('2026-03-05'), at('2026-03-11'), at('2026-03-20')]
  const series = toSeries(TEA, readRule('FREQ=WEEKLY;COUNT=3'), extras)

  test('has the starts of its rule and its own, each once, in order', () => {
    expect(all(series)).toEqual([
      '2026-03-04T15:00',
      '2026-03-05T15:00',
      '2026-03-11T15:00',
      '2026-03-18T15:00',
      '2026-03-20T15:00',
    ])
    expect(all(series, 2)).toEqual(['2026-03-04T15:00', '2026-03-05T15:00'])
  })

  test('has those that may overlap a span, also by their ends', () => {
    const span = (from: string, to: string) => ({
      from: new Date(`${from}Z`),
      to: new Date(`${to}Z`),
      fromDay: from.slice(0, 10),
      toDay: to.slice(0, 10),
    })
    const within = (from: string, to: string) => shown(series.within(span(from, to), 9))
    expect(within('2026-03-05T16:00', '2026-03-18T15:00')).toEqual(['2026-03-05T15:00', '2026-03-11T15:00'])
    expect(within('2026-03-05T16:01', '2026-03-18T15:01')).toEqual(['2026-03-11T15:00', '2026-03-18T15:00'])
    expect(within('2026-03-19T00:00', '2026-03-20T15:00')).toEqual([])
    expect(within('2026-03-20T16:00', '2026-03-21T00:00')).toEqual(['2026-03-20T15:00'])
    const trip = toSeries(day('2026-03-04', '2026-03-06'), readRule('FREQ=WEEKLY;COUNT=2'))
    expect(shown(trip.within(span('2026-03-06T00:00', '2026-03-11T00:00'), 9))).toEqual(['2026-03-04T00:00'])
    expect(shown(trip.within(span('2026-03-07T00:00', '2026-03-12T00:00'), 9))).toEqual(['2026-03-11T00:00'])
  })

  test('knows its occurrences, by their starts and by what clients say', () => {
    expect([at('2026-03-11'), at('2026-03-20'), at('2026-03-04')].map(series.has)).toEqual([true, true, true])
    expect([at('2026-03-12'), wall('2026-03-11T15:01')].map(series.has)).toEqual([false, false])
    expect(series.find('2026-03-11T15:00')).toBe(at('2026-03-11'))
    expect(series.find('2026-03-20T16:00:00+01:00')).toBe(at('2026-03-20'))
    expect(series.find('2026-03-12T15:00')).toBeUndefined()
    expect(series.find('nonsense')).toBeUndefined()
    const days = toSeries(day('2026-03-04'), ONCE, [wall('2026-03-09T00:00')])
    expect(days.find('2026-03-04')).toBe(wall('2026-03-04T00:00'))
    expect(days.find('2026-03-09')).toBe(wall('2026-03-09T00:00'))
    expect(days.find('2026-03-05')).toBeUndefined()
    expect(days.find('2026-02-30')).toBeUndefined()
  })

  test('ends with the last of both', () => {
    expect(series.last()).toEqual(timed('2026-03-20T15:00'))
    expect(shown([series.lastNamed() ?? 0])).toEqual(['2026-03-18T15:00'])
    const early = toSeries(TEA, readRule('FREQ=WEEKLY;COUNT=3'), extras.slice(0, 1))
    expect(early.last()).toEqual(timed('2026-03-18T15:00'))
    const endless = toSeries(TEA, readRule('FREQ=WEEKLY'), extras)
    expect([endless.last(), endless.lastNamed()]).toEqual([undefined, undefined])
  })

  test('says whether its rule names its first start', () => {
    expect(series.namesFirst()).toBe(true)
    expect(toSeries(TEA, readRule('FREQ=WEEKLY;BYDAY=FR')).namesFirst()).toBe(false)
    expect(series.inWords()).toMatch(/^Every week/)
    expect(toSeries(day('2026-03-04'), readRule('FREQ=DAILY')).inWords()).toMatch(/^Every day/)
  })
})

describe('a series that is split', () => {
  const rule = readRule('FREQ=WEEKLY;COUNT=5')
  const extras = [at('2026-03-05'), at('2026-03-11'), at('2026-03-20')]
  const series = toSeries(TEA, rule, extras)
  const split = (from: string, first = timed(`${from}T15:00`)) => {
    const { rule: rest, extras: others } = series.from(at(from))
    return all(toSeries(first, rest, others))
  }
  const starts = all(series)

  test.each([
    '2026-03-04',
    '2026-03-05',
    '2026-03-11',
    '2026-03-18',
    '2026-03-20',
    '2026-03-25',
    '2026-04-01',
  ])('at %s has the same occurrences from there on', (from) => {
    expect(split(from)).toEqual(starts.filter((start) => start >= from))
  })

  test('has those before, unless there are none', () => {
    const before = series.before(at('2026-03-18'))
    expect(before && all(toSeries(TEA, before.rule, before.extras))).toEqual(
      starts.filter((start) => start < '2026-03-18'),
    )
    expect(before?.extras).toEqual(extras.slice(0, 2))
    expect(series.before(at('2026-03-04'))).toBeUndefined()
  })

  test('keeps an endless rule endless', () => {
    const endless = toSeries(TEA, readRule('FREQ=WEEKLY'), [at('2026-03-05')])
    expect(endless.from(at('2026-03-11'))).toEqual({
      rule: { ...endless.rule, count: undefined },
      extras: [],
    })
    const { rule: rest } = endless.from(at('2026-03-05'))
    expect([rest.count, formatRule(rest)]).toEqual([
      undefined,
      'FREQ=WEEKLY;BYHOUR=15;BYMINUTE=0;BYSECOND=0;BYDAY=WE',
    ])
  })

  test('beside a rule of longer intervals repeats at extra starts, as far as these go', () => {
    const biweekly = toSeries(TEA, readRule('FREQ=WEEKLY;INTERVAL=2;COUNT=3'), [at('2026-03-12')])
    expect(biweekly.from(at('2026-03-12'))).toEqual({
      rule: ONCE,
      extras: [at('2026-03-18'), at('2026-04-01')],
    })
    const endless = toSeries(TEA, readRule('FREQ=WEEKLY;INTERVAL=2'), [at('2026-03-12')])
    expect(() => endless.from(at('2026-03-12'))).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        problems: [
          { field: 'query.occurrence_start', message: expect.stringMatching(/^is beside the rule/) },
        ],
      }),
    )
    const inStep = toSeries(TEA, readRule('FREQ=DAILY;INTERVAL=2'), [wall('2026-03-08T09:00')])
    expect(formatRule(inStep.from(wall('2026-03-08T09:00')).rule)).toBe(
      'FREQ=DAILY;INTERVAL=2;BYHOUR=15;BYMINUTE=0;BYSECOND=0',
    )
  })

  test('after the last of its rule has only its extra starts', () => {
    const short = toSeries(TEA, ONCE, [at('2026-03-05'), at('2026-03-09')])
    expect(short.from(at('2026-03-05'))).toEqual({ rule: ONCE, extras: [at('2026-03-09')] })
  })
})

test('an occurrence that daylight saving skips is known by the time that the rule gives it', () => {
  const timeZone = 'Europe/Berlin'
  const first: Times = {
    allDay: false,
    startAt: new Date('2026-03-28T01:30:00Z'),
    endAt: new Date('2026-03-28T02:00:00Z'),
    startWall: wall('2026-03-28T02:30'),
    timeZone,
  }
  const series = toSeries(first, readRule('FREQ=DAILY;COUNT=3'))
  expect(all(series)).toEqual(['2026-03-28T02:30', '2026-03-29T02:30', '2026-03-30T02:30'])
  expect(series.has(wall('2026-03-29T02:30'))).toBe(true)
  expect(series.has(wall('2026-03-29T03:30'))).toBe(false)
  expect(series.find('2026-03-29T03:30')).toBe(wall('2026-03-29T02:30'))
  const hourly = { ...first, startAt: new Date('2026-03-28T02:30:00Z'), startWall: wall('2026-03-28T03:30') }
  expect(all(toSeries(hourly, readRule('FREQ=DAILY;COUNT=2')))).toEqual([
    '2026-03-28T03:30',
    '2026-03-29T03:30',
  ])
})

describe('a rule', () => {
  const DENSE = `FREQ=DAILY;BYHOUR=9,10;BYMINUTE=${[...Array(60).keys()].join()}`
  const refusal = (message: string | RegExp) =>
    expect.objectContaining({
      kind: 'invalid',
      problems: [
        {
          field: 'body.recurrence_rule',
          message: typeof message === 'string' ? message : expect.stringMatching(message),
        },
      ],
    })

  test('that cannot be read, or repeats too often in a day, is refused', () => {
    expect(() => readRule('FREQ=SOMETIMES')).toThrow(refusal(/./))
    expect(() => readGivenRule(DENSE)).toThrow(refusal(/^at most \d+ occurrences a day$/))
    expect(readRule(DENSE)).toMatchObject({ frequency: 'DAILY' })
    expect(readGivenRule('FREQ=DAILY')).toBe(readRule('FREQ=DAILY'))
  })

  test('that cannot repeat the times is refused', () => {
    expect(refusalOfRule(TEA, readRule('FREQ=DAILY'))).toBeUndefined()
    expect(refusalOfRule(TEA, readRule('FREQ=DAILY;UNTIL=20260301T000000Z'))).toBeUndefined()
    expect(refusalOfRule(day('2026-03-04'), readRule('FREQ=DAILY;BYHOUR=9'))).toEqual(refusal(/all-day/))
  })

  test('of a template is one that some event can have; dense ones only where it has them', () => {
    expect(readTemplateRule('RRULE:FREQ=DAILY', false, null)).toBe('FREQ=DAILY')
    expect(readTemplateRule('rrule:FREQ=DAILY', true, null)).toBe('FREQ=DAILY')
    expect(() => readTemplateRule(DENSE, false, null)).toThrow(refusal(/./))
    expect(readTemplateRule(DENSE, false, DENSE)).toBe(DENSE)
    expect(() => readTemplateRule('FREQ=DAILY;BYHOUR=9', true, null)).toThrow(refusal(/./))
    expect(readTemplateRule('FREQ=DAILY;BYHOUR=9', false, null)).toBe('FREQ=DAILY;BYHOUR=9')
    for (const text of ['FREQ=DAILY;X-RRULE:Y=1', 'FREQ=DAILYRRULE:'])
      expect(() => readTemplateRule(text, false, null)).toThrow(refusal(/./))
  })

  test('ends where its last occurrence does, if it ends', () => {
    const rule = readRule('FREQ=DAILY;COUNT=3')
    expect(lastEndOf(TEA, rule)).toEqual({ lastEndAt: new Date('2026-03-06T16:00:00Z'), lastEndDate: null })
    expect(lastEndOf(TEA, undefined)).toEqual({
      lastEndAt: new Date('2026-03-04T16:00:00Z'),
      lastEndDate: null,
    })
    expect(lastEndOf(day('2026-03-04', '2026-03-05'), rule)).toEqual({
      lastEndAt: null,
      lastEndDate: '2026-03-07',
    })
    expect(lastEndOf(TEA, rule, [at('2026-04-01')]).lastEndAt).toEqual(new Date('2026-04-01T16:00:00Z'))
    expect(lastEndOf(TEA, readRule('FREQ=DAILY'))).toEqual({ lastEndAt: null, lastEndDate: null })
  })
})

test('the decades follow each other and hold every time', () => {
  for (const [index, { from, to, fromDay, toDay }] of DECADES.entries()) {
    expect([from, to]).toEqual([new Date(fromDay), new Date(toDay)])
    if (index > 0) expect(fromDay).toBe(DECADES[index - 1]?.toDay as string)
  }
  expect([DECADES[0]?.fromDay, DECADES.at(-1)?.toDay, DECADES.length]).toEqual([
    '1890-01-03',
    '2201-01-03',
    32,
  ])
  expect([EVER.fromDay, EVER.toDay]).toEqual(['1899-12-30', '2201-01-03'])
  expect([EVER.from, EVER.to]).toEqual([new Date(EVER.fromDay), new Date(EVER.toDay)])
})

test('times of day follow each other up to midnight', () => {
  expect(isForward({ from: '09:00', to: '17:00' })).toBe(true)
  expect(isForward({ from: '09:00', to: '00:00' })).toBe(true)
  expect(isForward({ from: '09:00', to: '09:00' })).toBe(false)
  expect(isForward({ from: '09:00', to: '08:59' })).toBe(false)
})

describe('the starts that a window looks at', () => {
  const window = {
    from: new Date('2026-03-04T00:00:00Z'),
    to: new Date('2026-03-05T00:00:00Z'),
    fromDay: '2026-03-04',
    toDay: '2026-03-05',
    zone: 'UTC',
  }

  test('are as early as the event is long', () => {
    expect(startsNear(TEA, window)).toEqual({
      from: wall('2026-03-03T23:00'),
      to: wall('2026-03-05T00:00'),
      at: wall('2026-03-03T23:00'),
    })
    expect(startsNear(day('2026-01-01', '2026-01-03'), window)).toEqual({
      from: wall('2026-03-02T00:00'),
      to: wall('2026-03-04T00:00'),
      at: wall('2026-03-02T00:00'),
    })
    expect(startsNear(day('2026-01-01'), { ...window, zone: 'Europe/Berlin' }).at).toBe(
      wall('2026-03-03T23:00'),
    )
  })

  test('are those of either offset where the clocks change', () => {
    const near = (from: string, to: string) =>
      startsNear({ ...TEA, timeZone: 'Europe/Berlin', endAt: (TEA as { startAt: Date }).startAt } as Times, {
        ...window,
        from: new Date(`${from}Z`),
        to: new Date(`${to}Z`),
      })
    const change = near('2026-03-29T12:00', '2026-03-29T13:00')
    expect(shown([change.from, change.to])).toEqual(['2026-03-29T13:00', '2026-03-29T15:00'])
    expect(change.at).toBe(wall('2026-03-29T11:00'))
    const back = near('2026-10-25T12:00', '2026-10-25T13:00')
    expect(shown([back.from, back.to])).toEqual(['2026-10-25T13:00', '2026-10-25T15:00'])
    expect(back.at).toBe(wall('2026-10-25T12:00'))
  })
})
