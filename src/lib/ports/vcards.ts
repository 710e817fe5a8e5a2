/** One card of a file. */
export interface VCardRead {
  /** As it stands in the file, from its first line to its last. */
  readonly text: string
  /** Whether it has an end. */
  readonly isWhole: boolean
}

/** vCard 2.1, 3.0 and 4.0 (RFC 6350) as files. */
export interface VCards {
  /** Finds the cards of a file one by one, so that the caller can pause. */
  read(file: Uint8Array): Iterable<VCardRead>
}
