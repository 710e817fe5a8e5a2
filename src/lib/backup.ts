/** A table in a backup: its columns in the order of the rows' fields, without generated ones. */
export interface SavedTable {
  readonly name: string
  readonly columns: readonly string[]
}

/** The sequence that provides the ids of a table. */
export interface SavedSequence {
  readonly table: string
  readonly column: string
  readonly last: number
  /** Whether `last` was already used. */
  readonly isCalled: boolean
}

/** The beginning of a backup. */
export interface BackupHeader {
  readonly format: 'organiser-backup'
  readonly version: 1
  readonly created_at: string
  /** The hashes of the database's migrations, the oldest first. */
  readonly migrations: readonly string[]
  /** Each table comes after the tables it refers to. */
  readonly tables: readonly SavedTable[]
  /** The key of an embedded service, which decrypts second factors and push tokens. */
  readonly secret_key: string | null
}

/** The end of a backup. */
export interface BackupTrailer {
  /** The number of rows of each table, in the order of the header. */
  readonly rows: readonly number[]
  readonly sequences: readonly SavedSequence[]
  /** SHA-256 in hex of everything before. */
  readonly sha256: string
}

interface Referring {
  readonly name: string
  readonly references: readonly string[]
}

/** Sorts tables so that each comes after those it refers to. @throws {Error} for circular references. */
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

/** Why a service with the `known` migrations cannot restore a backup with the `saved` ones; undefined when it can. */
export const refusalOfLevel = (saved: readonly string[], known: readonly string[]): string | undefined =>
  saved.every((hash, index) => hash === known[index])
    ? undefined
    : 'The backup was made by another version of the service: restore it with that one or a newer one.'
