/** What the arrows walk over: rows of days, and in each day what stands in it from top to bottom. */
export interface Walkable {
  readonly rows: ReadonlyArray<readonly WalkDay[]>
}

interface WalkDay {
  readonly date: string
  readonly items: ReadonlyArray<{
    readonly key: string
    /** Where it stands in its day, to find its neighbour in the next one. */
    readonly at: number
  }>
}

/** A day, or something in it. */
export interface WalkPlace {
  readonly date: string
  readonly key?: string | undefined
}

export const WALK_KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'] as const
export type WalkKey = (typeof WALK_KEYS)[number]

/** Where a key leads, or by how many days it leaves what is shown. */
export type WalkStep = { readonly to: WalkPlace } | { readonly leaveBy: number } | undefined

/**
 * Up and Down go through the items of a day and on to the day above or below; Left and Right go to the day beside, to what
 * stands nearest there; Home and End, to the ends of the row. Left and Right change sides in right-to-left scripts.
 */
export function walk(grid: Walkable, from: WalkPlace, key: WalkKey, isRtl = false): WalkStep {
  const cell = cellAt(grid, from.date)
  const days = grid.rows[cell.row] ?? []
  const side = isRtl ? -1 : 1
  const steps: Readonly<Record<WalkKey, () => WalkStep>> = {
    Home: () => toDay(days[0]),
    End: () => toDay(days.at(-1)),
    ArrowUp: () => vertical(grid, cell, from, -1),
    ArrowDown: () => vertical(grid, cell, from, 1),
    ArrowLeft: () => sideways(grid, cell, from, side === 1 ? -1 : 1),
    ArrowRight: () => sideways(grid, cell, from, side),
  }
  return steps[key]()
}

function cellAt(grid: Walkable, asked: string): Cell {
  const isHere = ({ date }: WalkDay) => date === asked
  const row = grid.rows.findIndex((days) => days.some(isHere))
  return { row, column: grid.rows[row]?.findIndex(isHere) ?? -1 }
}

const toDay = (day: WalkDay | undefined): WalkStep => day && { to: { date: day.date } }

interface Cell {
  readonly row: number
  readonly column: number
}

function vertical(grid: Walkable, { row, column }: Cell, from: WalkPlace, by: 1 | -1): WalkStep {
  const day = grid.rows[row]?.[column]
  if (!day) return undefined
  const index = day.items.findIndex(({ key }) => key === from.key)
  const next = day.items[index + by]
  if (next) return { to: { date: day.date, key: next.key } }
  if (by < 0 && index === 0) return toDay(day)
  return grid.rows.length === 1 ? undefined : beyond(grid.rows[row + by]?.[column], by)
}

/** The day below, or the last item of the day above. */
function beyond(day: WalkDay | undefined, by: 1 | -1): WalkStep {
  if (!day) return { leaveBy: by * 7 }
  return { to: { date: day.date, key: by < 0 ? day.items.at(-1)?.key : undefined } }
}

function sideways(grid: Walkable, { row, column }: Cell, from: WalkPlace, by: 1 | -1): WalkStep {
  const days = grid.rows.flat()
  const width = grid.rows[0]?.length ?? 0
  const here = days[row * width + column]
  const there = days[row * width + column + by]
  if (!there) return { leaveBy: by }
  const at = here?.items.find(({ key }) => key === from.key)?.at
  if (at === undefined) return toDay(there)
  const nearest = there.items.toSorted((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0]
  return { to: { date: there.date, key: nearest?.key } }
}
