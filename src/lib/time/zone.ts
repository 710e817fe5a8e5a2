import { perZone } from './zone-names'

/** A stretch of time between two changes of a zone's offset: from inclusive, to exclusive, in epoch milliseconds. */
interface Stretch {
  readonly from: number
  readonly to: number
  /** How far clocks are ahead of UTC meanwhile, in milliseconds. */
  readonly offset: number
}

/** The stretches that were asked for; there are few of them, and lists ask for the same thousands of times. */
const stretchesOf = perZone((): Stretch[] => [])

const zonedAt = (zone: string, epochMs: number) =>
  Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone)

function stretchAt(zone: string, epochMs: number): Stretch {
  const stretches = stretchesOf(zone)
  for (const stretch of stretches) if (epochMs >= stretch.from && epochMs < stretch.to) return stretch
  const zoned = zonedAt(zone, epochMs)
  const stretch = {
    // The transition before the next millisecond: one at this very instant has begun the stretch.
    from: zonedAt(zone, epochMs + 1).getTimeZoneTransition('previous')?.epochMilliseconds ?? -Infinity,
    to: zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity,
    offset: zoned.offsetNanoseconds / 1_000_000,
  }
  stretches.unshift(stretch)
  return stretch
}

/** How far clocks in `zone` are ahead of UTC at an instant, in milliseconds. */
export const offsetMs = (zone: string, epochMs: number): number => stretchAt(zone, epochMs).offset

/** What clocks in `zone` show at an instant, in milliseconds as if in UTC. */
export const wallAt = (zone: string, epochMs: number): number => epochMs + offsetMs(zone, epochMs)

/** No clock is further from UTC than 16 hours, either way. */
const MAX_OFFSET_MS = 57_600_000

/**
 * The instant at which clocks in `zone` show `wall` (milliseconds, as if in UTC): one that they skip moves forward by the gap, one
 * that they show twice is the first. Temporal is asked only near a change of the offset.
 */
export function instantAt(zone: string, wall: number): number {
  const { offset, to } = stretchAt(zone, wall - MAX_OFFSET_MS)
  if (wall + MAX_OFFSET_MS < to) return wall - offset
  const plain = zonedAt('UTC', wall).toPlainDateTime()
  return plain.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds
}
