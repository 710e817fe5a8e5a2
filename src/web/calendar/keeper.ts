/** Returns a function that gives back what it was given before as long as all items are the same, so that nothing is drawn anew. */
export function keeper<T>(): (items: readonly T[]) => readonly T[] {
  let kept: readonly T[] = []
  return (items) => {
    const isSame = items.length === kept.length && items.every((item, index) => item === kept[index])
    if (!isSame) kept = items
    return kept
  }
}
