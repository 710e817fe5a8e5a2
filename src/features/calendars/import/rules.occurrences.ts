import type { WallTime } from '../../../lib/time/wall-time'
import { MAX_OVERRIDES } from '../../events/overrides/rules'
import type { Texts } from '../../events/events/rules.texts'
import type { Times } from '../../events/events/rules.times'

/** An occurrence that differs from its series. */
export interface ImportedOccurrence {
  readonly wall: WallTime
  readonly isCancelled: boolean
  readonly changes: Partial<Texts>
  /** Null when they are those of the series. */
  readonly times: Times | null
  /** Whether it has a component of its own. */
  readonly isWritten: boolean
}

export const exception = (wall: WallTime): ImportedOccurrence => ({
  wall,
  isCancelled: true,
  changes: {},
  times: null,
  isWritten: false,
})

export const overriding = (wall: WallTime, times: Times | null): ImportedOccurrence => ({
  ...exception(wall),
  isCancelled: false,
  times,
})

/** The occurrences that differ, ascending. Adds a problem and drops the rest when there are too many. */
export function ownOf(
  occurrences: ReadonlyMap<WallTime, ImportedOccurrence>,
  doubt: (problem: string) => void,
): ImportedOccurrence[] {
  const differing = [...occurrences.values()].toSorted((a, b) => a.wall - b.wall)
  if (differing.length > MAX_OVERRIDES) doubt(TOO_MANY_OVERRIDES)
  return differing.slice(0, MAX_OVERRIDES)
}

const TOO_MANY_OVERRIDES = `has more than ${MAX_OVERRIDES} changed or deleted occurrences: the first ${MAX_OVERRIDES} are taken`
