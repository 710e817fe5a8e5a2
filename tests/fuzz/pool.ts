/** What an actor has seen and made: ids by collection, and values by the name of their field. */

/** The ids in a path, as many as it has parameters. */
export type Ids = readonly string[]

const KEPT_IDS = 60
const KEPT_VALUES = 25

/** `/api/projects/{id}/tasks/{task_id}` and `/api/projects/{id}/tasks` have the same collection of tasks. */
export const shapeOf = (path: string) => path.replaceAll(/\{\w+\}/g, '{}')

/** The collections that the parameters of a path name records of, the outermost first. */
export function collectionsOf(path: string): string[] {
  const parts = shapeOf(path).split('/{}')
  return parts.slice(0, -1).map((_, i) => parts.slice(0, i + 1).join('/{}'))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isId = (value: unknown): value is number | string =>
  (typeof value === 'number' && Number.isInteger(value)) || (typeof value === 'string' && value !== '')

export class Pool {
  readonly #records = new Map<string, Map<string, Ids>>()
  readonly #deleted = new Map<string, Ids[]>()
  readonly #values = new Map<string, unknown[]>()
  readonly #spared = new Set<string>()

  /** Keeps a record out of what is acted upon. */
  spare(collection: string, id: string): void {
    this.#spared.add(`${collection} ${id}`)
  }

  records(collection: string): readonly Ids[] {
    return [...(this.#records.get(collection)?.values() ?? [])]
  }

  deleted(collection: string): readonly Ids[] {
    return this.#deleted.get(collection) ?? []
  }

  collections(): readonly string[] {
    return [...this.#records.keys()]
  }

  add(collection: string, ids: Ids): void {
    if (this.#spared.has(`${collection} ${ids.join('/')}`)) return
    const known = this.#records.get(collection) ?? new Map<string, Ids>()
    this.#records.set(collection, known)
    known.set(ids.join('/'), ids)
    const [oldest] = known.keys()
    if (known.size > KEPT_IDS && oldest !== undefined) known.delete(oldest)
  }

  /** Forgets the record and all that was in it. */
  remove(collection: string, ids: Ids): void {
    const prefix = ids.join('/')
    for (const [shape, known] of this.#records) {
      if (!shape.startsWith(collection)) continue
      for (const key of known.keys()) if (key === prefix || key.startsWith(`${prefix}/`)) known.delete(key)
    }
    this.#deleted.set(collection, [...this.deleted(collection), ids].slice(-KEPT_VALUES))
  }

  values(name: string): readonly unknown[] {
    return this.#values.get(name) ?? []
  }

  remember(name: string, value: unknown): void {
    const known = this.values(name).filter((one) => one !== value)
    this.#values.set(name, [...known, value].slice(-KEPT_VALUES))
  }

  /** The values that a body field of this name may hold: for `parent_task_id` the ids of tasks. */
  idsFor(name: string): readonly unknown[] {
    const [, noun] = /([a-z]+)_ids?$/.exec(name) ?? []
    if (noun === undefined) return []
    const singular = name.replace(/s$/, '')
    const ofCollections = this.collections()
      .filter((collection) => collection.endsWith(`${noun}s`))
      .flatMap((collection) => this.records(collection).map((ids) => ids.at(-1)))
    return [
      ...ofCollections.map(Number).filter(Number.isSafeInteger),
      ...this.values(singular),
      ...this.values(`${noun}_id`),
    ]
  }

  /** Learns from an answer to a request to `path` with these ids: what was listed, made, or deleted. */
  harvest({ method, path, ids }: { method: string; path: string; ids: Ids }, body: unknown): void {
    const shape = shapeOf(path)
    if (method === 'DELETE') {
      if (shape.endsWith('/{}')) this.remove(shape.slice(0, -3), ids)
      return
    }
    if (!isObject(body)) return
    this.#learn(body)
    if (shape.endsWith('/{}')) return
    const lists = Object.values(body).filter((value): value is unknown[] => Array.isArray(value))
    for (const record of [...lists.flat(), ...(method === 'POST' ? [body] : [])]) {
      if (isObject(record) && isId(record.id)) this.add(shape, [...ids, String(record.id)])
    }
  }

  /** An address below `/api` names a record too. */
  #follow(value: unknown): void {
    const [, collection, id] =
      /:\/\/[^/]+(\/api\/.+)\/([^/]+)$/.exec(typeof value === 'string' ? value : '') ?? []
    if (collection !== undefined && id !== undefined) this.add(collection, [id])
  }

  #learn(value: unknown, depth = 0): void {
    if (depth > 4) return
    if (Array.isArray(value)) return value.slice(0, 10).forEach((one) => this.#learn(one, depth + 1))
    if (!isObject(value)) return
    for (const [name, field] of Object.entries(value)) {
      this.#follow(field)
      if (isMemorable(name, field)) this.remember(name === 'next_cursor' ? 'cursor' : name, field)
      else this.#learn(field, depth + 1)
    }
  }
}

/** Names, cursors, secrets and the ids of others; the numbers of flags and counts tell nothing. */
const isMemorable = (name: string, value: unknown) =>
  (typeof value === 'string' && value.length > 0 && value.length <= 300) ||
  (typeof value === 'number' && name.endsWith('_id'))
