/** Caches the results of `make` by key; when the cache is full, it is emptied. Errors are not cached. */
export function remembered<K, V>(maxKeys: number, make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(key)
    if (known.size >= maxKeys) known.clear()
    known.set(key, made)
    return made
  }
}
