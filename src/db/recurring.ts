/** Statements that one connection keeps prepared beside those that ask for it; each costs the server some ten kilobytes. */
const MOST = 500
/** Lists of rows that are written at once are seldom of the same length again. */
const LONGEST = 10_000

/**
 * Which texts come again, of those that came last: what is prepared once is parsed no more, planned seldom, and takes one round
 * trip instead of two. There is a bound, as statements are kept until their connection ends.
 */
export class RecurringTexts {
  readonly #once = new Set<string>()
  readonly #recurring = new Set<string>()

  /** Whether the text came before, and is one of those that are kept. */
  recurs(text: string): boolean {
    if (this.#recurring.has(text)) return true
    if (text.length > LONGEST || this.#recurring.size >= MOST) return false
    if (this.#once.delete(text)) {
      this.#recurring.add(text)
      return true
    }
    this.#once.add(text)
    const [oldest] = this.#once
    if (this.#once.size > MOST && oldest !== undefined) this.#once.delete(oldest)
    return false
  }
}
