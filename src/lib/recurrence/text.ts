import type { Series } from './recurrence'
import { DAY, dayOf, filled } from './calendar'
import type { Rule, WeekdayRule } from './rule'

const UNITS = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' }
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth']

const join = (words: readonly string[], last = 'and'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`

const SUFFIXES: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }
const plural = new Intl.PluralRules('en', { type: 'ordinal' })

/** `1st`, `22nd`, `13th`. */
const numeral = (number: number) => `${number}${SUFFIXES[plural.select(number)] ?? 'th'}`

const fromEnd = (number: number, name: (number: number) => string) =>
  number === -1 ? 'last' : `${name(-number)} to last`

/** `first`, `20th`, `second to last`. */
const ordinal = (number: number): string =>
  number < 0 ? fromEnd(number, ordinal) : (ORDINALS[number] ?? numeral(number))

/** Positions from the start first, then those from the end. */
const inReadingOrder = (numbers: readonly number[]) => [
  ...numbers.filter((number) => number > 0),
  ...numbers.filter((number) => number < 0),
]

const ordinals = (numbers: readonly number[]) => join(inReadingOrder(numbers).map(ordinal))
const weekdayName = ({ weekday }: WeekdayRule) => WEEKDAYS[weekday - 1] ?? ''
const months = ({ byMonth }: Rule) => join(byMonth.map((month) => MONTHS[month - 1] ?? ''))

/** `31st`, `last day`: days of the month. */
const monthDays = (numbers: readonly number[]) =>
  join(inReadingOrder(numbers).map((day) => (day > 0 ? numeral(day) : `${ordinal(day)} day`)))

/** `Monday and Friday`, `the first and last Sunday`: weekdays without a number come first. */
function weekdays(byDay: readonly WeekdayRule[]): string {
  const everyOne = byDay.filter((day) => day.ordinal === 0).map(weekdayName)
  const fromStart = byDay.filter((day) => day.ordinal > 0)
  const numbered = Map.groupBy(
    [...fromStart, ...byDay.filter((day) => day.ordinal < 0)],
    ({ weekday }) => weekday,
  )
  const phrases = [...numbered.values()].map(
    (days) => `the ${ordinals(days.map((day) => day.ordinal))} ${days.slice(0, 1).map(weekdayName).join('')}`,
  )
  return join([...everyOne, ...phrases])
}

const isNumbered = ({ byDay }: Rule) => byDay.some((day) => day.ordinal !== 0)

/** Whether BYSETPOS selects among the weekdays: `the last Monday, Tuesday or Wednesday`. */
const picksWeekdays = (rule: Rule) =>
  rule.bySetPos.length > 0 &&
  rule.byDay.length > 0 &&
  !isNumbered(rule) &&
  (rule.frequency !== 'YEARLY' || rule.byMonth.length + rule.byWeekNo.length === 1) &&
  [rule.byMonthDay, rule.byYearDay, rule.byHour, rule.byMinute, rule.bySecond].every(
    ({ length }) => length === 0,
  )

const hasDates = ({ byMonthDay, byYearDay }: Rule) => byMonthDay.length + byYearDay.length > 0

function dates({ byMonthDay, byYearDay, byDay }: Rule): string[] {
  const phrases = []
  if (byYearDay.length > 0) phrases.push(`the ${ordinals(byYearDay)} day of the year`)
  if (byMonthDay.length > 0) phrases.push(`the ${monthDays(byMonthDay)}`)
  const named = phrases.join(', when it is ')
  if (byDay.length === 0) return [`on ${named}`]
  const articled = byDay.every((day) => day.ordinal === 0)
    ? `a ${join(byDay.map(weekdayName), 'or')}`
    : weekdays(byDay)
  return [`on ${named}, when it is ${articled}`]
}

/** The days, without their months and weeks. */
function dayWords(rule: Rule): string[] {
  if (hasDates(rule)) return dates(rule)
  if (rule.byDay.length === 0) return []
  if (!picksWeekdays(rule)) return [`on ${weekdays(rule.byDay)}`]
  return [`on the ${ordinals(rule.bySetPos)} ${join(rule.byDay.map(weekdayName), 'or')}`]
}

/** The weeks and months. Dates and numbered weekdays of a yearly rule are `of` a month, all others `in` it. */
function scope(rule: Rule): string[] {
  const phrases = []
  if (rule.byWeekNo.length > 0) phrases.push(`in the ${ordinals(rule.byWeekNo)} week`)
  const isOf = rule.frequency === 'YEARLY' && (rule.byMonthDay.length > 0 || isNumbered(rule))
  if (rule.byMonth.length > 0) phrases.push(`${isOf ? 'of' : 'in'} ${months(rule)}`)
  else if (rule.frequency === 'YEARLY') {
    if (rule.byMonthDay.length > 0) phrases.push('of every month')
    else if (isNumbered(rule)) phrases.push('of the year')
  }
  return phrases
}

/** `29 February`, for a yearly rule as simple as that. */
function anniversary(rule: Rule): string[] | undefined {
  const [day = 0, ...otherDays] = rule.byMonthDay
  const isPlain =
    rule.byMonth.length === 1 &&
    otherDays.length === 0 &&
    [rule.byDay, rule.byWeekNo, rule.byYearDay, rule.bySetPos].every(({ length }) => length === 0)
  return rule.frequency === 'YEARLY' && isPlain && day > 0 ? [`on ${day} ${months(rule)}`] : undefined
}

const two = (number: number) => String(number).padStart(2, '0')

/** The times of day of `full`, a filled rule; many are only counted. */
function times(rule: Rule, full: Rule): string[] {
  if (rule.byHour.length + rule.byMinute.length + rule.bySecond.length === 0) return []
  const { byHour, byMinute, bySecond } = full
  const count = byHour.length * byMinute.length * bySecond.length
  if (count > 12) return [`at ${count} times of day`]
  const seconds = (second: number) => (rule.bySecond.length > 0 ? `:${two(second)}` : '')
  const all = byHour.flatMap((hour) =>
    byMinute.flatMap((minute) => bySecond.map((second) => `${two(hour)}:${two(minute)}${seconds(second)}`)),
  )
  return [`at ${join(all)}`]
}

function formatDay(day: number): string {
  const date = new Date(day * DAY)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

function end({ rule: { count, until }, clock }: Series<Date> | Series<string>): string {
  if (count !== undefined) return count === 1 ? ', once' : `, ${count} times`
  if (until === undefined) return ''
  return `, until ${formatDay(dayOf(until.form === 'instant' ? clock.bounds(until.at).latest : until.at))}`
}

/** Describes the recurrence in words, such as `Every 2 weeks on Monday and Friday, until 3 March 2027`. */
export function describeSeries(series: Series<Date> | Series<string>): string {
  const { rule, first } = series
  const full = filled(rule, first)
  const dayRule = { ...full, byHour: rule.byHour, byMinute: rule.byMinute, bySecond: rule.bySecond }
  const unit = UNITS[rule.frequency]
  const every = rule.interval === 1 ? `Every ${unit}` : `Every ${rule.interval} ${unit}s`
  const words = [
    every,
    ...(anniversary(dayRule) ?? [...dayWords(dayRule), ...scope(dayRule)]),
    ...times(rule, full),
  ].join(' ')
  const isPicked = rule.bySetPos.length > 0 && !picksWeekdays(dayRule)
  return `${words}${isPicked ? `, only the ${ordinals(rule.bySetPos)} of each ${unit}` : ''}${end(series)}`
}
