import { expect } from 'bun:test'
import { xmlReader } from '../../../src/adapters/xml'
import { childOf, textOfChild } from '../../../src/lib/xml/element'
import { dav } from '../../../src/lib/xml/names'
import { syncOf } from '../../support/dav'
import { until } from '../../support/service'
import type { Ask } from '../writers'

interface Change {
  readonly type: string
  readonly id: number
  readonly op: string
}

interface Page {
  readonly changes: readonly Change[]
  readonly next: string
  readonly has_more: boolean
}

interface Followed {
  readonly url: string
  readonly cookie: string
  readonly ask: Ask
}

/** What a client keeps of the changes, as text. Positions are those of others, too. */
class Copy {
  readonly items = new Map<string, string>()

  apply({ changes }: Pick<Page, 'changes'>) {
    for (const { op, ...change } of changes) {
      const name = `${change.type} ${change.id}`
      if (op === 'put') this.items.set(name, withoutPositions(change))
      else this.items.delete(name)
    }
  }
}

const withoutPositions = (change: unknown) =>
  JSON.stringify(change, (key, value: unknown) => (key === 'position' ? undefined : value))

/** How long who follows may take to hear of the last write, on a machine that others use, too. */
const CATCHES_UP_MS = 120_000

const isPassing = (status: number) => status === 503 || status === 429

async function pageOf(followed: Followed, since: string | undefined): Promise<Page | number> {
  const query = since === undefined ? '' : `&since=${encodeURIComponent(since)}`
  const { url, cookie, ask } = followed
  const response = await ask(`${url}/api/changes?limit=500${query}`, { headers: { cookie } })
  return response.ok ? ((await response.json()) as Page) : response.status
}

/** A page, as soon as there is one. */
const pageSoon = (followed: Followed, since: string | undefined) =>
  until(async () => {
    const found = await pageOf(followed, since)
    if (typeof found !== 'number') return found
    if (!isPassing(found)) throw new Error(`GET /api/changes: ${found}`)
    return undefined
  })

/** Everything that a client learns that begins now. */
async function everything(followed: Followed): Promise<Copy> {
  const copy = new Copy()
  for (let since: string | undefined; ;) {
    const page = await pageSoon(followed, since)
    copy.apply(page)
    since = page.next
    if (!page.has_more) return copy
  }
}

/** A client that asks for changes again and again, with the cursor of its last page. */
export function followCursor(followed: Followed, isOver: () => boolean) {
  const [copy, unexpected]: [Copy, string[]] = [new Copy(), []]
  let [since, pages]: [string | undefined, number] = [undefined, 0]
  const turn = async () => {
    const page = await pageOf(followed, since).catch(() => 503)
    if (typeof page !== 'number') {
      copy.apply(page)
      since = page.next
      pages += page.has_more ? 0 : 1
    } else if (!isPassing(page)) unexpected.push(`GET /api/changes: ${page}`)
  }
  const running = (async () => {
    while (!isOver()) {
      await turn()
      await Bun.sleep(100)
    }
  })()
  return {
    running,
    async verify() {
      const end = pages + 1
      await until(async () => {
        await turn()
        return pages >= end
      }, CATCHES_UP_MS)
      expect(unexpected).toEqual([])
      const anew = await everything(followed)
      expect(differences(copy, anew)).toEqual([])
      return copy.items.size
    },
  }
}

const differences = (one: Copy, other: Copy) =>
  [...new Set([...one.items.keys(), ...other.items.keys()])]
    .filter((name) => one.items.get(name) !== other.items.get(name))
    .map((name) => `${name}: ${one.items.get(name)} / ${other.items.get(name)}`)

/** A client that listens to a stream, and comes back with the id of the last event where it breaks off. */
export async function followStream(followed: Followed) {
  const [copy, unexpected]: [Copy, string[]] = [new Copy(), []]
  const first = await pageSoon(followed, 'now')
  for (const [name, item] of (await everything(followed)).items) copy.items.set(name, item)
  let [last, connections] = [first.next, 0]
  const read = (event: string) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(event)?.[1]
    const data = field('data')
    if (field('event') === 'end') unexpected.push(`the stream ended: ${data}`)
    if (field('event') !== 'changes' || data === undefined) return
    copy.apply(JSON.parse(data) as Page)
    last = field('id') ?? last
  }
  const listen = async (signal: AbortSignal) => {
    const { url, cookie, ask } = followed
    const response = await ask(`${url}/api/changes/stream`, {
      headers: { cookie, 'last-event-id': last },
      signal,
    })
    if (!response.ok && !isPassing(response.status)) unexpected.push(`the stream: ${response.status}`)
    if (!response.ok || !response.body) return
    connections += 1
    const decoder = new TextDecoder()
    let text = ''
    for await (const piece of response.body) {
      text += decoder.decode(piece, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) read(event)
    }
  }
  const ending = new AbortController()
  const running = (async () => {
    while (!ending.signal.aborted) {
      await listen(ending.signal).catch(() => undefined)
      if (!ending.signal.aborted) await Bun.sleep(200)
    }
  })()
  const leave = async () => {
    ending.abort()
    await running
  }
  return {
    leave,
    /** Resolves once the stream has told all that there is. */
    async verify() {
      const anew = await everything(followed)
      await until(() => differences(copy, anew).length === 0, CATCHES_UP_MS).catch(() => undefined)
      await leave()
      expect(unexpected).toEqual([])
      expect(differences(copy, anew)).toEqual([])
      return { items: copy.items.size, connections }
    },
  }
}

interface FollowedCollection extends Omit<Followed, 'cookie'> {
  readonly authorization: string
  readonly path: string
}

/** A phone that syncs a collection again and again, with the token of its last sync. */
export function followCollection(
  { url, ask, authorization, path }: FollowedCollection,
  isOver: () => boolean,
) {
  const [objects, unexpected]: [Map<string, string>, string[]] = [new Map(), []]
  let [token, syncs] = ['', 0]
  const sync = async (since: string) => {
    const response = await ask(url + path, {
      method: 'REPORT',
      headers: { authorization, depth: '1', 'content-type': 'application/xml' },
      body: syncOf(since),
    })
    return { status: response.status, text: await response.text() }
  }
  const apply = (text: string, known: Map<string, string>) => {
    const xml = xmlReader.read(text)
    for (const response of xml.children.filter(({ name }) => name === dav('response'))) {
      const href = textOfChild(response, dav('href')) ?? ''
      const stat = childOf(response, dav('propstat'))
      const tag = stat && textOfChild(childOf(stat, dav('prop')) ?? stat, dav('getetag'))
      if (tag === undefined) known.delete(href)
      else known.set(href, tag)
    }
    return textOfChild(xml, dav('sync-token')) ?? ''
  }
  const turn = async () => {
    const { status, text } = await sync(token).catch(() => ({ status: 503, text: '' }))
    if (status === 207) {
      // An answer that broke off does not parse, and counts for nothing.
      const known = new Map(objects)
      try {
        token = apply(text, known)
      } catch {
        return
      }
      objects.clear()
      for (const [href, tag] of known) objects.set(href, tag)
      syncs += 1
    } else if (!isPassing(status)) unexpected.push(`REPORT ${path}: ${status}`)
  }
  const running = (async () => {
    while (!isOver()) {
      await turn()
      await Bun.sleep(100)
    }
  })()
  return {
    running,
    async verify() {
      const end = syncs + 1
      await until(async () => {
        await turn()
        return syncs >= end
      }, CATCHES_UP_MS)
      expect(unexpected).toEqual([])
      const anew = new Map<string, string>()
      const whole = await until(async () => {
        const found = await sync('')
        if (found.status !== 207 && !isPassing(found.status))
          throw new Error(`REPORT ${path}: ${found.status}`)
        return found.status === 207 && found
      })
      apply(whole.text, anew)
      expect(Object.fromEntries(objects)).toEqual(Object.fromEntries(anew))
      return objects.size
    },
  }
}
