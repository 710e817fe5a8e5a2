import type { DaySpan } from '../../time/days'
import { minuteIn } from './hours'

/** What is shorter takes this much room all the same, so that its title can be read and hit. */
export const SHORTEST_MINUTES = 30

interface Timed {
  readonly startMs: number
  readonly endMs: number
}

/** Where an occurrence stands in the column of a day. */
export interface ColumnPlace<T> {
  readonly item: T
  /** Minutes from the top of the day, and how many it covers. */
  readonly top: number
  readonly length: number
  /** The first of the side-by-side columns that it covers, from 0; how many it covers; how many there are. */
  readonly column: number
  readonly width: number
  readonly columns: number
}

interface Draft<T> {
  readonly item: T
  readonly top: number
  readonly end: number
  column: number
}

/** Places what happens in a day: what overlaps stands side by side, each as wide as its neighbours leave room for. */
export function placeInColumns<T extends Timed>(
  items: readonly T[],
  day: DaySpan,
): readonly ColumnPlace<T>[] {
  const drafts = items
    .map((item) => draftOf(item, day))
    .toSorted((a, b) => a.top - b.top || b.end - a.end || a.item.startMs - b.item.startMs)
  return clustersOf(drafts).flatMap(placeCluster)
}

function draftOf<T extends Timed>(item: T, day: DaySpan): Draft<T> {
  const start = minuteIn(day, item.startMs)
  const top = Math.min(start, day.minutes - SHORTEST_MINUTES)
  return { item, top, end: Math.max(minuteIn(day, item.endMs), top + SHORTEST_MINUTES), column: 0 }
}

/** Splits what is sorted by its start into groups that share no time. */
function clustersOf<T>(drafts: readonly Draft<T>[]): Draft<T>[][] {
  const clusters: Draft<T>[][] = []
  let end = -1
  for (const draft of drafts) {
    if (draft.top >= end) clusters.push([])
    clusters.at(-1)?.push(draft)
    end = Math.max(end, draft.end)
  }
  return clusters
}

function placeCluster<T>(cluster: Draft<T>[]): ColumnPlace<T>[] {
  const columns: Draft<T>[][] = []
  for (const draft of cluster) {
    const free = columns.findIndex((column) => (column.at(-1)?.end ?? 0) <= draft.top)
    draft.column = free < 0 ? columns.length : free
    const column = (columns[draft.column] ??= [])
    column.push(draft)
  }
  return cluster.map((draft) => ({
    item: draft.item,
    top: draft.top,
    length: draft.end - draft.top,
    column: draft.column,
    width: widthOf(draft, columns),
    columns: columns.length,
  }))
}

/** How many columns to its right nothing else needs while it lasts, with its own. */
function widthOf<T>({ column, top, end }: Draft<T>, columns: readonly Draft<T>[][]): number {
  const right = columns.slice(column + 1)
  const taken = right.findIndex((others) => others.some((other) => other.top < end && other.end > top))
  return 1 + (taken < 0 ? right.length : taken)
}
