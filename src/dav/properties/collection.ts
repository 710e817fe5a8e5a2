import { type Journal, nameOn } from '../../access/journal/rules'
import { caldav, carddav, cs, dav, ical } from '../../lib/xml/names'
import { element, escapeXml, textElement } from '../../lib/xml/write'
import {
  type Collection,
  type CollectionKind,
  COMPONENTS,
  type Home,
  homeOf,
  partsOf,
  syncToken,
} from '../../features/objects/collections/rules'
import { principalHref } from '../address'
import { MAX_INSTANCES } from '../queries/expand'
import type { CollectionResource, HomeResource } from '../resources'
import { ANY, href, privileges, type Property, reports, uuidUrn } from './shared'

/** The longest text of an object, in bytes: cards may hold pictures. */
export const MAX_OBJECT_BYTES: Readonly<Record<Home, number>> = {
  calendars: 1_048_576,
  addressbooks: 10_485_760,
}

/** Tell collections of different kinds apart in their UUIDs. */
const URNS: Readonly<Record<CollectionKind, number>> = {
  calendar: 2,
  list: 4,
  reminders: 5,
  book: 0x20,
  // The ids of these are those of calendars.
  birthdays: 2,
  mixed: 2,
}

const CALENDAR_REPORTS = [
  caldav('calendar-query'),
  caldav('calendar-multiget'),
  caldav('free-busy-query'),
  dav('sync-collection'),
  dav('expand-property'),
]

const BOOK_REPORTS = [
  carddav('addressbook-query'),
  carddav('addressbook-multiget'),
  dav('sync-collection'),
  dav('expand-property'),
]

const COLLATIONS = ['i;ascii-casemap', 'i;octet', 'i;unicode-casemap']

/** What moves whenever anything below the home does, also when a calendar is shared or taken away. */
function ctagOf({ collections, href: path }: HomeResource, journal: Journal): string {
  const name = nameOn(journal, Math.max(1, ...collections.map(({ timeline }) => timeline)))
  const parts = collections.flatMap(partsOf)
  return `${name}/${path}/${parts.map(({ id, access, place }) => `${id}${access}${place}`).join('-')}`
}

const components = (kind: CollectionKind) =>
  COMPONENTS[kind].map((name) => element(caldav('comp'), '', { name })).join('')

/** The kinds of collections that clients may make in the home of calendars. */
export const MAKEABLE = ['calendar', 'list', 'mixed'] as const satisfies readonly CollectionKind[]

export const HOME_PROPERTIES = new Map<string, Property<HomeResource>>([
  ...ANY,
  [dav('resourcetype'), () => element(dav('collection'))],
  [dav('displayname'), ({ home }) => (home === 'calendars' ? 'Calendars' : 'Address books')],
  [dav('owner'), (_, { user }) => href(principalHref(user.session.userId))],
  [dav('current-user-privilege-set'), () => privileges('owner')],
  [dav('supported-report-set'), () => reports([dav('expand-property')])],
  [cs('getctag'), (home, { journal }) => escapeXml(ctagOf(home, journal))],
  [
    caldav('supported-calendar-component-sets'),
    ({ home }) =>
      home === 'calendars'
        ? MAKEABLE.map((kind) => element(caldav('supported-calendar-component-set'), components(kind))).join(
            '',
          )
        : undefined,
  ],
])

const OF_COLLECTIONS = new Map<string, Property<CollectionResource>>([
  ...ANY,
  [dav('displayname'), ({ collection }) => escapeXml(collection.name)],
  [dav('owner'), ({ collection }) => href(principalHref(collection.ownerId))],
  [dav('creationdate'), ({ collection }) => collection.createdAt.toISOString()],
  [dav('getlastmodified'), ({ collection }) => collection.createdAt.toUTCString()],
  [dav('resource-id'), ({ collection }) => href(uuidUrn(URNS[collection.kind], collection.id))],
  [dav('current-user-privilege-set'), ({ collection }) => privileges(collection.access)],
  [dav('sync-token'), ({ collection }, { journal }) => escapeXml(syncToken(collection, journal))],
  [cs('getctag'), ({ collection }, { journal }) => escapeXml(syncToken(collection, journal))],
  // RFC 5995: where POST adds an object.
  [
    dav('add-member'),
    ({ href: path, collection }) => (collection.access === 'read' ? undefined : href(path)),
  ],
  [caldav('schedule-calendar-transp'), () => element(caldav('opaque'))],
  [ical('calendar-color'), ({ collection }) => `${collection.color.toUpperCase()}FF`],
])

const CALENDAR_PROPERTIES = new Map<string, Property<CollectionResource>>([
  ...OF_COLLECTIONS,
  [dav('resourcetype'), () => element(dav('collection')) + element(caldav('calendar'))],
  [dav('supported-report-set'), () => reports(CALENDAR_REPORTS)],
  [caldav('supported-calendar-component-set'), ({ collection }) => components(collection.kind)],
  [
    caldav('supported-calendar-data'),
    () => element(caldav('calendar-data'), '', { 'content-type': 'text/calendar', version: '2.0' }),
  ],
  [
    caldav('supported-collation-set'),
    () => COLLATIONS.map((name) => textElement(caldav('supported-collation'), name)).join(''),
  ],
  [caldav('max-resource-size'), () => String(MAX_OBJECT_BYTES.calendars)],
  [caldav('min-date-time'), () => '00010101T000000Z'],
  [caldav('max-date-time'), () => '99991231T235959Z'],
  [caldav('max-instances'), () => String(MAX_INSTANCES)],
])

const BOOK_PROPERTIES = new Map<string, Property<CollectionResource>>([
  ...OF_COLLECTIONS,
  [dav('resourcetype'), () => element(dav('collection')) + element(carddav('addressbook'))],
  [dav('supported-report-set'), () => reports(BOOK_REPORTS)],
  [
    carddav('supported-address-data'),
    () =>
      ['3.0', '4.0']
        .map((version) =>
          element(carddav('address-data-type'), '', { 'content-type': 'text/vcard', version }),
        )
        .join(''),
  ],
  [
    carddav('supported-collation-set'),
    () => COLLATIONS.map((name) => textElement(carddav('supported-collation'), name)).join(''),
  ],
  [carddav('max-resource-size'), () => String(MAX_OBJECT_BYTES.addressbooks)],
])

const OF_HOMES = { calendars: CALENDAR_PROPERTIES, addressbooks: BOOK_PROPERTIES }

/** What a collection says of itself; its kind decides. */
export const propertiesOf = (collection: Collection): ReadonlyMap<string, Property<CollectionResource>> =>
  OF_HOMES[homeOf(collection)]

/** The names of all that collections say. */
export const COLLECTION_NAMES: readonly string[] = [...CALENDAR_PROPERTIES.keys(), ...BOOK_PROPERTIES.keys()]
