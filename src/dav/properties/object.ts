import { caldav, dav } from '../../lib/xml/names'
import { escapeXml } from '../../lib/xml/write'
import { principalHref } from '../address'
import { etagOf, type ObjectResource } from '../resources'
import { ANY, href, privileges, type Property, uuidUrn } from './shared'

export const EVENT_TYPE = 'text/calendar; charset=utf-8; component=VEVENT'

const EVENT_URN = 3

/** Properties that need the text. */
export const OF_TEXT: ReadonlySet<string> = new Set([caldav('calendar-data'), dav('getcontentlength')])

export const OBJECT_PROPERTIES = new Map<string, Property<ObjectResource>>([
  ...ANY,
  [dav('resourcetype'), () => ''],
  [dav('owner'), ({ collection }) => href(principalHref(collection.ownerId))],
  [dav('resource-id'), ({ entry }) => href(uuidUrn(EVENT_URN, entry.id))],
  [dav('current-user-privilege-set'), ({ collection }) => privileges(collection.access)],
  [dav('getetag'), ({ entry }) => escapeXml(etagOf(entry))],
  [dav('getcontenttype'), () => EVENT_TYPE],
  [dav('getlastmodified'), ({ entry }) => entry.updatedAt.toUTCString()],
  [
    dav('getcontentlength'),
    ({ text }) => (text === undefined ? undefined : String(new TextEncoder().encode(text).length)),
  ],
  [caldav('calendar-data'), ({ text }) => (text === undefined ? undefined : escapeXml(text))],
])
