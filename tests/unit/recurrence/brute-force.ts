import type { Rule } from '../../../src/lib/recurrence/rule'

// Slow and plain on purpose: it walks every day from before DTSTART on and tests each BY part by its sentence in RFC 5545, section 3.3.10.

const factsOf = (day: Temporal.PlainDate, number: number) => ({
  number,
  iso: day.toString(),
  year: day.year,
  month: day.month,
  monthDay: day.day,
  daysInMonth: day.daysInMonth,
  yearDay: day.dayOfYear,
  daysInYear: day.daysInYear,
  weekday: day.dayOfWeek,
})

type Day = ReturnType<typeof factsOf>

const FIRST_YEAR = 1960
const CALENDAR: Day[] = []
for (let day = Temporal.PlainDate.from({ year: FIRST_YEAR, month: 1, day: 1 }); day.year < 2150;) {
  CALENDAR.push(factsOf(day, CALENDAR.length))
  day = day.add({ days: 1 })
}
const NUMBERS = new Map(CALENDAR.map(({ iso, number }) => [iso, number]))

const dayAt = (number: number): Day => {
  const day = CALENDAR[number]
  if (!day) throw new RangeError('outside the calendar of the brute-force expander')
  return day
}

/** The first day of the week that the day is in. */
function weekStart(day: Day, { weekStart: start }: Rule): Day {
  let first = day
  while (first.weekday !== start) first = dayAt(first.number - 1)
  return first
}

/** A week belongs to the year that has four of its days, and thus the fourth. */
const fourthOfWeek = (day: Day, rule: Rule): Day => dayAt(weekStart(day, rule).number + 3)

/** Whether the part is absent or has the position. */
const has = (list: readonly number[], fromStart: number, fromEnd: number) =>
  list.length === 0 || list.includes(fromStart) || list.includes(-fromEnd)

const nth = (position: number) => Math.ceil(position / 7)

function isNamedByWeekday(day: Day, rule: Rule): boolean {
  const inYear = rule.frequency === 'YEARLY' && rule.byMonth.length === 0
  const [position, length] = inYear ? [day.yearDay, day.daysInYear] : [day.monthDay, day.daysInMonth]
  return rule.byDay.some(
    ({ weekday, ordinal }) =>
      weekday === day.weekday &&
      (ordinal === 0 || ordinal === nth(position) || -ordinal === nth(length - position + 1)),
  )
}

function isNamedByWeek(day: Day, rule: Rule): boolean {
  const { yearDay, daysInYear } = fourthOfWeek(day, rule)
  return has(rule.byWeekNo, nth(yearDay), nth(daysInYear - yearDay + 1))
}

function isNamed(day: Day, rule: Rule, start: Day): boolean {
  const { byMonth, byWeekNo, byYearDay, byMonthDay, byDay } = rule
  if (byMonth.length > 0 && !byMonth.includes(day.month)) return false
  if (!has(byMonthDay, day.monthDay, day.daysInMonth - day.monthDay + 1)) return false
  if (!has(byYearDay, day.yearDay, day.daysInYear - day.yearDay + 1)) return false
  if (byDay.length > 0 && !isNamedByWeekday(day, rule)) return false
  if (byWeekNo.length > 0 && !isNamedByWeek(day, rule)) return false
  return isLikeStart(day, rule, start)
}

/** What the rule does not name is DTSTART's. */
function isLikeStart(day: Day, rule: Rule, start: Day): boolean {
  const { byMonth, byWeekNo, byYearDay, byMonthDay, byDay, frequency } = rule
  if (frequency === 'DAILY' || byDay.length + byMonthDay.length + byYearDay.length > 0) return true
  if (frequency === 'WEEKLY' || byWeekNo.length > 0) return day.weekday === start.weekday
  if (frequency === 'YEARLY' && byMonth.length === 0 && day.month !== start.month) return false
  return day.monthDay === start.monthDay
}

/** The number of the period that the day is in; those that differ by a multiple of INTERVAL count. */
function periodOf(day: Day, rule: Rule): number {
  if (rule.frequency === 'DAILY') return day.number
  if (rule.frequency === 'WEEKLY') return Math.floor(weekStart(day, rule).number / 7)
  if (rule.frequency === 'MONTHLY') return day.year * 12 + day.month
  return rule.byWeekNo.length > 0 ? fourthOfWeek(day, rule).year : day.year
}

function timesOf(rule: Rule, start: Temporal.PlainDateTime): string[] {
  const or = (list: readonly number[], value: number) => (list.length > 0 ? list : [value])
  const two = (value: number) => String(value).padStart(2, '0')
  return or(rule.byHour, start.hour).flatMap((hour) =>
    or(rule.byMinute, start.minute).flatMap((minute) =>
      or(rule.bySecond, start.second).map((second) => `${two(hour)}:${two(minute)}:${two(second)}`),
    ),
  )
}

/** The wall times of the rule after `start` and before the year `endYear`, and how many days it named at all. */
function wallsOf(rule: Rule, start: Temporal.PlainDateTime, endYear: number): string[] {
  const first = dayAt(NUMBERS.get(start.toPlainDate().toString()) ?? -1)
  const times = timesOf(rule, start)
  const periods = new Map<number, string[]>()
  // A year made of weeks that begins before the end has days after it, and BYSETPOS counts them too.
  for (let number = first.number - 400; dayAt(number).year <= endYear + 1; number++) {
    const day = dayAt(number)
    if (!isNamed(day, rule, first)) continue
    const period = periodOf(day, rule)
    if ((period - periodOf(first, rule)) % rule.interval !== 0) continue
    periods.set(period, [...(periods.get(period) ?? []), ...times.map((time) => `${day.iso}T${time}`)])
  }
  const isKept = (index: number, size: number) => has(rule.bySetPos, index + 1, size - index)
  return [...periods.values()]
    .flatMap((set) => set.filter((_, index) => isKept(index, set.length)))
    .filter((wall) => wall > start.toString({ smallestUnit: 'second' }) && wall < `${endYear}`)
}

const epoch = (zone: string, wall: string) =>
  Temporal.PlainDateTime.from(wall).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds

function isWithin(rule: Rule, zone: string | undefined, wall: string): boolean {
  if (!rule.until) return true
  const { form, at } = rule.until
  const until = new Date(at).toISOString()
  if (form === 'date' || zone === undefined) return wall.slice(0, 10) <= until.slice(0, 10)
  return form === 'local' ? wall <= until.slice(0, 19) : epoch(zone, wall) <= at
}

/** Whether the rule, without COUNT and UNTIL, names anything from `start` on. */
export const namesAnything = (rule: Rule, start: Temporal.PlainDateTime, endYear: number): boolean =>
  wallsOf(rule, start.subtract({ seconds: 1 }), endYear).length > 0

/** Every start before the year `endYear`, as milliseconds of the epoch; without a zone, all-day. */
export function bruteForce(
  rule: Rule,
  start: Temporal.PlainDateTime,
  zone: string | undefined,
  endYear: number,
): number[] {
  const instant = (wall: string) => epoch(zone ?? 'UTC', wall)
  const first = instant(start.toString())
  const walls = wallsOf(rule, start, endYear)
    .filter((wall) => isWithin(rule, zone, wall))
    .slice(0, rule.count === undefined ? undefined : rule.count - 1)
  const later = walls.map(instant).filter((at) => at > first)
  return [...new Set([first, ...later])].toSorted((a, b) => a - b)
}
