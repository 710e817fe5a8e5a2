import type { CardVersion } from '../../features/objects/sources/rules'
import { childOf, type XmlElement } from '../../lib/xml/element'
import { carddav, dav } from '../../lib/xml/names'
import { refused } from '../errors'
import type { Telling } from '../objects'
import { partOfCard, readCardParts } from '../queries/partial'

/** How the cards of a report are to be told: in which version, and in part (RFC 6352, section 10.4). @throws {DavError} 403. */
export function readCardTelling(body: XmlElement): Telling {
  const prop = childOf(body, dav('prop'))
  const data = prop && childOf(prop, carddav('address-data'))
  if (!data) return {}
  const parts = readCardParts(data)
  return { version: readVersion(data), ...(parts && { shape: (text: string) => partOfCard(text, parts) }) }
}

/** Without a version 3.0 is asked for, which is all that phones by Apple read (RFC 6352, section 10.4). @throws {DavError} 403. */
function readVersion({ attributes }: XmlElement): CardVersion {
  const type = attributes.get('content-type')?.trim().toLowerCase() ?? 'text/vcard'
  const version = attributes.get('version')?.trim() ?? '3.0'
  if (type !== 'text/vcard' || (version !== '3.0' && version !== '4.0'))
    throw refused(403, carddav('supported-address-data'))
  return version
}
