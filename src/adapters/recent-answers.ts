interface Options {
  readonly maxAgeMs: number
  readonly maxEntries: number
  /** Milliseconds since an arbitrary start. */
  readonly nowMs: () => number
}

interface Entry<T> {
  readonly askedAtMs: number
  readonly answer: Promise<T>
}

/** A cache of results with a maximum age and size. Callers share a result that is still pending. Failures are not cached. */
export class RecentAnswers<T> {
  readonly #options: Options
  /** Ordered by the time of the request. */
  readonly #entries = new Map<string, Entry<T>>()

  constructor(options: Options) {
    this.#options = options
  }

  get(key: string, ask: () => Promise<T>): Promise<T> {
    const { maxAgeMs, nowMs } = this.#options
    const known = this.#entries.get(key)
    if (known && nowMs() - known.askedAtMs < maxAgeMs) return known.answer
    const entry = { askedAtMs: nowMs(), answer: ask() }
    this.#keep(key, entry)
    entry.answer.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    })
    return entry.answer
  }

  #keep(key: string, entry: Entry<T>) {
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    if (this.#entries.size <= this.#options.maxEntries) return
    for (const oldest of this.#entries.keys()) return this.#entries.delete(oldest)
  }
}
