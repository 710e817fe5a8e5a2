/** Those of the wanted fields that a record does not have yet; undefined if it has all of them. */
export function differing<T extends object>(record: object, wanted: T): Partial<T> | undefined {
  const now = new Map<string, unknown>(Object.entries(record))
  const changes = Object.entries(wanted).filter(([name, value]) => now.get(name) !== value)
  return changes.length === 0 ? undefined : (Object.fromEntries(changes) as Partial<T>)
}
