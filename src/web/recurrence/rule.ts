/** A repetition that the form can show; other rules are kept as their text. */
export interface Repeat {
  readonly frequency: (typeof FREQUENCIES)[number]
  /** From 1: every second week is 2. */
  readonly interval: number
  /** Of a weekly repetition, from 1 (Monday) to 7; empty for the start's own. */
  readonly weekdays: readonly number[]
  /** Of a monthly one: the second Sunday is `{place: 2, weekday: 7}`, the last -1; without it, the start's day of the month. */
  readonly nth?: NthWeekday | undefined
  readonly count?: number | undefined
  /** The last day, as `YYYY-MM-DD`. */
  readonly until?: string | undefined
}

export interface NthWeekday {
  readonly place: number
  readonly weekday: number
}

export const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export const WORKDAYS: readonly number[] = [1, 2, 3, 4, 5]

export const every = (frequency: Repeat['frequency'], interval = 1): Repeat => ({
  frequency,
  interval,
  weekdays: [],
})

const dayName = (weekday: number) => DAYS[weekday - 1] ?? 'MO'

/** Writes the value of an RRULE (RFC 5545, section 3.3.10). */
export function ruleOf({ frequency, interval, weekdays, nth, count, until }: Repeat): string {
  return [
    `FREQ=${frequency}`,
    interval > 1 && `INTERVAL=${interval}`,
    frequency === 'WEEKLY' &&
      weekdays.length > 0 &&
      `BYDAY=${weekdays
        .toSorted((a, b) => a - b)
        .map(dayName)
        .join(',')}`,
    frequency === 'MONTHLY' && nth && `BYDAY=${nth.place}${dayName(nth.weekday)}`,
    count !== undefined && `COUNT=${count}`,
    until !== undefined && `UNTIL=${until.replaceAll('-', '')}`,
  ]
    .filter(Boolean)
    .join(';')
}

const KNOWN = new Set(['FREQ', 'INTERVAL', 'BYDAY', 'COUNT', 'UNTIL', 'WKST'])

/** Reads the value of an RRULE; undefined where it says more than the form can show. */
export function repeatOf(rule: string): Repeat | undefined {
  const parts = new Map(
    rule
      .toUpperCase()
      .split(';')
      .map((part) => {
        const [name = '', value = ''] = part.split('=')
        return [name, value]
      }),
  )
  const frequency = FREQUENCIES.find((each) => each === parts.get('FREQ'))
  if (!frequency || [...parts.keys()].some((name) => !KNOWN.has(name))) return undefined
  const days = daysOf(frequency, parts.get('BYDAY'))
  const interval = Number(parts.get('INTERVAL') ?? 1)
  // With an interval, the first day of the week decides which weeks count.
  const isShown = days && (interval === 1 || (parts.get('WKST') ?? 'MO') === 'MO')
  return isShown ? { frequency, interval, ...days, ...endOf(parts) } : undefined
}

type ChosenDays = Pick<Repeat, 'weekdays' | 'nth'>

function daysOf(frequency: Repeat['frequency'], byDay: string | undefined): ChosenDays | undefined {
  if (byDay === undefined) return { weekdays: [] }
  const days = byDay.split(',').map((each) => /^([+-]?\d+)?(\w\w)$/.exec(each))
  const read = days.map((match) => ({
    place: match?.[1] === undefined ? undefined : Number(match[1]),
    weekday: DAYS.findIndex((name) => name === match?.[2]) + 1,
  }))
  if (read.some(({ weekday }) => weekday === 0)) return undefined
  if (frequency === 'WEEKLY' && read.every(({ place }) => place === undefined))
    return { weekdays: read.map(({ weekday }) => weekday) }
  const [first, second] = read
  return frequency === 'MONTHLY' && first && !second ? nthDay(first.place, first.weekday) : undefined
}

const nthDay = (place: number | undefined, weekday: number): ChosenDays | undefined =>
  place === undefined || place < -1 || place > 5 ? undefined : { weekdays: [], nth: { place, weekday } }

function endOf(parts: ReadonlyMap<string, string>): Pick<Repeat, 'count' | 'until'> {
  const [count, until] = [parts.get('COUNT'), parts.get('UNTIL')]
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(until ?? '') ?? []
  return {
    ...(count !== undefined && { count: Number(count) }),
    ...(year !== undefined && { until: `${year}-${month}-${day}` }),
  }
}

/** Which of its weekday in the month a day is: the second Sunday, or the last one too. */
export function nthOf(day: Temporal.PlainDate): NthWeekday & { readonly isLast: boolean } {
  return {
    place: Math.ceil(day.day / 7),
    weekday: day.dayOfWeek,
    isLast: day.day + 7 > day.daysInMonth,
  }
}

/** The first day on or after the given one that the repetition names. */
export function firstDay(repeat: Repeat, from: Temporal.PlainDate): Temporal.PlainDate {
  const fits = (day: Temporal.PlainDate) => {
    if (repeat.weekdays.length > 0) return repeat.weekdays.includes(day.dayOfWeek)
    if (!repeat.nth) return true
    const { place, weekday, isLast } = nthOf(day)
    return weekday === repeat.nth.weekday && (repeat.nth.place === -1 ? isLast : place === repeat.nth.place)
  }
  let day = from
  // A fifth weekday may be missing for two months.
  for (let tried = 0; tried < 100 && !fits(day); tried += 1) day = day.add({ days: 1 })
  return day
}
