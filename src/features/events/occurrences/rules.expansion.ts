import type { WallTime } from '../../../lib/time/wall-time'
import type { Series } from '../events/rules.recurrence'
import { type Times, timesAt } from '../events/rules.times'

/** How the occurrences of a series differ from it, by original start. */
export interface Differences<Override extends { readonly isCancelled: boolean }, Response> {
  readonly overrides: ReadonlyMap<WallTime, Override>
  /** The user's answers to single occurrences. */
  readonly responses: ReadonlyMap<WallTime, Response>
}

/** An occurrence of a series that takes place. */
export interface Expanded<Override, Response> {
  /** The original start, which identifies it. */
  readonly wall: WallTime
  /** The times without the override. */
  readonly original: Times
  readonly override: Override | undefined
  readonly response: Response | undefined
}

/** The part of a series to expand. */
export interface Part {
  readonly starts: IteratorObject<WallTime>
  /** The most of these starts; with 0, only occurrences that differ are expanded. */
  readonly most: number
  /** The range of the starts, both ends included. */
  readonly range: { readonly from: WallTime; readonly to: WallTime }
}

/**
 * Yields the occurrences of a series, and undefined for each exception, so that the caller can pause: those at the first `most`
 * starts, then those with an override, wherever they start, then answered ones in the range that `most` cut off.
 */
export function* expandSeries<Override extends { readonly isCancelled: boolean }, Response>(
  series: Series,
  differences: Differences<Override, Response>,
  part: Part,
): Generator<Expanded<Override, Response> | undefined, void, void> {
  const { overrides, responses } = differences
  for (const wall of wallsOf(series, differences, part)) {
    const override = overrides.get(wall)
    yield override?.isCancelled
      ? undefined
      : { wall, original: timesAt(series.first, wall), override, response: responses.get(wall) }
  }
}

function* wallsOf(
  series: Series,
  { overrides, responses }: Differences<{ readonly isCancelled: boolean }, unknown>,
  { starts, most, range }: Part,
): Generator<WallTime, void, void> {
  const known = new Set<WallTime>()
  for (const wall of most > 0 ? starts.take(most) : []) {
    known.add(wall)
    yield wall
  }
  yield* overrides.keys().filter((wall) => !known.has(wall))
  if (known.size < most) return
  const isLeft = (wall: WallTime) => !known.has(wall) && !overrides.has(wall)
  const isWithin = (wall: WallTime) => wall >= range.from && wall <= range.to
  yield* responses.keys().filter((wall) => isLeft(wall) && isWithin(wall) && series.has(wall))
}
