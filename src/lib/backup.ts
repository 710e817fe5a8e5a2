/** A table of a backup: its columns in the order of the rows' fields, without generated ones. */
export interface SavedTable {
  readonly name: string
  readonly columns: readonly string[]
}

/** Where the ids of a table go on. */
export interface SavedSequence {
  readonly table: string
  readonly column: string
  readonly last: number
  /** Whether `last` has been given out. */
  readonly isCalled: boolean
}

/** What a backup begins with. */
export interface BackupHeader {
  readonly format: 'organiser-backup'
  readonly version: 1
  readonly created_at: string
  /** The hashes of the migrations that the database had, the oldest first. */
  readonly migrations: readonly string[]
  /** Each after those that it refers to. */
  readonly tables: readonly SavedTable[]
  /** The key of an embedded service, without which second factors and push tokens cannot be read. */
  readonly secret_key: string | null
}

/** What a backup ends with. */
export interface BackupTrailer {
  /** How many rows each table has, in the order of the header. */
  readonly rows: readonly number[]
  readonly sequences: readonly SavedSequence[]
  /** SHA-256 in hex of all before. */
  readonly sha256: string
}

interface Referring {
  readonly name: string
  readonly references: readonly string[]
}

/** Each table after those that it refers to. @throws {Error} where some refer to each other in a circle. */
export function inOrderOfReference<T extends Referring>(tables: readonly T[]): T[] {
  const ordered: T[] = []
  const isPlaced = (name: string) => ordered.some((table) => table.name === name)
  while (ordered.length < tables.length) {
    const ready = tables.filter(({ name, references }) => !isPlaced(name) && references.every(isPlaced))
    if (ready.length === 0) throw new Error('The tables refer to each other in a circle.')
    ordered.push(...ready)
  }
  return ordered
}

/** Why a backup with these migrations cannot be read by a service that knows those; undefined where it can. */
export const refusalOfLevel = (saved: readonly string[], known: readonly string[]): string | undefined =>
  saved.every((hash, index) => hash === known[index])
    ? undefined
    : 'The backup was made by another version of the service: restore it with that one or a newer one.'
