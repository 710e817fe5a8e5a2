/**
 * Lists that their owner orders by hand.
 *
 * Each entry has a rank, a decimal number of any length as PostgreSQL's `numeric` writes it, unique in its list. Moving an
 * entry changes only its own rank, so a cursor that holds a rank survives inserts, deletes and other moves; a cursor that
 * holds a position would not. The visible position is computed from the ranks; `src/db/ordering.ts` does both in SQL.
 */
export type Rank = string

/** When ranks grow longer than this, the list is renumbered, which keeps rows small and cursors short. */
const MAX_RANK_LENGTH = 100

export const isTooLong = (rank: Rank): boolean => rank.length > MAX_RANK_LENGTH

export const isRank = (text: unknown): text is Rank =>
  typeof text === 'string' && text.length <= 2 * MAX_RANK_LENGTH && /^-?\d+(?:\.\d+)?$/.test(text)

/**
 * Returns a rank between two neighbours; null means that there is no neighbour on that side. At either end it is a whole
 * number, otherwise a short fraction.
 */
export function rankBetween(before: Rank | null, after: Rank | null): Rank {
  if (before === null) return after === null ? '1' : String(floorOf(after) - 1n)
  if (after === null) return String(floorOf(before) + 1n)
  let digits = Math.max(fractionOf(before).length, fractionOf(after).length)
  if (scaled(after, digits) - scaled(before, digits) < 2n) digits++
  return unscaled((scaled(before, digits) + scaled(after, digits)) / 2n, digits)
}

const fractionOf = (rank: Rank) => rank.split('.')[1] ?? ''

/** `rank` × 10^`digits`, for at most that many decimal places. */
const scaled = (rank: Rank, digits: number): bigint =>
  BigInt(rank.replace('.', '') + '0'.repeat(digits - fractionOf(rank).length))

function unscaled(value: bigint, digits: number): Rank {
  const text = String(value < 0n ? -value : value).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  const fraction = text.slice(text.length - digits).replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

/** The number rounded down to a whole one. */
function floorOf(rank: Rank): bigint {
  const whole = BigInt(rank.split('.')[0] ?? '0')
  return rank.startsWith('-') && /[1-9]/.test(fractionOf(rank)) ? whole - 1n : whole
}

/** Whether `order` contains each of `members` exactly once, and nothing else. */
export const isWholeOrder = (order: readonly number[], members: readonly number[]): boolean =>
  order.length === members.length && new Set(order).size === order.length && isSubset(order, members)

const isSubset = (some: readonly number[], all: readonly number[]) => {
  const known = new Set(all)
  return some.every((id) => known.has(id))
}

/** Whether a rank is before another one. */
export function isBefore(one: Rank, other: Rank): boolean {
  const digits = Math.max(fractionOf(one).length, fractionOf(other).length)
  return scaled(one, digits) < scaled(other, digits)
}

/** The fewest ids that have to move so that the order `before` becomes `after`, which has the same ids. */
export function movedIn(before: readonly number[], after: readonly number[]): ReadonlySet<number> {
  const places = new Map(before.map((id, place) => [id, place]))
  const placeOf = (id: number) => places.get(id) ?? 0
  // Of all runs of a length that keep their order, the last id of the one that ends first; each id with the one before it.
  const ends: number[] = []
  const former = new Map<number, number | undefined>()
  for (const id of after) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (placeOf(ends[middle] ?? id) < placeOf(id)) low = middle + 1
      else high = middle
    }
    former.set(id, ends[low - 1])
    ends[low] = id
  }
  const moved = new Set(after)
  for (let id = ends.at(-1); id !== undefined; id = former.get(id)) moved.delete(id)
  return moved
}

export interface RankedRow {
  readonly id: number
  readonly rank: Rank
}

/** How many moved rows get ranks between others; the whole list gets new ones where more have moved. */
const FEW = 100

/**
 * The ranks that change where the list gets the order of `ids`, which are all of its ids. None is one that a row has or gets, so that
 * no two are equal meanwhile.
 * @param rows - The list in its order.
 */
export function ranksFor(rows: readonly RankedRow[], ids: readonly number[]): readonly RankedRow[] {
  const before = rows.map(({ id }) => id)
  const moved = movedIn(before, ids)
  const ranked = moved.size > FEW ? undefined : betweenOthers(rows, ids, moved)
  if (ranked && !ranked.some(({ rank }) => isTooLong(rank))) return ranked
  const last = floorOf(rows.at(-1)?.rank ?? '0')
  return ids.map((id, place) => ({ id, rank: String(last + BigInt(place + 1)) }))
}

/** The moved rows between two ranks that follow each other. */
function betweenOthers(
  rows: readonly RankedRow[],
  ids: readonly number[],
  moved: ReadonlySet<number>,
): readonly RankedRow[] {
  const places = new Map(rows.map(({ id }, place) => [id, place]))
  let [last, next]: [Rank | null, Rank | null] = [null, rows[0]?.rank ?? null]
  return ids.flatMap((id) => {
    const place = places.get(id) ?? 0
    if (!moved.has(id)) {
      last = rows[place]?.rank ?? null
      next = rows[place + 1]?.rank ?? null
      return []
    }
    last = rankBetween(last, next)
    return { id, rank: last }
  })
}
