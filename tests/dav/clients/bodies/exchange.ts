/** What a client does, and what it must be told so that it goes on: one test, with an account of its own. */
export interface Exchange {
  /** Goes on from the name of the client, as the title of the test. */
  readonly title: string
  readonly steps: readonly Step[]
}

/**
 * A request, and its answer. `{home}`, `{calendar}`, `{lunch}` and the other places of the account stand for themselves anywhere,
 * and `$1` for what the `keeps` of an earlier step has found.
 */
export interface Step {
  /** The method and the address. */
  readonly ask: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Sent without credentials. */
  readonly isAnonymous?: boolean
  readonly status: number
  /** Headers of the answer. */
  readonly told?: Readonly<Record<string, string | RegExp>>
  /** The responses of a multistatus, by href; others may be there too, unless `only`. */
  readonly responses?: Readonly<Record<string, Expected>>
  readonly only?: boolean
  readonly says?: readonly (string | RegExp)[]
  readonly never?: readonly (string | RegExp)[]
  /** Keeps what the first group finds in the answer, as `$1`. */
  readonly keeps?: RegExp
}

/** What is said of one address. Names are written as in the requests: `d:displayname`. */
export interface Expected {
  readonly found?: readonly string[]
  /** Named as missing, 404. */
  readonly missing?: readonly string[]
  /** Neither found nor named. */
  readonly silent?: readonly string[]
  /** The texts of properties. */
  readonly texts?: Readonly<Record<string, string | RegExp>>
  /** The names of the elements within properties, and the hrefs in them. */
  readonly holds?: Readonly<Record<string, readonly string[]>>
  /** The status of the address as a whole. */
  readonly status?: string
}
