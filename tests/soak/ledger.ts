/** What phones were told of the objects that they write together. Each acknowledged write has a tag, which says its order. */

interface Entry {
  /** The tag of the last write that was acknowledged, and what it left; null for nothing. */
  top: string | undefined
  expected: string | null
  /** What may have become of requests whose answer did not come. */
  possible: Array<string | null>
}

/** `"{object id}-{version}"`. */
const orderOf = (etag: string): readonly [number, number] => {
  const [, id, version] = /^"(\d+)-(\d+)"$/.exec(etag) ?? []
  return [Number(id), Number(version)]
}

const isLater = (etag: string, other: string | undefined): boolean => {
  if (other === undefined) return true
  const [[id, version], [otherId, otherVersion]] = [orderOf(etag), orderOf(other)]
  return id > otherId || (id === otherId && version > otherVersion)
}

const shown = (text: string | null): string => text?.slice(0, 300) ?? 'gone'

export class Ledger {
  readonly #entries = new Map<string, Entry>()
  acknowledged = 0

  hrefs(): string[] {
    return [...this.#entries.keys()]
  }

  #entry(href: string): Entry {
    const entry = this.#entries.get(href) ?? { top: undefined, expected: null, possible: [] }
    this.#entries.set(href, entry)
    return entry
  }

  written(href: string, etag: string, text: string): void {
    const entry = this.#entry(href)
    this.acknowledged++
    if (isLater(etag, entry.top)) Object.assign(entry, { top: etag, expected: text })
  }

  /** Deleted, as it was with this tag. */
  deleted(href: string, etag: string): void {
    const entry = this.#entry(href)
    this.acknowledged++
    if (isLater(etag, entry.top) || etag === entry.top) Object.assign(entry, { top: etag, expected: null })
  }

  /** Whether it was written, or deleted, is not known. */
  unknown(href: string, text: string | null): void {
    this.#entry(href).possible.push(text)
  }

  /** What is wrong with what is there, which is the truth from now on. */
  settle(href: string, etag: string | undefined, text: string | null): string | undefined {
    const entry = this.#entry(href)
    const { expected } = entry
    const isRight =
      text === expected ||
      (entry.possible.includes(text) && (text === null || isLater(etag ?? '', entry.top)))
    entry.possible = []
    entry.expected = text
    if (text !== null) entry.top = etag
    return isRight ? undefined : `${href} is ${shown(text)} and not ${shown(expected)}`
  }
}
