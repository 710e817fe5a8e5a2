import { expect } from 'bun:test'
import { multigetOf, PREFIXES, propfindOf, sendDav, syncOf } from '../support/dav'
import type { Harness } from '../support/harness'
import { pathOf, type Scene, written } from './authorisation.scene'

/** Every kind of address below /dav, as a caller of the scene would name it. */
function addressesOf({ kind, id, slug, other, lost }: Scene) {
  const own = pathOf(kind, id, slug)
  const home = `/dav/${kind.home}/${id}/`
  const otherHome = kind.home === 'calendars' ? 'addressbooks' : 'calendars'
  const foreign = pathOf(kind, other.id, other.slug)
  const name = (base: string) => `${base}.${kind.extension}`
  return {
    root: '/dav/',
    principals: '/dav/principals/',
    me: `/dav/principals/${id}/`,
    them: `/dav/principals/${other.id}/`,
    home,
    'home 2': `/dav/${otherHome}/${id}/`,
    'their home': `/dav/${kind.home}/${other.id}/`,
    collection: own,
    object: own + name('there'),
    'no object': own + name('absent'),
    'no collection': `${home}absent/`,
    'below it': `${home}absent/${name('there')}`,
    'not seen': `${home}${lost}/`,
    'in it': `${home}${lost}/${name('there')}`,
    theirs: foreign,
    'their object': foreign + name('there'),
    nowhere: '/dav/nowhere/',
  }
}

interface Sent {
  readonly method: string
  /** Where it goes instead of the address. */
  readonly path?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

const NAMES = ['d:displayname', 'd:resourcetype', 'd:owner', 'd:getetag', 'd:current-user-principal']
const EXPAND = `<d:expand-property ${PREFIXES}>${['owner', 'current-user-principal', 'principal-collection-set', 'principal-URL'].map((name) => `<d:property name="${name}"><d:property name="displayname"/><d:property name="calendar-home-set" namespace="urn:ietf:params:xml:ns:caldav"><d:property name="displayname"/></d:property></d:property>`).join('')}</d:expand-property>`
const SEARCH = `<d:principal-property-search ${PREFIXES}><d:property-search><d:prop><d:displayname/></d:prop><d:match></d:match></d:property-search><d:prop><d:displayname/></d:prop></d:principal-property-search>`
const PATCH = `<d:propertyupdate ${PREFIXES}><d:set><d:prop><d:displayname>Changed</d:displayname></d:prop></d:set></d:propertyupdate>`

/** Every method and report, with a body that is right where the method has a place. */
function requestsOf(scene: Scene, path = ''): Readonly<Record<string, Sent>> {
  const { kind } = scene
  const addresses = addressesOf(scene)
  const hrefs = Object.values(addresses)
  const here = { destination: `${addresses.collection}moved.${kind.extension}` }
  const there = { destination: path }
  const uid = /(\w+)\.\w+$/.exec(path)?.[1] ?? 'new'
  const text = kind.textOf(`${uid}@phone`, 'New')
  const report = (body: string): Sent => ({ method: 'REPORT', body })
  return {
    OPTIONS: { method: 'OPTIONS' },
    GET: { method: 'GET' },
    HEAD: { method: 'HEAD' },
    'PROPFIND 0': { method: 'PROPFIND', body: propfindOf(NAMES), headers: { depth: '0' } },
    'PROPFIND 1': { method: 'PROPFIND', body: propfindOf(NAMES), headers: { depth: '1' } },
    PROPNAME: {
      method: 'PROPFIND',
      body: `<d:propfind ${PREFIXES}><d:propname/></d:propfind>`,
      headers: { depth: '1' },
    },
    multiget: report(
      multigetOf(hrefs, ['d:getetag', kind.data]).replaceAll('c:calendar-multiget', kind.multiget),
    ),
    query: report(kind.query),
    'sync-collection': report(syncOf('')),
    'expand-property': report(EXPAND),
    'principal search': report(SEARCH),
    PROPPATCH: { method: 'PROPPATCH', body: PATCH },
    PUT: { method: 'PUT', body: text, headers: { 'content-type': kind.type } },
    make: kind.make,
    MKCOL: { method: 'MKCOL' },
    POST: { method: 'POST', body: text, headers: { 'content-type': kind.type } },
    MOVE: { method: 'MOVE', headers: here },
    COPY: { method: 'COPY', headers: here },
    'MOVE to': { method: 'MOVE', path: addresses.object, headers: there },
    'COPY to': { method: 'COPY', path: addresses.object, headers: there },
    LOCK: { method: 'LOCK' },
    ACL: { method: 'ACL', body: `<d:acl ${PREFIXES}/>` },
    PATCH: { method: 'PATCH', body: 'x' },
    DELETE: { method: 'DELETE' },
  }
}

const MOVING = ['MOVE', 'COPY', 'MOVE to', 'COPY to']
const CHANGING = new Set(['PROPPATCH', 'PUT', 'make', 'MKCOL', 'POST', ...MOVING, 'DELETE'])

type Place = keyof ReturnType<typeof addressesOf>

interface Tried {
  readonly name: string
  readonly place: Place
  readonly status: number
  readonly isChanged: boolean
}

/**
 * Sends every request to every address. Answers the statuses as a table: the addresses that answer the same stand together, and
 * so do the requests. What is refused, or only reads, has written nothing; no answer holds a forbidden word.
 */
export async function matrixOf(h: Harness, start: () => Promise<Scene>): Promise<string> {
  let scene = await start()
  let before = await written(h)
  const lines = new Map<string, string[]>()
  for (const name of Object.keys(requestsOf(scene))) {
    const statuses = new Map<number, Place[]>()
    for (const place of Object.keys(addressesOf(scene)) as Place[]) {
      const status = await sent(h, scene, name, place)
      statuses.set(status, [...(statuses.get(status) ?? []), place])
      const isChanged = (await written(h)) !== before
      check({ name, place, status, isChanged })
      if (!isChanged) continue
      scene = await start()
      before = await written(h)
    }
    const line = lineOf(statuses)
    lines.set(line, [...(lines.get(line) ?? []), name])
  }
  return [...lines].map(([line, names]) => `${names.join(', ')}:\n${line}`).join('\n')
}

function lineOf(statuses: ReadonlyMap<number, readonly Place[]>): string {
  if (statuses.size === 1) return `  ${[...statuses.keys()].join()} everywhere`
  const parts = [...statuses].toSorted(([a], [b]) => a - b)
  return parts.map(([status, places]) => `  ${status} ${places.join(', ')}`).join('\n')
}

/** Sends one request and looks for forbidden words; answers the status. */
async function sent(h: Harness, scene: Scene, name: string, place: Place): Promise<number> {
  const address = addressesOf(scene)[place]
  const { method, path = address, headers, ...rest } = requestsOf(scene, address)[name] ?? { method: name }
  const answer = await sendDav(h, method, path, { ...rest, headers: { ...headers, ...scene.headers } })
  const said = [answer.text, ...answer.headers.values()].join('\n')
  const leaked = scene.forbidden.filter((word) => said.includes(word))
  expect([name, place, leaked]).toEqual([name, place, []])
  return answer.status
}

function check({ name, place, status, isChanged }: Tried): void {
  const mayChange = status < 300 && CHANGING.has(name)
  expect([name, place, status, isChanged && !mayChange]).toEqual([name, place, status, false])
}
