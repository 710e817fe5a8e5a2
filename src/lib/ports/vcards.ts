/** A property of a vCard as in a jCard (RFC 7095, section 3.3), except that its value stays escaped. */
export type VCardProperty = readonly [
  /** In lower case. */
  name: string,
  /** Keys are in lower case; `group` is the property's group. */
  params: Readonly<Record<string, string | readonly string[]>>,
  /** The `VALUE` parameter in lower case, or else `unknown`. */
  type: string,
  value: string,
]

/** One card of a file. */
export interface VCardRead {
  /** The unfolded lines: equal for equal cards, regardless of folding and line ends. */
  readonly text: string
  readonly properties: readonly VCardProperty[]
  /** Why the card cannot be used; undefined when it can. */
  readonly problem?: string
}

/** vCard 2.1, 3.0 and 4.0 (RFC 6350) as text. */
export interface VCards {
  /** Reads the cards of a file one by one, so that the caller can pause; properties are converted to version 4.0. */
  read(file: Uint8Array): Iterable<VCardRead>
  /** Prints a card of version 4.0, with folded lines that end with CRLF. */
  print(properties: readonly VCardProperty[]): string
}
