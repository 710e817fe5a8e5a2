import type { PersonView } from '../../features/people/people/model'
import { parseDate } from '../time/parse'
import { nameOf } from './names'

/** A birthday on the wire is `YYYY-MM-DD`, or `--MM-DD` where the year is unknown. */
interface BirthdayParts {
  readonly year: number | undefined
  readonly month: number
  readonly day: number
}

function partsOf(birthday: string): BirthdayParts {
  const [, year = '', month, day] = /^(-|\d{4})-(\d\d)-(\d\d)$/.exec(birthday) ?? []
  return { year: year === '-' ? undefined : Number(year), month: Number(month), day: Number(day) }
}

/** The day on which a birthday is celebrated in a year: 29 February falls on the 28th in common years. */
const celebratedIn = (year: number, { month, day }: BirthdayParts): Temporal.PlainDate =>
  Temporal.PlainDate.from({ year, month, day }, { overflow: 'constrain' })

/** Whole years; undefined where the year of birth is unknown. */
export function ageOn(birthday: string, date: Temporal.PlainDate): number | undefined {
  const parts = partsOf(birthday)
  if (parts.year === undefined) return undefined
  const isStillToCome = Temporal.PlainDate.compare(celebratedIn(date.year, parts), date) > 0
  return date.year - parts.year - (isStillToCome ? 1 : 0)
}

export interface NextBirthday {
  readonly date: Temporal.PlainDate
  /** The age on that day; undefined where the year of birth is unknown. */
  readonly turns: number | undefined
}

/** The next time that a birthday is celebrated, from a day on. */
export function nextBirthday(birthday: string, from: Temporal.PlainDate): NextBirthday {
  const parts = partsOf(birthday)
  const thisYear = celebratedIn(from.year, parts)
  const isOver = Temporal.PlainDate.compare(thisYear, from) < 0
  const date = isOver ? celebratedIn(from.year + 1, parts) : thisYear
  return { date, turns: parts.year === undefined ? undefined : date.year - parts.year }
}

export interface UpcomingBirthday extends NextBirthday {
  readonly person: PersonView
  /** How many days away. */
  readonly inDays: number
}

/** The birthdays from a day to so many days after it, by day and name. */
export function upcomingBirthdays(
  people: readonly PersonView[],
  from: Temporal.PlainDate,
  days: number,
): readonly UpcomingBirthday[] {
  return people
    .flatMap((person) => {
      if (person.birthday === null) return []
      const next = nextBirthday(person.birthday, from)
      const inDays = from.until(next.date).days
      return inDays <= days ? [{ person, inDays, ...next }] : []
    })
    .toSorted((a, b) => a.inDays - b.inDays || nameOf(a.person).localeCompare(nameOf(b.person)))
}

/** "10 December 1985", "10 December": a day that nobody can misread, and that can be typed again as it stands. */
export function shownBirthday(birthday: string, locale: string): string {
  const { year, ...dayOfYear } = partsOf(birthday)
  const date = Temporal.PlainDate.from({ ...dayOfYear, year: year ?? LEAP_YEAR })
  const words = { day: 'numeric', month: 'long' } as const
  return date.toLocaleString(locale, year === undefined ? words : { ...words, year: 'numeric' })
}

const LEAP_YEAR = 2000
/** A date without a year reads as the same day of the year from either of these; a word such as "Monday" does not. */
const [ONE_DAY, ANOTHER] = ['2000-01-01', '2001-02-03'].map((day) => Temporal.PlainDate.from(day))

interface BirthdayForms {
  readonly today: Temporal.PlainDate
  readonly monthFirst: boolean
}

/** Reads a typed birthday, with or without its year; undefined if it is none. */
export function readBirthday(text: string, { today, monthFirst }: BirthdayForms): string | undefined {
  const typed = text.trim()
  const wire = /^--(\d\d)-(\d\d)$/.exec(typed)
  const [one, another] = [ONE_DAY, ANOTHER].map((from) =>
    parseDate(wire ? `${wire[2]}.${wire[1]}.` : typed, { today: from ?? today, monthFirst }),
  )
  if (!one || !another) return undefined
  if (one.equals(another)) return lastCentury(one, typed, today).toString()
  const isOneDay = one.month === another.month && one.day === another.day
  return isOneDay ? `-${one.toString().slice(4)}` : undefined
}

/** A year of two digits that is still to come was meant a hundred years before. */
function lastCentury(date: Temporal.PlainDate, typed: string, today: Temporal.PlainDate): Temporal.PlainDate {
  const isShort = !/\d{4}/.test(typed)
  return isShort && Temporal.PlainDate.compare(date, today) > 0 ? date.subtract({ years: 100 }) : date
}
