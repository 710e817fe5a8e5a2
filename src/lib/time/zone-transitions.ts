import { perZone } from './zone-names'

/** A change of a zone's clocks; milliseconds. */
export interface Transition {
  readonly at: number
  /** The offsets from UTC before and after it. */
  readonly from: number
  readonly to: number
  /** Whether it starts daylight saving, so that clocks go back within a year. */
  readonly isDaylight: boolean
}

interface Transitions {
  /** The offset from UTC at the beginning of 1900. */
  readonly first: number
  readonly changes: readonly Transition[]
}

const [FIRST, LAST] = [Date.UTC(1900, 0, 1), Date.UTC(2201, 0, 2)]
const YEAR_MS = 366 * 86_400_000

const offsetOf = (zoned: Temporal.ZonedDateTime) => zoned.offsetNanoseconds / 1_000_000

/** All clock changes of a zone from 1900 to 2200. Slow to compute, so cached. */
export const transitionsOf = perZone(find)

function find(zone: string): Transitions {
  const start = Temporal.Instant.fromEpochMilliseconds(FIRST).toZonedDateTimeISO(zone)
  const changes: Array<Omit<Transition, 'isDaylight'>> = []
  let offset = offsetOf(start)
  for (let next = start.getTimeZoneTransition('next'); next; next = next.getTimeZoneTransition('next')) {
    if (next.epochMilliseconds > LAST) break
    const to = offsetOf(next)
    if (to !== offset) changes.push({ at: next.epochMilliseconds, from: offset, to })
    offset = to
  }
  return {
    first: offsetOf(start),
    changes: changes.map((change, index) => {
      const after = changes[index + 1]
      const isShort = after !== undefined && after.at - change.at < YEAR_MS
      return { ...change, isDaylight: change.to > change.from && isShort && after.to < after.from }
    }),
  }
}
