/** A record of a file. */
interface Hashed {
  /** Identifies the record, in the file and among those that are stored. */
  readonly key: string
  readonly hash: string
}

/** The records that are new, and those that have changed since their last import. */
export interface Sorted<R> {
  readonly created: readonly R[]
  readonly updated: readonly R[]
}

/** Compares the records with the hashes of those that are stored, by key. */
export const sortByHash = <R extends Hashed>(
  records: readonly R[],
  stored: ReadonlyMap<string | null, string | null>,
): Sorted<R> => ({
  created: records.filter(({ key }) => !stored.has(key)),
  updated: records.filter(({ key, hash }) => stored.has(key) && stored.get(key) !== hash),
})
