import { homeOf } from '../../features/objects/collections/rules'
import { isKnownTag } from '../../lib/etags'
import { cardVersionIn } from '../accept'
import { DavError } from '../errors'
import { typeOf } from '../properties/object'
import { etagOf, type Resource } from '../resources'
import { sourceOf } from '../sources'
import { findResource, type Visit } from '../visit'

/** Answers GET with the text of an object, and elsewhere with a line for people. @throws {DavError} 404. */
export async function get(visit: Visit): Promise<Response> {
  const found = await findResource(visit)
  if (!found) throw new DavError(404)
  const { resource } = found
  return resource.kind === 'object' ? objectAnswer(visit, resource) : hint()
}

async function objectAnswer(
  { deps, request }: Visit,
  { collection, entry }: Extract<Resource, { kind: 'object' }>,
): Promise<Response> {
  const headers = {
    etag: etagOf(entry),
    'content-type': typeOf(entry),
    'last-modified': entry.updatedAt.toUTCString(),
    'cache-control': 'private, no-cache',
    ...(homeOf(collection) === 'addressbooks' && { vary: 'accept' }),
    'content-security-policy': "default-src 'none'; sandbox",
  }
  if (isKnownTag(headers.etag, request.headers.get('if-none-match')))
    return new Response(null, { status: 304, headers })
  const [read] = await sourceOf(collection).read(
    deps,
    collection,
    [entry],
    cardVersionIn(request.headers.get('accept') ?? ''),
  )
  if (!read) throw new DavError(404)
  const bytes = new TextEncoder().encode(read.text)
  // HEAD tells the length as GET does.
  return new Response(bytes, { headers: { ...headers, 'content-length': String(bytes.byteLength) } })
}

/** Somebody opened the address in a browser. */
const hint = () =>
  new Response('This address is for programs that sync calendars and contacts.\n', {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
