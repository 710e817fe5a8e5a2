import { type Phone, phoneOf, syncOf } from '../support/dav'
import { CARDS, type DavKind, EVENTS, makeCollection, TODOS } from '../support/dav-kinds'
import type { Harness } from '../support/harness'
import { type Sharer, sharer } from '../support/sharing'
import { ending } from './findings'
import type { FileKind } from './file-texts'

/** Collections that files come into, and a second account that gets what is exported. */

export interface Place {
  readonly kind: FileKind
  readonly id: number
  readonly path: string
}

export interface FileScene {
  readonly h: Harness
  readonly owner: Sharer
  readonly phone: Phone
  /** The secret address of the calendar. */
  readonly feed: string
  readonly places: ReadonlyMap<FileKind, Place>
}

const KINDS: Readonly<Record<FileKind, DavKind>> = { VEVENT: EVENTS, VTODO: TODOS, VCARD: CARDS }

export const davKindOf = (kind: FileKind): DavKind => KINDS[kind]

/** New and empty, as what is there by now slows everything down. */
export async function sceneOf(h: Harness, name: string): Promise<FileScene> {
  const owner = await sharer(h)
  const phone = await phoneOf(h, owner)
  const places = new Map<FileKind, Place>()
  for (const [kind, davKind] of Object.entries(KINDS) as Array<[FileKind, DavKind]>) {
    const { id, slug } = await makeCollection(davKind, owner, `${name} ${kind}`)
    places.set(kind, { kind, id, path: `/dav/${davKind.home}/${owner.row.id}/${slug}/` })
  }
  const { body } = await owner.request('POST', `/api/calendars/${places.get('VEVENT')?.id}/feed`)
  return { h, owner, phone, feed: new URL((body as { url: string }).url).pathname, places }
}

export interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly bytes: Uint8Array
}

interface Asked {
  readonly as: Sharer | Phone
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer> | string
}

/** Sends bytes as they are; a phone with its app password, a person with their session. */
export async function ask(
  { h }: Pick<FileScene, 'h'>,
  method: string,
  path: string,
  { as, headers = {}, body }: Asked,
): Promise<Got> {
  const credential =
    'authorization' in as ? { authorization: as.authorization } : { cookie: `session=${as.token}` }
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: { ...credential, ...length, ...headers },
    ...(body !== undefined && { body }),
  })
  const title = `${method} ${path.replaceAll(/\d+/g, 'n')}`
  const response = await ending(h.app.fetch(request), title)
  // An answer that breaks off has no status of its own.
  const bytes = await ending(
    response.arrayBuffer().catch(() => undefined),
    `the answer to ${title}`,
  )
  if (!bytes) throw new Error(`${title} breaks off`)
  return {
    status: response.status,
    headers: response.headers,
    text: new TextDecoder().decode(bytes),
    bytes: new Uint8Array(bytes),
  }
}

/** Everything that reads the collection does so: JSON, listings, queries and sync. */
export async function readersOf(scene: FileScene, { kind, id, path }: Place): Promise<string[]> {
  const { owner, phone } = scene
  const davKind = davKindOf(kind)
  const json: Readonly<Record<FileKind, readonly string[]>> = {
    VEVENT: [
      `/api/calendars/${id}/events?limit=200`,
      `/api/events?calendar_id=${id}&from=2026-01-01&to=2026-12-31`,
      `/api/events?calendar_id=${id}&from=2026-10-01&to=2027-09-30`,
      '/api/dashboard',
    ],
    VTODO: [`/api/todos?list_id=${id}&limit=200`],
    VCARD: [`/api/people?book_id=${id}&limit=200`, '/api/people/upcoming-birthdays'],
  }
  const problems: string[] = []
  const files: Readonly<Record<FileKind, readonly string[]>> = {
    VEVENT: [`/api/calendars/${id}/export`, scene.feed],
    VTODO: [],
    VCARD: ['/api/people/export'],
  }
  for (const address of [...json[kind], ...files[kind], '/api/export', '/api/changes?limit=500']) {
    const { status } = await ask(scene, 'GET', address, { as: owner })
    if (status !== 200) problems.push(`GET ${address.replaceAll(/\d+/g, 'n')} answers ${status}`)
  }
  for (const [method, body] of [
    ['PROPFIND', ''],
    ['REPORT', davKind.query],
    ['REPORT', syncOf('')],
  ] as const) {
    const { status } = await ask(scene, method, path, { as: phone, headers: { depth: '1' }, body })
    if (status !== 207) problems.push(`${method} of ${kind} answers ${status}`)
  }
  return problems
}
