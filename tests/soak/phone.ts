import { xmlReader } from '../../src/adapters/xml'
import { childOf, textOfChild, type XmlElement } from '../../src/lib/xml/element'
import { dav } from '../../src/lib/xml/names'
import { syncOf } from '../support/dav'
import { CARDS, type DavKind, EVENTS, TODOS } from '../support/dav-kinds'
import type { Answer, Line } from './calls'
import type { Ledger } from './ledger'

/** A collection as a phone has it. */
interface Collection {
  readonly path: string
  readonly kind: DavKind
  token: string
  /** The tags of what is there. */
  readonly tags: Map<string, string>
}

const NAMES = 12
/** What phones name their objects; the others are those of browsers. */
const OWN = /\/p\d+\.\w+$/
const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(Math.random() * from.length)]

/** Syncs collections, puts and deletes objects with tags, and finds conflicts, as phones do. */
export class Phone {
  readonly collections: readonly Collection[]
  conflicts = 0
  #count = 0
  readonly #line: Line
  readonly #ledger: Ledger
  readonly #name: string

  constructor(line: Line, ledger: Ledger, { name, paths }: { name: string; paths: readonly string[] }) {
    this.#line = line
    this.#ledger = ledger
    this.#name = name
    this.collections = paths.map((path) => ({ path, kind: kindOf(path), token: '', tags: new Map() }))
  }

  async step(): Promise<void> {
    const collection = pick(this.collections)
    if (!collection) return
    const chance = Math.random()
    if (chance < 0.35) await this.sync(collection)
    else if (chance < 0.45) await this.#list(collection)
    else if (chance < 0.9) await this.#put(collection)
    else await this.#delete(collection)
  }

  /** Follows the collection to its end. */
  async sync(collection: Collection): Promise<void> {
    for (let pages = 0; pages < 1000; pages++) {
      const answer = await this.#line.sure('REPORT', collection.path, {
        body: syncOf(collection.token, pick([undefined, 5, 50])),
        headers: { depth: '1' },
      })
      if (answer.status !== 207)
        return this.#line.records.problem(
          `sync of ${collection.path} answers ${answer.status}: ${answer.text}`,
        )
      const xml = xmlReader.read(answer.text)
      collection.token = textOfChild(xml, dav('sync-token')) ?? ''
      if (!apply(collection, xml)) return
    }
    this.#line.records.problem(`sync of ${collection.path} has no end`)
  }

  /** The tags of everything that is there. */
  async #list({ path }: Collection): Promise<Map<string, string> | undefined> {
    const answer = await this.#line.sure('PROPFIND', path, { headers: { depth: '1' } })
    if (answer.status !== 207) {
      this.#line.records.problem(`PROPFIND of ${path} answers ${answer.status}`)
      return undefined
    }
    return new Map(tagsIn(xmlReader.read(answer.text)).filter(([href]) => href !== path))
  }

  /** Something new, or something known with its tag. */
  async #put(collection: Collection): Promise<void> {
    const { kind, path, tags } = collection
    const number = ++this.#count
    const name = `p${number % NAMES}`
    const href = `${path}${name}.${kind.extension}`
    const known = tags.get(href)
    const text = kind.textOf(name, `${this.#name} ${number}`, [`X-PADDING:${'x'.repeat(number % 400)}`])
    const answer = await this.#line.send('PUT', href, {
      body: text,
      headers: {
        'content-type': kind.type,
        ...(known === undefined ? { 'if-none-match': '*' } : { 'if-match': known }),
      },
    })
    if (!answer || answer.status >= 500) return this.#ledger.unknown(href, text)
    const etag = answer.headers.get('etag')
    if (answer.status < 300 && etag !== null) {
      this.#ledger.written(href, etag, text)
      tags.set(href, etag)
    } else await this.#conflict(collection, answer, 'PUT')
  }

  async #delete(collection: Collection): Promise<void> {
    const [href, etag] = pick([...collection.tags].filter(([name]) => OWN.test(name))) ?? []
    if (href === undefined || etag === undefined) return
    const answer = await this.#line.send('DELETE', href, { headers: { 'if-match': etag } })
    if (!answer || answer.status >= 500) return this.#ledger.unknown(href, null)
    if (answer.status < 300) {
      this.#ledger.deleted(href, etag)
      collection.tags.delete(href)
    } else await this.#conflict(collection, answer, 'DELETE')
  }

  /** Somebody else was faster, or an earlier request did more than it said. */
  async #conflict(collection: Collection, { status, text }: Answer, method: string): Promise<void> {
    if (status !== 412 && status !== 404)
      return this.#line.records.problem(
        `${method} in ${collection.path} answers ${status}: ${text.slice(0, 300)}`,
      )
    this.conflicts++
    await this.sync(collection)
  }

  /** Whether what sync told is what is listed, and every object is what was acknowledged. */
  async verify(): Promise<void> {
    for (const collection of this.collections) {
      await this.sync(collection)
      const listed = await this.#list(collection)
      if (!listed) continue
      const [synced, there] = [inOrder(collection.tags), inOrder(listed)]
      if (synced !== there)
        this.#line.records.problem(
          `${this.#name} knows ${synced.slice(0, 900)} where ${there.slice(0, 900)} is`,
        )
    }
  }

  /** Reads what is there under an address. */
  async read(href: string): Promise<void> {
    const { status, headers, text } = await this.#line.sure('GET', href)
    if (status !== 200 && status !== 404) return this.#line.records.problem(`GET ${href} answers ${status}`)
    const problem = this.#ledger.settle(href, headers.get('etag') ?? undefined, status === 200 ? text : null)
    if (problem !== undefined) this.#line.records.problem(problem)
  }
}

const inOrder = (tags: ReadonlyMap<string, string>): string =>
  JSON.stringify([...tags].toSorted(([a], [b]) => (a < b ? -1 : 1)))

function kindOf(path: string): DavKind {
  if (path.includes('/addressbooks/')) return CARDS
  return path.includes('/calendar-') ? EVENTS : TODOS
}

const responsesIn = (xml: XmlElement) => xml.children.filter(({ name }) => name === dav('response'))

function tagsIn(xml: XmlElement): Array<readonly [string, string]> {
  return responsesIn(xml).flatMap((response): Array<readonly [string, string]> => {
    const href = textOfChild(response, dav('href'))
    const etag = response.children
      .map((stat) => childOf(stat, dav('prop')))
      .flatMap((prop) => (prop ? (textOfChild(prop, dav('getetag')) ?? []) : []))[0]
    return href === undefined || etag === undefined ? [] : [[href, etag]]
  })
}

/** Applies a page of sync; answers whether there is more. */
function apply({ tags, path }: Collection, xml: XmlElement): boolean {
  for (const [href, etag] of tagsIn(xml)) tags.set(href, etag)
  let hasMore = false
  for (const response of responsesIn(xml)) {
    const [href, status] = [
      textOfChild(response, dav('href')) ?? '',
      textOfChild(response, dav('status')) ?? '',
    ]
    if (href === path) hasMore ||= status.includes('507')
    else if (status.includes('404')) tags.delete(href)
  }
  return hasMore
}
