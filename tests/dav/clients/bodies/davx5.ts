import type { Exchange } from './exchange'

/** DAVx5 on Android. */

const XML = "<?xml version='1.0' encoding='UTF-8' ?>"
const NAMESPACES =
  'xmlns="DAV:" xmlns:CAL="urn:ietf:params:xml:ns:caldav" xmlns:CARD="urn:ietf:params:xml:ns:carddav" xmlns:CS="http://calendarserver.org/ns/" xmlns:ICAL="http://apple.com/ns/ical/" xmlns:P="https://bitfire.at/webdav-push"'

const propfindOf = (properties: string) =>
  `${XML}<propfind ${NAMESPACES}><prop>${properties}</prop></propfind>`

const BASE = propfindOf(
  '<resourcetype/><displayname/><current-user-principal/><CARD:addressbook-home-set/><CARD:addressbook-description/><CAL:calendar-home-set/><CAL:calendar-description/><CAL:calendar-timezone/><CAL:supported-calendar-component-set/><current-user-privilege-set/><ICAL:calendar-color/>',
)

const HOME = propfindOf(
  '<current-user-privilege-set/><displayname/><owner/><resourcetype/><P:transports/><P:topic/><CAL:calendar-description/><ICAL:calendar-color/><CAL:calendar-timezone/><CAL:calendar-timezone-id/><CAL:supported-calendar-component-set/><CS:source/>',
)

const syncSince = (token: string) =>
  `${XML}<sync-collection ${NAMESPACES}><sync-token>${token}</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`

export const davx5: readonly Exchange[] = [
  {
    title: 'looks at the address that it was given, is told who it is, and that calendars are spoken there',
    steps: [
      {
        ask: 'PROPFIND /dav/',
        headers: { depth: '0', 'content-type': 'application/xml; charset=utf-8' },
        body: BASE,
        status: 207,
        responses: {
          '/dav/': {
            holds: { 'd:current-user-principal': ['{principal}'] },
            missing: [
              'c:calendar-home-set',
              'card:addressbook-home-set',
              'c:supported-calendar-component-set',
            ],
          },
        },
      },
      { ask: 'OPTIONS /dav/', status: 200, told: { dav: /\bcalendar-access\b/ } },
    ],
  },
  {
    title:
      'finds the homes in the principal, and calendars with privileges, owner, components and colour in one',
    steps: [
      {
        ask: 'PROPFIND {principal}',
        headers: { depth: '0' },
        body: propfindOf(
          '<CAL:calendar-home-set/><CARD:addressbook-home-set/><group-membership/><CS:calendar-proxy-read-for/><CS:calendar-proxy-write-for/><CAL:calendar-user-address-set/><displayname/>',
        ),
        status: 207,
        responses: {
          '{principal}': {
            found: ['d:displayname'],
            holds: {
              'c:calendar-home-set': ['{home}'],
              'card:addressbook-home-set': ['{books}'],
              'd:group-membership': [],
              'cs:calendar-proxy-read-for': [],
              'cs:calendar-proxy-write-for': [],
            },
          },
        },
      },
      {
        ask: 'PROPFIND {home}',
        headers: { depth: '1' },
        body: HOME,
        status: 207,
        responses: {
          '{calendar}': {
            found: ['a:calendar-color'],
            texts: { 'd:displayname': 'Personal' },
            holds: { 'd:owner': ['{principal}'], 'c:supported-calendar-component-set': ['VEVENT'] },
            missing: ['push:transports', 'push:topic', 'cs:source'],
          },
        },
        says: ['<d:privilege><d:write-content/></d:privilege>', '<d:privilege><d:unbind/></d:privilege>'],
      },
      {
        ask: 'PROPFIND {principal}',
        headers: { depth: '0' },
        body: propfindOf('<displayname/>'),
        status: 207,
        responses: { '{principal}': { found: ['d:displayname'] } },
      },
    ],
  },
  {
    title: 'syncs a calendar by token, and reads what changed in small multigets',
    steps: [
      {
        ask: 'PROPFIND {calendar}',
        headers: { depth: '0' },
        body: propfindOf(
          '<CAL:max-resource-size/><CARD:max-resource-size/><CARD:supported-address-data/><supported-report-set/><CS:getctag/><sync-token/>',
        ),
        status: 207,
        keeps: /<d:sync-token>([^<]+)</,
        responses: {
          '{calendar}': {
            texts: { 'c:max-resource-size': '1048576' },
            found: ['cs:getctag', 'd:sync-token'],
            missing: ['card:max-resource-size', 'card:supported-address-data'],
          },
        },
        says: ['<d:report><d:sync-collection/></d:report>'],
      },
      {
        ask: 'REPORT {calendar}',
        body: syncSince(''),
        status: 207,
        only: true,
        responses: { '{lunch}': { found: ['d:getetag'] }, '{choir}': { found: ['d:getetag'] } },
      },
      { ask: 'DELETE {choir}', headers: { 'if-match': '{choirTag}' }, status: 204 },
      {
        ask: 'REPORT {calendar}',
        body: syncSince('$1'),
        status: 207,
        only: true,
        responses: { '{choir}': { status: 'HTTP/1.1 404 Not Found' } },
      },
      {
        ask: 'REPORT {calendar}',
        body: `${XML}<CAL:calendar-multiget ${NAMESPACES}><prop><getcontenttype/><getetag/><CAL:schedule-tag/><CAL:calendar-data content-type="text/calendar" version="2.0"/></prop><href>{lunch}</href><href>{choir}</href></CAL:calendar-multiget>`,
        status: 207,
        only: true,
        responses: {
          '{lunch}': { texts: { 'd:getetag': '{lunchTag}' }, missing: ['c:schedule-tag'] },
          '{choir}': { status: 'HTTP/1.1 404 Not Found' },
        },
      },
    ],
  },
  {
    title: 'lists the past ninety days and what is to come',
    steps: [
      {
        ask: 'REPORT {calendar}',
        headers: { depth: '1' },
        body: `${XML}<CAL:calendar-query ${NAMESPACES}><prop><getetag/></prop><CAL:filter><CAL:comp-filter name="VCALENDAR"><CAL:comp-filter name="VEVENT"><CAL:time-range start="20260310T000000Z"/></CAL:comp-filter></CAL:comp-filter></CAL:filter></CAL:calendar-query>`,
        status: 207,
        only: true,
        responses: { '{lunch}': { found: ['d:getetag'] }, '{choir}': { found: ['d:getetag'] } },
      },
    ],
  },
  {
    title:
      'uploads what is new, changes what it knows, and is told by 412 that the service has something newer',
    steps: [
      {
        ask: 'PUT {calendar}0b9d6a4e-8c1e-4a3f-b5d7-2f1c3e4d5a6b.ics',
        headers: { 'content-type': 'text/calendar; charset=utf-8', 'if-none-match': '*' },
        body: '{text}',
        status: 201,
        told: { etag: /^"\d+-1"$/ },
        keeps: /^("\d+-1")$/,
      },
      {
        ask: 'PUT {calendar}0b9d6a4e-8c1e-4a3f-b5d7-2f1c3e4d5a6b.ics',
        headers: { 'content-type': 'text/calendar; charset=utf-8', 'if-none-match': '*' },
        body: '{text}',
        status: 412,
      },
      {
        ask: 'PUT {calendar}0b9d6a4e-8c1e-4a3f-b5d7-2f1c3e4d5a6b.ics',
        headers: { 'content-type': 'text/calendar; charset=utf-8', 'if-match': '"1-99"' },
        body: '{text}',
        status: 412,
      },
      // Known elsewhere in the collection: 409, as it gives up the whole collection at 403.
      {
        ask: 'PUT {calendar}twin.ics',
        headers: { 'content-type': 'text/calendar; charset=utf-8', 'if-none-match': '*' },
        body: '{text}',
        status: 409,
        says: ['<cal:no-uid-conflict><d:href>{calendar}0b9d6a4e-8c1e-4a3f-b5d7-2f1c3e4d5a6b.ics</d:href>'],
      },
    ],
  },
  {
    title: 'makes and deletes a calendar, and is answered without a multistatus',
    steps: [
      {
        ask: 'MKCALENDAR {home}f2a1c7b0-1111-4222-8333-444455556666/',
        headers: { 'content-type': 'application/xml; charset=utf-8' },
        body: `${XML}<CAL:mkcalendar ${NAMESPACES}><set><prop><resourcetype><collection/><CAL:calendar/></resourcetype><displayname>Reisen</displayname><ICAL:calendar-color>#C3EA6EFF</ICAL:calendar-color><CAL:calendar-description>Mit der Bahn</CAL:calendar-description><CAL:calendar-timezone-id>Europe/Vienna</CAL:calendar-timezone-id><CAL:supported-calendar-component-set><CAL:comp name="VEVENT"/></CAL:supported-calendar-component-set></prop></set></CAL:mkcalendar>`,
        status: 201,
        told: { 'cache-control': 'no-cache' },
      },
      {
        ask: 'PROPFIND {home}',
        headers: { depth: '1' },
        body: HOME,
        status: 207,
        responses: {
          '{home}f2a1c7b0-1111-4222-8333-444455556666/': {
            texts: {
              'd:displayname': 'Reisen',
              'c:calendar-description': 'Mit der Bahn',
              'c:calendar-timezone-id': 'Europe/Vienna',
            },
          },
        },
      },
      { ask: 'DELETE {home}f2a1c7b0-1111-4222-8333-444455556666/', status: 204 },
    ],
  },
]
