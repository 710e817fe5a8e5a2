import { type Home, homeOf } from '../../features/objects/collections/rules'
import { type ObjectEntry, type ObjectKind, partHolding } from '../../features/objects/sources/rules'
import { caldav, carddav, dav } from '../../lib/xml/names'
import { escapeXml } from '../../lib/xml/write'
import { principalHref } from '../address'
import { etagOf, type ObjectResource } from '../resources'
import { ANY, href, privileges, type Property, uuidUrn } from './shared'

/** The media type of objects of each kind, and the number that tells them apart in their UUIDs. */
const KINDS: Record<ObjectKind, { readonly type: string; readonly urn: number }> = {
  event: { type: 'text/calendar; charset=utf-8; component=VEVENT', urn: 3 },
  person: { type: 'text/vcard; charset=utf-8', urn: 0x21 },
  group: { type: 'text/vcard; charset=utf-8', urn: 0x22 },
  invitation: { type: 'text/calendar; charset=utf-8; component=VEVENT', urn: 12 },
  birthday: { type: 'text/calendar; charset=utf-8; component=VEVENT', urn: 11 },
  todo: { type: 'text/calendar; charset=utf-8; component=VTODO', urn: 6 },
  reminder: { type: 'text/calendar; charset=utf-8; component=VTODO', urn: 7 },
}

export const typeOf = ({ kind }: Pick<ObjectEntry, 'kind'>): string => KINDS[kind].type

/** The text itself. */
export const DATA: ReadonlySet<string> = new Set([caldav('calendar-data'), carddav('address-data')])
/** Properties that need the text. */
export const OF_TEXT: ReadonlySet<string> = new Set([...DATA, dav('getcontentlength')])

const dataOf =
  (home: Home): Property<ObjectResource> =>
  ({ collection, text }) =>
    text === undefined || homeOf(collection) !== home ? undefined : escapeXml(text)

export const OBJECT_PROPERTIES = new Map<string, Property<ObjectResource>>([
  ...ANY,
  [dav('resourcetype'), () => ''],
  [dav('owner'), ({ collection }) => href(principalHref(collection.ownerId))],
  [dav('resource-id'), ({ entry }) => href(uuidUrn(KINDS[entry.kind].urn, entry.id))],
  [
    dav('current-user-privilege-set'),
    ({ collection, entry }) => privileges(partHolding(collection, entry).access),
  ],
  [dav('getetag'), ({ entry }) => escapeXml(etagOf(entry))],
  [dav('getcontenttype'), ({ entry }) => typeOf(entry)],
  [dav('getlastmodified'), ({ entry }) => entry.updatedAt.toUTCString()],
  [
    dav('getcontentlength'),
    ({ text }) => (text === undefined ? undefined : String(new TextEncoder().encode(text).length)),
  ],
  [caldav('calendar-data'), dataOf('calendars')],
  [carddav('address-data'), dataOf('addressbooks')],
])
