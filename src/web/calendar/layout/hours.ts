import type { DaySpan } from '../../time/days'

const HOUR_MINUTES = 60
const MINUTE_MS = 60_000

/** One row of a day's grid. */
export interface HourRow {
  readonly startMs: number
  /** From the beginning of the day, as time really passes. */
  readonly top: number
  /** 60; less for the last row of a day that ends within an hour. */
  readonly minutes: number
}

/** The hours that really pass in a day: 23 or 25 rows where the clocks change (contract: web.true-days). */
export function hourRows({ startMs, minutes }: DaySpan): readonly HourRow[] {
  const count = Math.ceil(minutes / HOUR_MINUTES)
  return Array.from({ length: count }, (_, index) => {
    const top = index * HOUR_MINUTES
    return { startMs: startMs + top * MINUTE_MS, top, minutes: Math.min(HOUR_MINUTES, minutes - top) }
  })
}

/** The minute of a day at which something happens, held within the day. */
export const minuteIn = ({ startMs, minutes }: DaySpan, atMs: number): number =>
  Math.min(Math.max((atMs - startMs) / MINUTE_MS, 0), minutes)
