import { homeOf } from '../features/objects/collections/rules'
import type { ObjectEntry } from '../features/objects/sources/rules'
import { objectHref } from './address'
import { needsText, type Question, responseOf } from './properties/answer'
import type { CollectionResource, ObjectResource, Viewer } from './resources'
import { sourceOf } from './sources'
import type { Visit } from './visit'

/** Objects whose texts are read together. */
export const PIECE = 100

/** What an answer says of objects. */
export interface ObjectQuestion extends Question {
  readonly viewer: Viewer
  /** What it tells of a text; undefined where it cannot tell it. By default all of it. */
  readonly shape?: (text: string) => string | undefined
}

/** The responses for objects of a collection. Those that went meanwhile are left out. */
export async function* objectResponses(
  visit: Visit,
  resource: CollectionResource,
  entries: readonly ObjectEntry[],
  question: ObjectQuestion,
): AsyncGenerator<string, void, void> {
  for (let start = 0; start < entries.length; start += PIECE)
    for (const object of await resourcesOf(visit, resource, entries.slice(start, start + PIECE), question))
      yield responseOf(object, question, question.viewer)
}

/** Objects of a collection as resources, with their texts where those are asked for. */
export async function resourcesOf(
  { deps, user }: Visit,
  { collection }: Pick<CollectionResource, 'collection'>,
  entries: readonly ObjectEntry[],
  { asked, shape = (text) => text }: Pick<ObjectQuestion, 'asked' | 'shape'>,
): Promise<ObjectResource[]> {
  const of = { home: homeOf(collection), userId: user.session.userId, slug: collection.slug }
  const toResource = (entry: ObjectEntry, text?: string): ObjectResource => ({
    kind: 'object',
    href: objectHref(of, entry.name),
    collection,
    entry,
    text,
  })
  if (!needsText(asked)) return entries.map((entry) => toResource(entry))
  const read = await sourceOf(collection).read(deps, collection, entries)
  return read.map(({ text, ...entry }) => toResource(entry, shape(text)))
}
