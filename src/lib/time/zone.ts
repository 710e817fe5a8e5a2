import { perZone } from './zone-names'

/** A period of time between two changes of a zone's offset: from inclusive, to exclusive, in epoch milliseconds. */
interface Period {
  readonly from: number
  readonly to: number
  /** How far clocks are ahead of UTC meanwhile, in milliseconds. */
  readonly offset: number
}

/** The periods that were asked for; there are few of them, and lists ask for the same thousands of times. */
const periodsOf = perZone((): Period[] => [])

const zonedAt = (zone: string, epochMs: number) =>
  Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone)

function periodAt(zone: string, epochMs: number): Period {
  const periods = periodsOf(zone)
  for (const period of periods) if (epochMs >= period.from && epochMs < period.to) return period
  const zoned = zonedAt(zone, epochMs)
  const period = {
    // The transition before the next millisecond: one at this very instant has begun the period.
    from: zonedAt(zone, epochMs + 1).getTimeZoneTransition('previous')?.epochMilliseconds ?? -Infinity,
    to: zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity,
    offset: zoned.offsetNanoseconds / 1_000_000,
  }
  periods.unshift(period)
  return period
}

/** How far clocks in `zone` are ahead of UTC at an instant, in milliseconds. */
export const offsetMs = (zone: string, epochMs: number): number => periodAt(zone, epochMs).offset

/** What clocks in `zone` show at an instant, in milliseconds as if in UTC. */
export const wallAt = (zone: string, epochMs: number): number => epochMs + offsetMs(zone, epochMs)

/** No clock is further from UTC than 16 hours, either way. */
const MAX_OFFSET_MS = 57_600_000

/**
 * The instant at which clocks in `zone` show `wall` (milliseconds, as if in UTC): one that they skip moves forward by the gap, one
 * that they show twice is the first. Temporal is asked only near a change of the offset.
 */
export function instantAt(zone: string, wall: number): number {
  const { offset, to } = periodAt(zone, wall - MAX_OFFSET_MS)
  if (wall + MAX_OFFSET_MS < to) return wall - offset
  const plain = zonedAt('UTC', wall).toPlainDateTime()
  return plain.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds
}
