import { every, nthOf, type Repeat, WORKDAYS } from './rule'

/** The repetitions that are likely for a day, most likely first; the day itself is their first occurrence. */
export function presetsFor(day: Temporal.PlainDate): readonly Repeat[] {
  const { place, weekday, isLast } = nthOf(day)
  const nth = (at: number): Repeat => ({ ...every('MONTHLY'), nth: { place: at, weekday } })
  return [
    every('DAILY'),
    ...(weekday <= 5 ? [{ ...every('WEEKLY'), weekdays: WORKDAYS }] : []),
    { ...every('WEEKLY'), weekdays: [weekday] },
    { ...every('WEEKLY', 2), weekdays: [weekday] },
    every('MONTHLY'),
    ...(place <= 4 ? [nth(place)] : []),
    ...(isLast ? [nth(-1)] : []),
    every('YEARLY'),
  ]
}
