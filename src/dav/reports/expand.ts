import type { Journal } from '../../access/journal/rules'
import type { XmlElement } from '../../lib/xml/element'
import { dav } from '../../lib/xml/names'
import { element } from '../../lib/xml/write'
import { addressOfHref } from '../address'
import { DavError } from '../errors'
import { multistatus } from '../multistatus'
import { answerWith, propertyOf, statusResponse } from '../properties/answer'
import type { Found, Resource, Viewer } from '../resources'
import { findResource, type Visit, viewerOf } from '../visit'

/** Addresses that are followed for one request. */
const MOST = 100

interface Expanding {
  readonly visit: Visit
  readonly journal: Journal
  /** How many addresses may still be followed. */
  left: number
}

/**
 * Answers expand-property (RFC 3253, section 3.8): properties that are addresses come with the properties of what is there.
 * @throws {DavError} 400, 507 for a request that follows too many addresses.
 */
export async function expandProperty(
  visit: Visit,
  body: XmlElement,
  { resource, journal }: Found,
): Promise<Response> {
  const viewer = await viewerOf(visit, journal, [resource])
  return multistatus(visit.deps, [await expanded({ visit, journal, left: MOST }, resource, body, viewer)])
}

async function expanded(
  state: Expanding,
  resource: Resource,
  asked: XmlElement,
  viewer: Viewer,
): Promise<string> {
  const found: string[] = []
  const missing: string[] = []
  for (const property of asked.children.filter(({ name }) => name === dav('property'))) {
    const name = nameOf(property)
    const content = propertyOf(resource, name, viewer)
    if (content === undefined) missing.push(element(name))
    else if (property.children.length === 0) found.push(content)
    else found.push(element(name, await followed(state, content, property, viewer)))
  }
  return answerWith(resource.href, { found, missing })
}

/** The answers of the addresses in a property. */
async function followed(
  state: Expanding,
  content: string,
  asked: XmlElement,
  viewer: Viewer,
): Promise<string> {
  const answers: string[] = []
  for (const [, href = ''] of content.matchAll(/<d:href>([^<]*)<\/d:href>/g)) {
    if (state.left-- <= 0) throw new DavError(507)
    const address = addressOfHref(href)
    const found = address && (await findResource({ ...state.visit, address }))
    answers.push(
      found ? await expanded(state, found.resource, asked, viewer) : statusResponse(href, '404 Not Found'),
    )
  }
  return answers.join('')
}

/** What the name of an element may be (XML names, section 3), without the rarest letters. */
const LOCAL_NAME = /^[\p{L}_][\p{L}\p{N}._-]*$/u

/** The property that is asked for. @throws {DavError} 400 for what cannot be one. */
function nameOf({ attributes }: XmlElement): string {
  const local = attributes.get('name') ?? ''
  if (!LOCAL_NAME.test(local)) throw new DavError(400)
  return `{${attributes.get('namespace') ?? 'DAV:'}}${local}`
}
