import { perZone } from './zone-names'

/** A span between two changes of a zone's offset: from inclusive, to exclusive, in epoch milliseconds. */
interface Period {
  readonly from: number
  readonly to: number
  /** The offset from UTC during it, in milliseconds. */
  readonly offset: number
}

/** Caches the periods that were needed: there are few of them, and lists need the same ones thousands of times. */
const periodsOf = perZone((): Period[] => [])

const zonedAt = (zone: string, epochMs: number) =>
  Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone)

function periodAt(zone: string, epochMs: number): Period {
  const periods = periodsOf(zone)
  for (const period of periods) if (epochMs >= period.from && epochMs < period.to) return period
  const zoned = zonedAt(zone, epochMs)
  const period = {
    // Looks back from the next millisecond, so that a transition at this very instant counts.
    from: zonedAt(zone, epochMs + 1).getTimeZoneTransition('previous')?.epochMilliseconds ?? -Infinity,
    to: zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity,
    offset: zoned.offsetNanoseconds / 1_000_000,
  }
  periods.unshift(period)
  return period
}

/** The offset of `zone` from UTC at an instant, in milliseconds. */
export const offsetMs = (zone: string, epochMs: number): number => periodAt(zone, epochMs).offset

/** The local time in `zone` at an instant, in milliseconds as if in UTC. */
export const wallAt = (zone: string, epochMs: number): number => epochMs + offsetMs(zone, epochMs)

/** The largest offset of any zone from UTC is less than 16 hours. */
const MAX_OFFSET_MS = 57_600_000

/**
 * The instant of the local time `wall` in `zone` (milliseconds, as if in UTC): a skipped time moves forward by the gap, and of
 * a repeated one the first counts. Uses Temporal, which is slow, only near a change of the offset.
 */
export function instantAt(zone: string, wall: number): number {
  const { offset, to } = periodAt(zone, wall - MAX_OFFSET_MS)
  if (wall + MAX_OFFSET_MS < to) return wall - offset
  const plain = zonedAt('UTC', wall).toPlainDateTime()
  return plain.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds
}
