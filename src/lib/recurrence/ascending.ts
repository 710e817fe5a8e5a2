/** An ascending list whose elements are computed on access. */
export interface Ascending {
  readonly size: number
  readonly at: (index: number) => number
}

/** Applies BYSETPOS to `all`. */
export function picked(all: Ascending, positions: readonly number[]): Ascending {
  if (positions.length === 0) return all
  const indexes = positions.map((position) => (position > 0 ? position - 1 : all.size + position))
  const kept = [...new Set(indexes)]
    .filter((index) => index >= 0 && index < all.size)
    .toSorted((a, b) => a - b)
  return { size: kept.length, at: (index) => all.at(kept[index] ?? 0) }
}

/** Counts the elements below `wall`. */
export function countBelow({ size, at }: Ascending, wall: number): number {
  let [low, high] = [0, size]
  while (low < high) {
    const middle = (low + high) >> 1
    if (at(middle) < wall) low = middle + 1
    else high = middle
  }
  return low
}
