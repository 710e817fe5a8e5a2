import { sharer } from '../support/sharing'
import { multigetOf, PREFIXES } from '../support/dav'
import { ask, davKindOf, type FileScene, type Got, type Place } from './file-scene'
import { xmlReader } from '../../src/adapters/xml'
import { childOf, type XmlElement } from '../../src/lib/xml/element'
import type { DrawnFile } from './file-texts'

/** The ways in which a file comes and goes. Each answers what is wrong. */

const decoded = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

/** What XML cannot hold, and how it ends lines. */
const asInXml = (text: string) =>
  Array.from(text.replaceAll(/\r\n?/g, '\n'))
    .filter((character) => character >= ' ' || character === '\n' || character === '\t')
    .filter((character) => character !== '\ufffe' && character !== '\uffff')
    .join('')

const isAccepted = ({ status }: Got) => status < 300

/** Statuses with which a program is told what is wrong with its file. */
const REFUSALS = new Set([400, 403, 409, 412, 413, 415, 422])
export const refusalProblems = (way: string, { status }: Pick<Got, 'status'>): string[] =>
  REFUSALS.has(status) ? [] : [`${way} answers ${status}`]

/** The version of a card, undefined where it is spoilt: asked for in another one, it would be converted. */
const versionIn = (bytes: Uint8Array) =>
  /^VERSION[^:]*:\s*([34]\.0)\s*$/im.exec(decoded(bytes).replaceAll(/\r?\n[ \t]/g, ''))?.[1]

/** By PUT: what is taken is given back byte for byte, by GET and in a report; what is valid is taken. */
export async function put(scene: FileScene, place: Place, file: DrawnFile, name: string): Promise<string[]> {
  const { phone } = scene
  const kind = davKindOf(place.kind)
  const href = `${place.path}${name}.${kind.extension}`
  const made = await ask(scene, 'PUT', href, {
    as: phone,
    headers: { 'content-type': kind.type },
    body: file.bytes,
  })
  if (!isAccepted(made)) {
    const problems = refusalProblems('PUT', made)
    return file.isValid ? [...problems, `PUT of a valid ${place.kind} answers ${made.status}`] : problems
  }
  const got = await ask(scene, 'GET', href, { as: phone })
  if (got.status !== 200) return [`GET of what was put answers ${got.status}`]
  const problems = Buffer.compare(got.bytes, file.bytes) === 0 ? [] : ['GET gives back other bytes']
  if (got.headers.get('etag') !== made.headers.get('etag')) problems.push('GET has another ETag than PUT')
  return [...problems, ...(await reported(scene, place, file, href))]
}

/** By REPORT: the text is that of the file. */
async function reported(scene: FileScene, place: Place, file: DrawnFile, href: string): Promise<string[]> {
  const isCard = place.kind === 'VCARD'
  const version = versionIn(file.bytes)
  const body = isCard
    ? `<card:addressbook-multiget ${PREFIXES}><d:prop><card:address-data content-type="text/vcard" version="${version ?? '4.0'}"/></d:prop><d:href>${href}</d:href></card:addressbook-multiget>`
    : multigetOf([href])
  const report = await ask(scene, 'REPORT', place.path, { as: scene.phone, headers: { depth: '1' }, body })
  const data = dataIn(report)
  if (data === undefined) return [`REPORT of what was put answers ${report.status} without it`]
  if (isCard && version === undefined) return []
  return asInXml(data) === asInXml(decoded(file.bytes)) ? [] : [`REPORT gives another text\n${asInXml(data)}`]
}

/** The first text of an object in a report. */
function dataIn({ status, text }: Got): string | undefined {
  if (status !== 207) return undefined
  const look = (element: XmlElement): string | undefined => {
    for (const child of element.children) {
      for (const space of ['urn:ietf:params:xml:ns:caldav', 'urn:ietf:params:xml:ns:carddav'])
        for (const local of ['calendar-data', 'address-data']) {
          const found = childOf(element, `{${space}}${local}`)?.text
          if (found !== undefined) return found
        }
      const inside = look(child)
      if (inside !== undefined) return inside
    }
    return undefined
  }
  return look(xmlReader.read(text))
}

interface Imported {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly skipped: ReadonlyArray<{ readonly reason: string }>
}

const importPath = ({ kind, id }: Pick<Place, 'kind' | 'id'>) =>
  kind === 'VCARD' ? `/api/people/import?book_id=${id}` : `/api/calendars/${id}/import?x=`
const typeOf = ({ kind }: Pick<Place, 'kind'>) => (kind === 'VCARD' ? 'text/vcard' : 'text/calendar')

async function imported(
  scene: FileScene,
  place: Pick<Place, 'kind' | 'id'>,
  bytes: Uint8Array<ArrayBuffer> | string,
  { isDryRun = false, as = scene.owner } = {},
): Promise<Got> {
  const path = importPath(place).replace(/\?x=$/, '')
  const query = isDryRun ? `${path.includes('?') ? '&' : '?'}dry_run=true` : ''
  return ask(scene, 'POST', path + query, { as, headers: { 'content-type': typeOf(place) }, body: bytes })
}

const countsOf = (got: Got) => JSON.parse(got.text) as Imported

/** By import: a dry run says what it will do, the same file again changes nothing, and what is valid is taken whole. */
export async function take(scene: FileScene, place: Place, file: DrawnFile): Promise<string[]> {
  const dry = await imported(scene, place, file.bytes, { isDryRun: true })
  const real = await imported(scene, place, file.bytes)
  if (real.status !== dry.status) return [`a dry run answers ${dry.status}, the import ${real.status}`]
  if (!isAccepted(real)) {
    const problems = refusalProblems('import', real)
    return file.isValid ? [...problems, `import of a valid file answers ${real.status}`] : problems
  }
  const [said, did] = [countsOf(dry), countsOf(real)]
  const problems = JSON.stringify(said) === JSON.stringify(did) ? [] : ['a dry run says something else']
  const again = await imported(scene, place, file.bytes)
  const { created, updated } = again.status === 200 ? countsOf(again) : { created: -1, updated: -1 }
  if (created !== 0 || updated !== 0) problems.push(`the same import again creates or updates`)
  const sum = did.created + did.updated + did.unchanged
  if (file.isValid && sum < file.uids.length) problems.push(`a valid ${place.kind} is left out`)
  return problems
}

const blocksIn = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`^BEGIN:${name}\r\n[^]*?^END:${name}\r\n`, 'gm'))]
    .map(([block]) => block)
    .toSorted()

const exportPath = ({ kind, id }: Pick<Place, 'kind' | 'id'>) =>
  kind === 'VCARD' ? `/api/people/export?book_id=${id}` : `/api/calendars/${id}/export`

/** What is kept in the text alone, and therefore named each time. */
const NAMED_EACH_TIME =
  /^(?:is an occurrence of a series that is not supported$|changes all occurrences from one on \(RANGE=THISANDFUTURE\))/

/** By export: it is what is there, comes in again unchanged, and another account that imports it exports the same. */
export async function giveBack(scene: FileScene, place: Place): Promise<string[]> {
  const { owner } = scene
  // Cards that somebody knows stay in their book.
  const second = await sharer(scene.h)
  const out = await ask(scene, 'GET', exportPath(place), { as: owner })
  if (out.status !== 200) return [`export answers ${out.status}`]
  // Nobody in a book is no card in its file.
  if (out.text === '') return []
  const own = await imported(scene, place, out.bytes as Uint8Array<ArrayBuffer>)
  if (own.status !== 200) return [`import of an export answers ${own.status}`]
  const { created, updated, skipped } = countsOf(own)
  const problems: string[] = []
  if (created + updated > 0) {
    const again = await ask(scene, 'GET', exportPath(place), { as: owner })
    const difference = firstDifference(blocksIn(out.text, place.kind), blocksIn(again.text, place.kind))
    problems.push(`import of an export creates ${created} and updates ${updated}: ${difference}`)
  }
  const leftOut = skipped.filter(({ reason }) => !NAMED_EACH_TIME.test(reason))
  if (leftOut.length > 0)
    problems.push(`import of an export leaves something out\n${JSON.stringify(leftOut)}`)
  const api = place.kind === 'VCARD' ? '/api/address-books' : '/api/calendars'
  const { body } = await second.request('POST', api, {
    body: { name: `${place.kind} ${scene.h.clock.now().getTime()}` },
  })
  const there = { kind: place.kind, id: (body as { id: number }).id }
  const taken = await imported(scene, there, out.bytes as Uint8Array<ArrayBuffer>, { as: second })
  if (taken.status !== 200) return [...problems, `import of an export elsewhere answers ${taken.status}`]
  const back = await ask(scene, 'GET', exportPath(there), { as: second })
  const [before, after] = [blocksIn(out.text, place.kind), blocksIn(back.text, place.kind)]
  if (before.join('') !== after.join(''))
    problems.push(`another account exports something else: ${firstDifference(before, after)}`)
  return [...problems, ...(place.kind === 'VEVENT' ? await feed(scene, before) : [])]
}

const firstDifference = (before: readonly string[], after: readonly string[]): string => {
  const missing = before.find((block) => !after.includes(block)) ?? ''
  const added = after.find((block) => !before.includes(block)) ?? ''
  return `\n${missing.slice(0, 1500)}\n→ ${added.slice(0, 1500)}`
}

/** By the secret address. */
async function feed(scene: FileScene, exported: readonly string[]): Promise<string[]> {
  const read = await ask(scene, 'GET', scene.feed, { as: scene.owner })
  if (read.status !== 200) return [`feed answers ${read.status}`]
  return feedProblems(exported, blocksIn(read.text, 'VEVENT'))
}

const lineIn = (block: string, name: string): string =>
  new RegExp(`^${name}(?:;[^:]*)?:(.*)$`, 'm').exec(block.replaceAll(/\r\n[ \t]/g, ''))?.[1] ?? ''
const uidsIn = (blocks: readonly string[]) => new Set(blocks.map((block) => lineIn(block, 'UID')))
/** The name of an event of which a feed tells the times alone. */
const isMasked = (block: string): boolean => /^private-\d+\s*$/.test(lineIn(block, 'UID'))
const isPrivate = (block: string): boolean => !/^(?:PUBLIC)?\s*$/i.test(lineIn(block, 'CLASS'))

/** What is public is in the feed as the export has it; of an event that is not, its times are, and nothing else is. */
export function feedProblems(exported: readonly string[], fed: readonly string[]): string[] {
  const secret = uidsIn(exported.filter(isPrivate))
  const isOpen = (block: string) => !secret.has(lineIn(block, 'UID'))
  const [open, masked] = [exported.filter(isOpen), fed.filter(isMasked)]
  const told = fed.filter((block) => !isMasked(block))
  const said = masked.filter((block) => /^(?:DESCRIPTION|LOCATION|ATTENDEE|BEGIN:VALARM)/m.test(block))
  return [
    ...(told.join('') === open.join('')
      ? []
      : [`the feed tells other public events: ${firstDifference(open, told)}`]),
    ...(uidsIn(masked).size === secret.size
      ? []
      : [`the feed hides ${uidsIn(masked).size} events instead of ${secret.size}`]),
    ...said.map((block) => `the feed says more than the times of a private event\n${block.slice(0, 1500)}`),
  ]
}
