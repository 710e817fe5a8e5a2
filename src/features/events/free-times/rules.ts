/** A part of time, in epoch milliseconds; the end is exclusive. */
export interface BusySpan {
  readonly start: number
  readonly end: number
}

/** Somebody for whom a time is sought. */
export interface Attendee {
  readonly userId: number
  /** Whether a calendar tells when they are free. */
  readonly isKnown: boolean
  readonly busy: readonly BusySpan[]
}

/** A time, and for whom it is free. */
export interface Proposal {
  /** In epoch milliseconds. */
  readonly from: number
  readonly to: number
  /** Ids of users. */
  readonly free: readonly number[]
  readonly busy: readonly number[]
  readonly unknown: readonly number[]
}

export const MAX_PROPOSALS = 20

/** Unites spans that overlap or touch, in order; those without a length take up no time. */
export function united(spans: readonly BusySpan[]): BusySpan[] {
  const found: BusySpan[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (end <= start) continue
    const last = found.at(-1)
    if (last && start <= last.end)
      found[found.length - 1] = { start: last.start, end: Math.max(last.end, end) }
    else found.push({ start, end })
  }
  return found
}

type State = 'free' | 'busy' | 'unknown'

/** Whether somebody is free during the length that follows each of the ascending starts. */
function statesOf({ busy, isKnown }: Attendee, starts: readonly number[], length: number): State[] {
  const spans = united(busy)
  const otherwise = isKnown ? 'free' : 'unknown'
  let next = 0
  return starts.map((start) => {
    while ((spans[next]?.end ?? Infinity) <= start) next++
    return (spans[next]?.start ?? Infinity) < start + length ? 'busy' : otherwise
  })
}

/** Puts the times that do not overlap an earlier one before the others. */
function spread<T extends { readonly from: number; readonly to: number }>(times: readonly T[]): T[] {
  let end = -Infinity
  const { apart = [], beside = [] } = Object.groupBy(times, ({ from, to }) => {
    if (from < end) return 'beside'
    end = to
    return 'apart'
  })
  return [...apart, ...beside]
}

/**
 * Proposes times of a length, in milliseconds, at which the caller is free, at most 20 (contract: events.free-times). They are
 * sorted by how many are busy, then unknown, then by time. Of more than 20 that are as good, those that overlap an earlier one are
 * left out first.
 * @param starts ascending, in epoch milliseconds
 */
export function propose(
  caller: Attendee,
  others: readonly Attendee[],
  starts: readonly number[],
  length: number,
): Proposal[] {
  const own = statesOf(caller, starts, length)
  const open = starts.filter((_, index) => own[index] === 'free')
  const states = others.map((person) => [person.userId, statesOf(person, open, length)] as const)
  const times = open.map((from, index) => {
    const count = (wanted: State) => states.filter(([, state]) => state[index] === wanted).length
    const rank = count('busy') * (others.length + 1) + count('unknown')
    return { from, to: from + length, index, rank }
  })
  const byRank = [...Map.groupBy(times, ({ rank }) => rank)].toSorted(([one], [other]) => one - other)
  const chosen: typeof times = []
  for (const [, equal] of byRank) {
    const best = spread(equal).slice(0, MAX_PROPOSALS - chosen.length)
    chosen.push(...best.toSorted((one, other) => one.from - other.from))
    if (chosen.length === MAX_PROPOSALS) break
  }
  return chosen.map(({ from, to, index }) => {
    const those = (wanted: State) => states.flatMap(([id, state]) => (state[index] === wanted ? id : []))
    return {
      from,
      to,
      free: [caller.userId, ...those('free')],
      busy: those('busy'),
      unknown: those('unknown'),
    }
  })
}
