import { childOf, type XmlElement } from '../../lib/xml/element'
import { dav } from '../../lib/xml/names'
import { document, element, textElement } from '../../lib/xml/write'
import { multistatus } from '../multistatus'
import { wantsMinimal } from '../methods/propfind'
import { responseOf } from '../properties/answer'
import { askedWithin } from '../properties/asked'
import type { Found } from '../resources'
import { principalsOf, type Visit, viewerOf } from '../visit'

/** Answers principal-search-property-set: users are found by name (RFC 3744, section 9.5). */
export const searchProperties = async (): Promise<Response> =>
  new Response(
    document(
      dav('principal-search-property-set'),
      element(
        dav('principal-search-property'),
        element(dav('prop'), element(dav('displayname'))) +
          textElement(dav('description'), 'Name', { 'xml:lang': 'en' }),
      ),
    ),
    { headers: { 'content-type': 'application/xml; charset=utf-8' } },
  )

/** Answers principal-property-search among the visitor and their connections (RFC 3744, section 9.4). */
export async function searchPrincipals(
  visit: Visit,
  body: XmlElement,
  { journal }: Found,
): Promise<Response> {
  const searches = body.children.filter(({ name }) => name === dav('property-search'))
  const isMeant = (name: string) =>
    searches.length > 0 &&
    searches.every((search) => {
      const isByName = childOf(search, dav('prop'))?.children.every((one) => one.name === dav('displayname'))
      const wanted = childOf(search, dav('match'))?.text.trim().toLowerCase() ?? ''
      return isByName === true && name.toLowerCase().includes(wanted)
    })
  const found = (await principalsOf(visit)).filter(({ name }) => isMeant(name))
  const asked = askedWithin(body) ?? { kind: 'named', names: [] }
  const viewer = await viewerOf(visit, journal, [])
  const question = { asked, isMinimal: wantsMinimal(visit.request) }
  return multistatus(
    visit.deps,
    found.map((principal) => responseOf(principal, question, viewer)),
  )
}
