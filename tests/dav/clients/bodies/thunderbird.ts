import type { Exchange } from './exchange'

/** Thunderbird. Any refusal of a PROPFIND disables the calendar there. */

const NAMESPACES =
  'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/" xmlns:A="http://apple.com/ns/ical/" xmlns:CARD="urn:ietf:params:xml:ns:carddav"'
const propfindOf = (properties: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<D:propfind ${NAMESPACES}><D:prop>${properties}</D:prop></D:propfind>`

const DETECT = propfindOf(
  '<D:resourcetype/><D:owner/><D:displayname/><D:current-user-principal/><D:current-user-privilege-set/><A:calendar-color/><C:calendar-home-set/>',
)

const syncSince = (token: string) => `<?xml version="1.0" encoding="UTF-8"?>
<sync-collection xmlns="DAV:"><sync-token>${token}</sync-token><sync-level>1</sync-level><prop><getcontenttype/><getetag/></prop></sync-collection>`

const multigetOf = (...hrefs: readonly string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<C:calendar-multiget ${NAMESPACES}><D:prop><D:getetag/><C:calendar-data/></D:prop>${hrefs
  .map((href) => `<D:href>${href}</D:href>`)
  .join('')}</C:calendar-multiget>`

export const thunderbird: readonly Exchange[] = [
  {
    title: 'detects calendars from the host',
    steps: [
      {
        ask: 'PROPFIND /',
        headers: { depth: '0' },
        body: DETECT,
        status: 207,
        responses: {
          '/dav/': {
            found: ['d:displayname', 'd:current-user-privilege-set'],
            holds: { 'd:current-user-principal': ['{principal}'] },
            missing: ['c:calendar-home-set', 'a:calendar-color'],
          },
        },
      },
      {
        ask: 'PROPFIND {principal}',
        headers: { depth: '0' },
        body: DETECT,
        status: 207,
        responses: {
          '{principal}': { holds: { 'c:calendar-home-set': ['{home}'], 'd:owner': ['{principal}'] } },
        },
      },
      {
        ask: 'PROPFIND {home}',
        headers: { depth: '1' },
        body: DETECT,
        status: 207,
        responses: {
          '{calendar}': {
            found: ['a:calendar-color', 'd:current-user-privilege-set'],
            holds: { 'd:resourcetype': ['d:collection', 'c:calendar'], 'd:owner': ['{principal}'] },
          },
        },
      },
    ],
  },
  {
    title: 'opens a calendar, and goes on mailing invitations itself, as nothing here says that it schedules',
    steps: [
      {
        ask: 'PROPFIND {calendar}',
        headers: { depth: '0' },
        body: propfindOf(
          '<D:resourcetype/><D:owner/><D:current-user-principal/><D:current-user-privilege-set/><D:supported-report-set/><C:supported-calendar-component-set/><CS:getctag/>',
        ),
        status: 207,
        responses: {
          '{calendar}': { found: ['d:supported-report-set', 'cs:getctag', 'd:current-user-privilege-set'] },
        },
        says: ['<d:report><d:sync-collection/></d:report>'],
        never: ['404 Not Found'],
      },
      { ask: 'OPTIONS {home}', status: 200, told: { dav: /\bcalendar-access\b/ } },
    ],
  },
  {
    title: 'syncs with a Depth of 1, and reads what it was told, whose statuses are literally 200 OK',
    steps: [
      {
        ask: 'REPORT {calendar}',
        headers: { depth: '1' },
        body: syncSince(''),
        status: 207,
        only: true,
        keeps: /<d:sync-token>([^<]+)</,
        says: ['<d:status>HTTP/1.1 200 OK</d:status>'],
        responses: {
          '{lunch}': {
            texts: { 'd:getcontenttype': /^text\/calendar; charset=utf-8/, 'd:getetag': '{lunchTag}' },
          },
          '{choir}': { texts: { 'd:getcontenttype': /^text\/calendar; charset=utf-8/ } },
        },
      },
      {
        ask: 'REPORT {calendar}',
        headers: { depth: '1' },
        body: multigetOf('{lunch}', '{choir}'),
        status: 207,
        only: true,
        responses: {
          '{lunch}': { texts: { 'd:getetag': '{lunchTag}', 'c:calendar-data': /SUMMARY:Lunch/ } },
          '{choir}': { texts: { 'c:calendar-data': /RRULE:FREQ=WEEKLY/ } },
        },
      },
      {
        ask: 'REPORT {calendar}',
        headers: { depth: '1' },
        body: syncSince('$1'),
        status: 207,
        only: true,
        responses: {},
        says: ['<d:sync-token>$1</d:sync-token>'],
      },
    ],
  },
  {
    title:
      'uploads an event and reads it back from the same address, and looks again where a deletion is refused',
    steps: [
      {
        ask: 'PUT {calendar}8d1f2c3b-new.ics',
        headers: { 'content-type': 'text/calendar; charset=utf-8', 'if-none-match': '*' },
        body: '{text}',
        status: 201,
      },
      {
        ask: 'REPORT {calendar}',
        headers: { depth: '1' },
        body: multigetOf('{calendar}8d1f2c3b-new.ics'),
        status: 207,
        only: true,
        responses: { '{calendar}8d1f2c3b-new.ics': { texts: { 'c:calendar-data': '{text}' } } },
      },
      { ask: 'DELETE {calendar}8d1f2c3b-new.ics', headers: { 'if-match': '"0-0"' }, status: 412 },
      { ask: 'HEAD {calendar}8d1f2c3b-new.ics', status: 200, told: { etag: /^"\d+-1"$/ } },
    ],
  },
  {
    title: 'is asked for an app password, and told so in no other way',
    steps: [
      {
        ask: 'PROPFIND {calendar}',
        headers: { depth: '0' },
        body: DETECT,
        isAnonymous: true,
        status: 401,
        told: { 'www-authenticate': /^Basic realm=/ },
      },
    ],
  },
]
