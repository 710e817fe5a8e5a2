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
