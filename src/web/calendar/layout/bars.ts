/** What covers whole days. Days are numbers that go up by one each day. */
interface Spanning {
  readonly firstDay: number
  /** Inclusive. */
  readonly lastDay: number
}

/** Where a bar stands in a row of days. */
export interface Bar<T> {
  readonly item: T
  /** From 0 at the top. */
  readonly row: number
  /** The first day of the row of days that it covers, from 0, and how many. */
  readonly column: number
  readonly width: number
  readonly beginsBefore: boolean
  readonly endsAfter: boolean
}

export interface BarLayout<T> {
  readonly bars: readonly Bar<T>[]
  /** How many rows are used. */
  readonly rows: number
  /** For each day, how many bars did not fit. */
  readonly hidden: readonly number[]
}

interface Room {
  readonly firstDay: number
  readonly days: number
  /** The most rows of a day; where they do not do, the last one says how many more there are. */
  readonly rows?: number
}

/** Places bars in rows so that none overlap: long ones first, each in the highest row that is free. */
export function placeBars<T extends Spanning>(items: readonly T[], room: Room): BarLayout<T> {
  const taken: boolean[][] = []
  const all = items
    .filter(({ firstDay, lastDay }) => lastDay >= room.firstDay && firstDay < room.firstDay + room.days)
    .toSorted((a, b) => a.firstDay - b.firstDay || b.lastDay - a.lastDay)
    .map((item) => placeBar(item, room, taken))
  return room.rows === undefined
    ? { bars: all, rows: taken.length, hidden: Array.from({ length: room.days }, () => 0) }
    : fitted(all, room.days, room.rows)
}

function placeBar<T extends Spanning>(item: T, room: Room, taken: boolean[][]): Bar<T> {
  const column = Math.max(item.firstDay - room.firstDay, 0)
  const width = Math.min(item.lastDay - room.firstDay, room.days - 1) - column + 1
  const days = Array.from({ length: width }, (_, index) => column + index)
  const free = taken.findIndex((row) => days.every((day) => !row[day]))
  const row = free < 0 ? taken.length : free
  const cells = (taken[row] ??= [])
  for (const day of days) cells[day] = true
  const beginsBefore = item.firstDay < room.firstDay
  const endsAfter = item.lastDay >= room.firstDay + room.days
  return { item, row, column, width, beginsBefore, endsAfter }
}

const covers = ({ column, width }: Bar<unknown>, day: number) => column <= day && day < column + width

/** Hides what does not fit, so that each day's last row can say how many more there are. */
function fitted<T>(all: readonly Bar<T>[], days: number, rows: number): BarLayout<T> {
  const deepest = Array.from({ length: days }, (_, day) =>
    Math.max(0, ...all.filter((bar) => covers(bar, day)).map(({ row }) => row + 1)),
  )
  const fits = (bar: Bar<T>) =>
    deepest.every((depth, day) => !covers(bar, day) || bar.row < (depth > rows ? rows - 1 : rows))
  const bars = all.filter(fits)
  const hiddenBars = all.filter((bar) => !fits(bar))
  return {
    bars,
    rows,
    hidden: deepest.map((_, day) => hiddenBars.filter((bar) => covers(bar, day)).length),
  }
}
