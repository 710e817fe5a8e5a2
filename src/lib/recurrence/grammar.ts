import { compile, DAY } from './calendar'
import type { Frequency, Rule, Until, WeekdayRule } from './rule'
import { isDay } from '../time/time'

const MAX_LENGTH = 1000

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const satisfies Frequency[]
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** The range of each part; negative numbers of signed parts count from the end. */
const NUMBERS = {
  INTERVAL: { min: 1, max: 1000, signed: false },
  COUNT: { min: 1, max: 10_000, signed: false },
  BYMONTH: { min: 1, max: 12, signed: false },
  BYWEEKNO: { min: 1, max: 53, signed: true },
  BYYEARDAY: { min: 1, max: 366, signed: true },
  BYMONTHDAY: { min: 1, max: 31, signed: true },
  BYHOUR: { min: 0, max: 23, signed: false },
  BYMINUTE: { min: 0, max: 59, signed: false },
  BYSECOND: { min: 0, max: 60, signed: false },
  BYSETPOS: { min: 1, max: 366, signed: true },
} as const

type NumberPart = keyof typeof NUMBERS
const NAMES = new Set([...Object.keys(NUMBERS), 'FREQ', 'UNTIL', 'WKST', 'BYDAY'])

/** The parts by name; undefined when a part is unknown, malformed or repeated. */
function partsOf(text: string): Map<string, string> | undefined {
  if (text.length > MAX_LENGTH || !/^(?:RRULE:)?[A-Z0-9=;,+-]+$/i.test(text)) return undefined
  const parts = new Map<string, string>()
  for (const part of text.toUpperCase().replace('RRULE:', '').split(';')) {
    const [, name = '', value = ''] = /^([A-Z]+)=([^=]+)$/.exec(part) ?? []
    if (!NAMES.has(name) || parts.has(name)) return undefined
    parts.set(name, value)
  }
  return parts
}

const ascending = (numbers: number[]) => [...new Set(numbers)].toSorted((a, b) => a - b)

function readNumbers(value: string, part: NumberPart): number[] | undefined {
  const { min, max, signed } = NUMBERS[part]
  const texts = value.split(',')
  const numbers = texts.map(Number)
  const valid =
    texts.every((text) => (signed ? /^[+-]?\d{1,3}$/ : /^\d{1,5}$/).test(text)) &&
    numbers.map((number) => (signed ? Math.abs(number) : number)).every((size) => size >= min && size <= max)
  return valid ? ascending(numbers) : undefined
}

function readWeekday(text: string): WeekdayRule | undefined {
  const [, ordinal, weekday = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? []
  const size = Math.abs(Number(ordinal ?? 1))
  if (!WEEKDAYS.includes(weekday) || size < 1 || size > 53) return undefined
  return { weekday: WEEKDAYS.indexOf(weekday) + 1, ordinal: Number(ordinal ?? 0) }
}

function readWeekdays(value: string): WeekdayRule[] | undefined {
  const days = value.split(',').map(readWeekday)
  if (days.includes(undefined)) return undefined
  const byText = new Map(days.filter((day) => day !== undefined).map((day) => [formatWeekday(day), day]))
  return [...byText.values()].toSorted((a, b) => a.ordinal - b.ordinal || a.weekday - b.weekday)
}

const readWeekStart = (value: string) => (WEEKDAYS.includes(value) ? WEEKDAYS.indexOf(value) + 1 : undefined)

/** A leap second is read as the second before it (RFC 5545, section 3.3.5). */
const withoutLeapSecond = (second: number) => Math.min(second, 59)

function readUntil(value: string): Until | undefined {
  const [, year, month, date, time, hour, minute, second, utc] =
    /^(\d{4})(\d\d)(\d\d)(T([01]\d|2[0-3])([0-5]\d)([0-5]\d|60)(Z)?)?$/.exec(value) ?? []
  const day = `${year}-${month}-${date}`
  if (!isDay(day)) return undefined
  const midnight = Date.parse(day)
  if (time === undefined) return { form: 'date', at: midnight }
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + withoutLeapSecond(Number(second))
  return { form: utc === undefined ? 'local' : 'instant', at: midnight + seconds * 1000 }
}

/** Parses each part on its own; adds errors to `problems`. */
function readParts(parts: ReadonlyMap<string, string>, frequency: Frequency, problems: string[]): Rule {
  function read<Value>(name: string, reader: (value: string) => Value | undefined, values: string) {
    const text = parts.get(name)
    const value = text === undefined ? undefined : reader(text)
    if (text !== undefined && value === undefined) problems.push(`must have ${values} as ${name}`)
    return value
  }
  function numbers(name: NumberPart): number[] {
    const { min, max, signed } = NUMBERS[name]
    const range = `${min} to ${max}${signed ? ` or -${max} to -${min}` : ''}`
    return read(name, (value) => readNumbers(value, name), `numbers from ${range}`) ?? []
  }
  function number(name: NumberPart): number | undefined {
    const { min, max } = NUMBERS[name]
    const one = (value: string) => (value.includes(',') ? undefined : readNumbers(value, name)?.[0])
    return read(name, one, `a number from ${min} to ${max}`)
  }
  return {
    frequency,
    interval: number('INTERVAL') ?? 1,
    count: number('COUNT'),
    until: read('UNTIL', readUntil, 'a date or date-time of the years 1900 to 2200'),
    weekStart: read('WKST', readWeekStart, 'a weekday such as MO') ?? 1,
    byMonth: numbers('BYMONTH'),
    byWeekNo: numbers('BYWEEKNO'),
    byYearDay: numbers('BYYEARDAY'),
    byMonthDay: numbers('BYMONTHDAY'),
    byDay: read('BYDAY', readWeekdays, 'weekdays such as MO or -1FR') ?? [],
    byHour: numbers('BYHOUR'),
    byMinute: numbers('BYMINUTE'),
    bySecond: ascending(numbers('BYSECOND').map(withoutLeapSecond)),
    bySetPos: numbers('BYSETPOS'),
  }
}

/** Whether the rule has occurrences for any DTSTART, ignoring INTERVAL. */
function canMatch(rule: Rule): boolean {
  // 28 years contain every kind of year next to every other kind.
  const [start, end] = [Date.UTC(2001, 0, 1), Date.UTC(2028, 11, 31)]
  // BYWEEKNO with BYMONTH may exclude some of the weekdays that come from DTSTART.
  const weekdays = rule.byWeekNo.length > 0 && rule.byMonth.length > 0 ? [0, 1, 2, 3, 4, 5, 6] : [0]
  return weekdays.some((weekday) => {
    const { set, origin, periodOf } = compile({ ...rule, interval: 1 }, start + weekday * DAY)
    for (let period = origin, last = periodOf(end); period <= last; period++)
      if (set(period).size > 0) return true
    return false
  })
}

const isNumbered = ({ byDay }: Rule) => byDay.some(({ ordinal }) => ordinal !== 0)

/** Combinations that RFC 5545, section 3.3.10, or the contract forbids; the expensive check is last. */
const CONFLICTS: ReadonlyArray<{ readonly problem: string; readonly has: (rule: Rule) => boolean }> = [
  {
    problem: 'must not have both COUNT and UNTIL',
    has: ({ count, until }) => count !== undefined && until !== undefined,
  },
  {
    problem: 'must not have BYWEEKNO unless FREQ is YEARLY',
    has: ({ frequency, byWeekNo }) => frequency !== 'YEARLY' && byWeekNo.length > 0,
  },
  {
    problem: 'must not have BYYEARDAY unless FREQ is YEARLY',
    has: ({ frequency, byYearDay }) => frequency !== 'YEARLY' && byYearDay.length > 0,
  },
  {
    problem: 'must not have BYMONTHDAY where FREQ is WEEKLY',
    has: ({ frequency, byMonthDay }) => frequency === 'WEEKLY' && byMonthDay.length > 0,
  },
  {
    problem: 'must not number weekdays unless FREQ is MONTHLY or YEARLY',
    has: (rule) => (rule.frequency === 'DAILY' || rule.frequency === 'WEEKLY') && isNumbered(rule),
  },
  {
    problem: 'must not number weekdays beside BYWEEKNO',
    has: (rule) => rule.byWeekNo.length > 0 && isNumbered(rule),
  },
  {
    problem: 'must not have BYSETPOS without another BY part',
    has: ({ bySetPos, byDay, ...rule }) =>
      bySetPos.length > 0 &&
      byDay.length === 0 &&
      Object.values(lists(rule)).every(({ length }) => length === 0),
  },
  { problem: 'must match at least one day', has: (rule) => !canMatch(rule) },
]

/** The parts with lists of numbers, in the order in which they are printed, except BYDAY and BYSETPOS. */
const lists = (rule: Omit<Rule, 'byDay' | 'bySetPos'>) => ({
  BYMONTH: rule.byMonth,
  BYWEEKNO: rule.byWeekNo,
  BYYEARDAY: rule.byYearDay,
  BYMONTHDAY: rule.byMonthDay,
  BYHOUR: rule.byHour,
  BYMINUTE: rule.byMinute,
  BYSECOND: rule.bySecond,
})

/**
 * Parses an RRULE value (RFC 5545, section 3.3.10; contract: events.rules), with or without `RRULE:`, regardless of case.
 * `problem` is worded as the end of a sentence and does not repeat the text. `seriesProblem` checks what depends on DTSTART.
 */
export function parseRule(text: string): { readonly rule: Rule } | { readonly problem: string } {
  const parts = partsOf(text)
  if (!parts) return { problem: 'must be a recurrence rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=MO' }
  const frequency = FREQUENCIES.find((name) => name === parts.get('FREQ'))
  if (!frequency) return { problem: 'must have DAILY, WEEKLY, MONTHLY or YEARLY as FREQ' }
  const problems: string[] = []
  const rule = readParts(parts, frequency, problems)
  const problem = problems[0] ?? CONFLICTS.find(({ has }) => has(rule))?.problem
  return problem === undefined ? { rule } : { problem }
}

const MAX_A_DAY = 24

/** Why the rule is no longer accepted, as the end of a sentence; rules stored earlier still work. */
export function densityProblem({ byHour, byMinute, bySecond, bySetPos }: Rule): string | undefined {
  const times = [byHour, byMinute, bySecond].reduce((product, { length }) => product * (length || 1), 1)
  // BYSETPOS limits the occurrences of each day, or of each longer period, to its positions.
  const left = bySetPos.length > 0 ? Math.min(times, bySetPos.length) : times
  return left > MAX_A_DAY ? `at most ${MAX_A_DAY} occurrences a day` : undefined
}

const formatWeekday = ({ weekday, ordinal }: WeekdayRule) =>
  `${ordinal === 0 ? '' : ordinal}${WEEKDAYS[weekday - 1]}`

function formatUntil({ form, at }: Until): string {
  const text = new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  if (form === 'date') return text.slice(0, 8)
  return form === 'local' ? text.slice(0, -1) : text
}

/** Prints the RRULE value of `rule` without default values. */
export function formatRule(rule: Rule): string {
  const { frequency, interval, count, until, weekStart, byDay, bySetPos } = rule
  const parts = {
    FREQ: frequency,
    INTERVAL: interval === 1 ? '' : interval,
    COUNT: count ?? '',
    UNTIL: until ? formatUntil(until) : '',
    WKST: weekStart === 1 ? '' : WEEKDAYS[weekStart - 1],
    ...lists(rule),
    BYDAY: byDay.map(formatWeekday),
    BYSETPOS: bySetPos,
  }
  return Object.entries(parts)
    .map(([name, value]) => `${name}=${String(value)}`)
    .filter((part) => !part.endsWith('='))
    .join(';')
}
