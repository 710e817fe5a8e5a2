import { addDaysTo, daysBetween } from './wall-time'

/** Splits `YYYY-MM-DD`, or `--MM-DD` without a year. */
function parts(birthday: string): { readonly year: number | null; readonly monthDay: string } {
  const year = birthday.startsWith('-') ? null : Number(birthday.slice(0, 4))
  return { year, monthDay: birthday.slice(-5) }
}

/**
 * The day on which a birthday is celebrated in `year`: 29 February falls on the 28th in common years
 * (contract: events.birthdays).
 */
function dayInYear(monthDay: string, year: number): string {
  return Temporal.PlainDate.from(`2000-${monthDay}`).with({ year }).toString()
}

const yearOf = (day: string) => Number(day.slice(0, 4))

/** The age in whole years on `today`; null without a year, and before the birth. */
export function ageOn(birthday: string | null, today: string): number | null {
  if (birthday === null) return null
  const { year, monthDay } = parts(birthday)
  if (year === null || birthday > today) return null
  const had = dayInYear(monthDay, yearOf(today)) <= today
  return yearOf(today) - year - (had ? 0 : 1)
}

const LEAP_DAY = '02-29'
const LEAP_YEAR_DAYS = 366

/**
 * The `MM-DD` of all birthdays celebrated from one day to another, both inclusive; undefined when every day of the year is
 * possible.
 */
export function monthDaysBetween(from: string, to: string): readonly string[] | undefined {
  const days = daysBetween(from, to) + 1
  if (days >= LEAP_YEAR_DAYS) return undefined
  const monthDays = Array.from({ length: days }, (_, index) => addDaysTo(from, index).slice(5))
  return monthDays.includes('02-28') ? [...monthDays, LEAP_DAY] : monthDays
}

export interface Celebration {
  readonly date: string
  /** The age on that day; null without a year. */
  readonly turns: number | null
}

/** The days from `from` to `to`, both inclusive, on which the birthday is celebrated, without those before the birth. */
export function celebrationsBetween(birthday: string, from: string, to: string): Celebration[] {
  const { year, monthDay } = parts(birthday)
  const years = Array.from({ length: yearOf(to) - yearOf(from) + 1 }, (_, index) => yearOf(from) + index)
  return years
    .filter((candidate) => year === null || candidate >= year)
    .map((candidate) => ({
      date: dayInYear(monthDay, candidate),
      turns: year === null ? null : candidate - year,
    }))
    .filter(({ date }) => date >= from && date <= to)
}
