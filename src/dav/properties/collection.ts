import { caldav, cs, dav, ical } from '../../lib/xml/names'
import { element, escapeXml, textElement } from '../../lib/xml/write'
import { type CollectionKind, COMPONENTS, syncToken } from '../../features/objects/collections/rules'
import { principalHref } from '../address'
import type { CollectionResource, HomeResource } from '../resources'
import { ANY, href, privileges, type Property, reports, uuidUrn } from './shared'

/** The longest text of an object, in bytes. */
export const MAX_OBJECT_BYTES = 1_048_576

/** Tell collections of different kinds apart in their UUIDs. */
const URNS: Readonly<Record<CollectionKind, number>> = { calendar: 2, list: 4, reminders: 5 }

const CALENDAR_REPORTS = [
  caldav('calendar-query'),
  caldav('calendar-multiget'),
  caldav('free-busy-query'),
  dav('sync-collection'),
  dav('expand-property'),
]

/** What moves whenever anything below the home does, also when a calendar is shared or taken away. */
const ctagOf = ({ collections, href: path }: HomeResource, epoch: string) =>
  `${epoch}/${path}/${collections.map(({ id, access, place }) => `${id}${access}${place}`).join('-')}`

const components = (kind: CollectionKind) =>
  COMPONENTS[kind].map((name) => element(caldav('comp'), '', { name })).join('')

/** The kinds of collections that clients may make in the home of calendars. */
export const MAKEABLE = ['calendar', 'list'] as const satisfies readonly CollectionKind[]

export const HOME_PROPERTIES = new Map<string, Property<HomeResource>>([
  ...ANY,
  [dav('resourcetype'), () => element(dav('collection'))],
  [dav('displayname'), ({ home }) => (home === 'calendars' ? 'Calendars' : 'Address books')],
  [dav('owner'), (_, { user }) => href(principalHref(user.session.userId))],
  [dav('current-user-privilege-set'), () => privileges('owner')],
  [dav('supported-report-set'), () => reports([dav('expand-property')])],
  [cs('getctag'), (home, { epoch }) => escapeXml(ctagOf(home, epoch))],
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

export const COLLECTION_PROPERTIES = new Map<string, Property<CollectionResource>>([
  ...ANY,
  [dav('resourcetype'), () => element(dav('collection')) + element(caldav('calendar'))],
  [dav('displayname'), ({ collection }) => escapeXml(collection.name)],
  [dav('owner'), ({ collection }) => href(principalHref(collection.ownerId))],
  [dav('creationdate'), ({ collection }) => collection.createdAt.toISOString()],
  [dav('getlastmodified'), ({ collection }) => collection.createdAt.toUTCString()],
  [dav('resource-id'), ({ collection }) => href(uuidUrn(URNS[collection.kind], collection.id))],
  [dav('current-user-privilege-set'), ({ collection }) => privileges(collection.access)],
  [dav('supported-report-set'), () => reports(CALENDAR_REPORTS)],
  [dav('sync-token'), ({ collection }, { epoch }) => escapeXml(syncToken(collection, epoch))],
  [cs('getctag'), ({ collection }, { epoch }) => escapeXml(syncToken(collection, epoch))],
  [ical('calendar-color'), ({ collection }) => `${collection.color.toUpperCase()}FF`],
  [caldav('supported-calendar-component-set'), ({ collection }) => components(collection.kind)],
  [
    caldav('supported-calendar-data'),
    () => element(caldav('calendar-data'), '', { 'content-type': 'text/calendar', version: '2.0' }),
  ],
  [
    caldav('supported-collation-set'),
    () =>
      ['i;ascii-casemap', 'i;octet', 'i;unicode-casemap']
        .map((name) => textElement(caldav('supported-collation'), name))
        .join(''),
  ],
  [caldav('max-resource-size'), () => String(MAX_OBJECT_BYTES)],
  [caldav('min-date-time'), () => '00010101T000000Z'],
  [caldav('max-date-time'), () => '99991231T235959Z'],
])
