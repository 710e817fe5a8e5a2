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
  /** In order and apart, as `united` makes them. */
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
  const otherwise = isKnown ? 'free' : 'unknown'
  let next = 0
  return starts.map((start) => {
    while ((busy[next]?.end ?? Infinity) <= start) next++
    return (busy[next]?.start ?? Infinity) < start + length ? 'busy' : otherwise
  })
}

/** The lower the better: those who are busy count before those of whom nothing is known. */
function ranksOf(others: readonly Attendee[], starts: readonly number[], length: number): number[] {
  const weight = { busy: others.length + 1, unknown: 1, free: 0 }
  const ranks = starts.map(() => 0)
  for (const person of others)
    for (const [index, state] of statesOf(person, starts, length).entries())
      ranks[index] = (ranks[index] ?? 0) + weight[state]
  return ranks
}

/** Puts the starts of times that do not overlap an earlier one before the others. */
function spread(starts: readonly number[], length: number): number[] {
  let end = -Infinity
  const { apart = [], beside = [] } = Object.groupBy(starts, (start) => {
    if (start < end) return 'beside'
    end = start + length
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
  const ranks = ranksOf(others, open, length)
  const byRank = [...Map.groupBy(open.entries(), ([index]) => ranks[index] ?? 0)]
  const chosen: number[] = []
  for (const [, equal] of byRank.toSorted(([one], [other]) => one - other)) {
    const best = spread(
      equal.map(([, start]) => start),
      length,
    )
    chosen.push(...best.slice(0, MAX_PROPOSALS - chosen.length).toSorted((a, b) => a - b))
    if (chosen.length === MAX_PROPOSALS) break
  }
  return chosen.map((from) => {
    const states = others.map((person) => [person.userId, ...statesOf(person, [from], length)] as const)
    const those = (wanted: State) => states.flatMap(([id, state]) => (state === wanted ? id : []))
    return {
      from,
      to: from + length,
      free: [caller.userId, ...those('free')],
      busy: those('busy'),
      unknown: those('unknown'),
    }
  })
}
