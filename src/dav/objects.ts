import { homeOf } from '../features/objects/collections/rules'
import type { CardVersion, ObjectEntry } from '../features/objects/sources/rules'
import { objectHref } from './address'
import { needsText, type Question, responseOf } from './properties/answer'
import type { CollectionResource, ObjectResource, Viewer } from './resources'
import { sourceOf } from './sources'
import type { Visit } from './visit'
import { watchOver } from './watch'

/** Objects whose texts are read together, and about how long they may be together. */
const [PIECE, PIECE_BYTES] = [100, 1_048_576]

/** Objects in pieces of which each is read at once, in their order. */
export function* piecesOf<E extends Pick<ObjectEntry, 'bytes'>>(
  entries: readonly E[],
): Generator<E[], void, void> {
  let [piece, bytes]: [E[], number] = [[], 0]
  for (const entry of entries) {
    const more = entry.bytes ?? 0
    if (piece.length === PIECE || (piece.length > 0 && bytes + more > PIECE_BYTES)) {
      yield piece
      ;[piece, bytes] = [[], 0]
    }
    piece.push(entry)
    bytes += more
  }
  if (piece.length > 0) yield piece
}

/** What an answer says of objects. */
export interface ObjectQuestion extends Question, Telling {
  readonly viewer: Viewer
}

/** Why a text is not told. */
export interface Untold {
  readonly precondition: string
}

/** How texts are told. */
export interface Telling {
  /** The version of cards; by default each as it is kept. */
  readonly version?: CardVersion | undefined
  /** What is told of a text, or the precondition for which nothing is. By default all of it. */
  readonly shape?: (text: string) => string | Untold
}

/** The responses for objects of a collection. Those that went meanwhile are left out. */
export async function* objectResponses(
  visit: Visit,
  resource: CollectionResource,
  entries: readonly ObjectEntry[],
  question: ObjectQuestion,
): AsyncGenerator<string, void, void> {
  const refuseLost = watchOver(visit, resource)
  for (const piece of piecesOf(entries)) {
    await refuseLost()
    for (const object of await resourcesOf(visit, resource, piece, question))
      yield responseOf(object, question, question.viewer)
  }
}

/**
 * Objects of a collection as resources, with their texts where those are asked for. Each is made when it is taken, as shaping a text may
 * take long.
 */
export async function resourcesOf(
  { deps, user }: Visit,
  { collection }: Pick<CollectionResource, 'collection'>,
  entries: readonly ObjectEntry[],
  { asked, version, shape = (text) => text }: Pick<ObjectQuestion, 'asked'> & Telling,
): Promise<Iterable<ObjectResource>> {
  const of = { home: homeOf(collection), userId: user.session.userId, slug: collection.slug }
  const toResource = (entry: ObjectEntry, text?: string): ObjectResource => ({
    kind: 'object',
    href: objectHref(of, entry.name),
    collection,
    entry,
    text,
  })
  if (!needsText(asked)) return entries.values().map((entry) => toResource(entry))
  const read = await sourceOf(collection).read(deps, collection, entries, version)
  return read.values().map(({ text, ...entry }) => {
    const told = shape(text)
    return typeof told === 'string'
      ? toResource(entry, told)
      : { ...toResource(entry), refusal: told.precondition }
  })
}
