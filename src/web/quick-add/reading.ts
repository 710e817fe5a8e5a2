import type { Surroundings } from './grammar'

type Day = Temporal.PlainDate

/** A day of a month, undefined where there is none such. A year of two figures is one of this century. */
export function dayOf(year: number, month: number, day: number): Day | undefined {
  const full = year < 100 ? 2000 + year : year
  try {
    return Temporal.PlainDate.from({ year: full, month, day }, { overflow: 'reject' })
  } catch {
    return undefined
  }
}

/** The day of a month in the given year, or the next one that is not before today. */
export function nextDay({ today }: Surroundings, month: number, day: number, year?: string): Day | undefined {
  if (year !== undefined) return dayOf(Number(year), month, day)
  // 29 February may be eight years away.
  const years = Array.from({ length: 9 }, (_, ahead) => today.year + ahead)
  return years.map((each) => dayOf(each, month, day)).find((found) => found && !isBefore(found, today))
}

/** The next day with that number that is not before today. */
export function nextNumbered({ today }: Surroundings, day: number): Day | undefined {
  const months = Array.from({ length: 3 }, (_, ahead) => today.with({ day: 1 }).add({ months: ahead }))
  return months
    .map(({ year, month }) => dayOf(year, month, day))
    .find((found) => found && !isBefore(found, today))
}

/** The next such weekday, today included; with `isNextWeek`, that of the week after this. */
export function nextWeekday({ today }: Surroundings, weekday: number, isNextWeek = false): Day {
  if (isNextWeek) return today.add({ days: 7 - today.dayOfWeek + weekday })
  return today.add({ days: (weekday - today.dayOfWeek + 7) % 7 })
}

const isBefore = (a: Day, b: Day) => Temporal.PlainDate.compare(a, b) < 0

/** A later year for the end of a span that was given without one. */
export function spanOf(from: Day, to: Day): { readonly from: Day; readonly to: Day } | undefined {
  const end = isBefore(to, from) && to.until(from).days < 366 ? later(to, from) : to
  const days = from.until(end).days
  return days > 0 && days < 366 ? { from, to: end } : undefined
}

const later = (to: Day, from: Day) => (to.until(from).days < 7 ? to.add({ days: 7 }) : to.add({ years: 1 }))

export function timeOf(hour: number, minute = 0): Temporal.PlainTime | undefined {
  const isTime = hour >= 0 && minute >= 0 && minute < 60 && (hour < 24 || (hour === 24 && minute === 0))
  return isTime ? Temporal.PlainTime.from({ hour: hour % 24, minute }) : undefined
}

/** An hour that says neither am nor pm: nobody means 3 in the morning. */
export const usualHour = (hour: number): number => (hour >= 1 && hour <= 6 ? hour + 12 : hour)

const DAY_MINUTES = 24 * 60

/** A number of minutes from now, within a day: the whole minute then. */
export function minutesFromNow({ now }: Surroundings, minutes: number): Temporal.PlainTime | undefined {
  if (!(minutes >= 1 && minutes < DAY_MINUTES)) return undefined
  return now.add({ minutes: Math.round(minutes) }).round('minute')
}
