import { expect } from 'bun:test'
import { xmlReader } from '../../src/adapters/xml'
import { textOfChild } from '../../src/lib/xml/element'
import { dav } from '../../src/lib/xml/names'
import { basic, DAV_SCOPES, propfindOf } from '../support/dav'
import { ALL_KINDS, type DavKind, REMINDERS } from '../support/dav-kinds'
import { until } from '../support/service'
import type { Target } from './writers'

/** An object that one phone puts and deletes; null is none. */
interface Kept {
  acknowledged: string | null
  /** What may have become of requests whose answer did not come. */
  possible: Array<string | null>
  /** Counts the attempts. */
  touched: number
}

interface Phone {
  readonly authorization: string
  readonly places: ReadonlyArray<{ readonly kind: DavKind; readonly path: string }>
}

const WRITERS = 4
const NAMES = 5
/** Long enough that a text comes and goes in several pieces. */
const PADDING = Array.from({ length: 500 }, (_, n) => `X-PADDING-${n}:${'ä'.repeat(30)}`)

/** Four phones that put and delete objects of every kind, and one that lists them, until they are told to stop. */
export function createDavWriters() {
  const objects = new Map<string, Kept>()
  const unexpected: string[] = []
  let phone: Phone | undefined
  let [acknowledged, refused, count] = [0, 0, 0]

  async function send(target: Target, method: string, path: string, body?: string) {
    const headers = { authorization: phone?.authorization ?? '', depth: '1' }
    const { url, ask = fetch } = target
    return ask(url + path, { method, headers, ...(body !== undefined && { body }) })
  }

  /** The status of an answer that was whole; undefined where nothing is known. */
  async function attempt(target: Target, method: string, path: string, body?: string) {
    try {
      const response = await send(target, method, path, body)
      await response.text()
      if (response.ok || (method === 'DELETE' && response.status === 404)) return response.status
      const isPassing = response.status === 503 && response.headers.has('retry-after')
      if (!isPassing) unexpected.push(`${method} ${path}: ${response.status}`)
    } catch {
      // The connection broke: whether it was written is not known.
    }
    refused += 1
    return undefined
  }

  async function write(target: Target, writer: number) {
    const number = (count += 1)
    const place = placesOf(phone)[number % ALL_KINDS.length]
    if (!place) throw new Error('no place')
    const path = `${place.path}w${writer}-${number % NAMES}.${place.kind.extension}`
    const kept = objects.get(path) ?? { acknowledged: null, possible: [], touched: 0 }
    objects.set(path, kept)
    kept.touched += 1
    const text =
      number % 7 === 0 ? null : place.kind.textOf(`w${writer}-${number % NAMES}`, `write ${number}`, PADDING)
    const status = await attempt(target, text === null ? 'DELETE' : 'PUT', path, text ?? undefined)
    kept.touched += 1
    if (status === 404 && kept.acknowledged !== null && !kept.possible.includes(null))
      unexpected.push(`${path} was gone`)
    note(kept, text, status !== undefined)
  }

  function note(kept: Kept, text: string | null, isAcknowledged: boolean): void {
    if (!isAcknowledged) return void kept.possible.push(text)
    kept.acknowledged = text
    kept.possible = []
    acknowledged += 1
  }

  /** A listing that parses holds everything that was there all the time. */
  async function list(target: Target, path: string) {
    const before = new Map([...objects].map(([name, { touched }]) => [name, touched]))
    const listed = await hrefsIn(target, path)
    if (!listed) return
    for (const [name, kept] of objects) {
      const wasStill = name.startsWith(path) && kept.touched === before.get(name) && kept.touched % 2 === 0
      if (wasStill && kept.possible.length === 0 && (kept.acknowledged !== null) !== listed.has(name))
        unexpected.push(`${name} is listed otherwise than it is`)
    }
  }

  /** Undefined for an answer that is refused, breaks off, or does not parse. */
  async function hrefsIn(target: Target, path: string): Promise<Set<string> | undefined> {
    try {
      const response = await send(target, 'PROPFIND', path, propfindOf(['d:getetag']))
      const text = await response.text()
      if (response.status !== 207 && response.status !== 503)
        unexpected.push(`PROPFIND ${path}: ${response.status}`)
      if (response.status !== 207) return undefined
      const { children } = xmlReader.read(text)
      return new Set(children.flatMap((child) => textOfChild(child, dav('href')) ?? []))
    } catch {
      return undefined
    }
  }

  async function read(target: Target, path: string): Promise<string | null> {
    const response = await send(target, 'GET', path)
    const text = await response.text()
    expect([200, 404], `${path}: ${response.status}`).toContain(response.status)
    return response.ok ? text : null
  }

  return {
    get acknowledged() {
      return acknowledged
    },
    /** What the phones signed in with, and the collections that they write to; undefined before they do. */
    get phone() {
      return phone
    },
    get refused() {
      return refused
    },
    /** Writes until `isOver`. */
    async run(target: Target, isOver: () => boolean): Promise<void> {
      phone ??= await newPhone(target)
      const writer = async (index: number) => {
        while (!isOver()) await write(target, index)
      }
      const reader = async () => {
        while (!isOver()) for (const { path } of placesOf(phone)) await list(target, path)
      }
      await Promise.all([reader(), ...Array.from({ length: WRITERS }, (_, index) => writer(index))])
    },
    /** Every text that was acknowledged is there byte for byte, and every other as a whole or not at all. */
    async verify(target: Target): Promise<void> {
      expect(unexpected).toEqual([])
      for (const [path, kept] of objects) {
        const text = await read(target, path)
        const isKnown = [kept.acknowledged, ...kept.possible].includes(text)
        expect([path, isKnown || text?.slice(0, 300)]).toEqual([path, true])
        Object.assign(kept, { acknowledged: text, possible: [] })
      }
    },
  }
}

const placesOf = (phone: Phone | undefined) => phone?.places ?? []

async function newPhone({ url, cookie }: Target): Promise<Phone> {
  const post = async (path: string, body: unknown) => {
    const headers = { cookie, 'content-type': 'application/json' }
    const response = await until(async () => {
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return answer.status !== 503 && answer.status !== 429 && answer
    })
    expect([path, response.status]).toEqual([path, 201])
    return (await response.json()) as { id: number; token: string }
  }
  const { token } = await post('/api/auth/tokens', { name: 'Phone', scopes: DAV_SCOPES })
  const authorization = basic('ada', token)
  const found = await fetch(`${url}/dav/`, {
    method: 'PROPFIND',
    headers: { authorization, depth: '0' },
    body: propfindOf(['d:current-user-principal']),
  })
  const userId = /principals\/(\d+)\//.exec(await found.text())?.[1]
  const slugOf = async (kind: DavKind) =>
    kind === REMINDERS
      ? kind.slug
      : `${kind.slug}-${(await post(kind.api, { name: `Phone ${kind.name}` })).id}`
  const places = ALL_KINDS.map(async (kind) => ({
    kind,
    path: `/dav/${kind.home}/${userId}/${await slugOf(kind)}/`,
  }))
  return { authorization, places: await Promise.all(places) }
}
