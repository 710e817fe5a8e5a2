import type { Exchange } from './exchange'

/** Evolution, its data server, and the Online Accounts of GNOME. */

const XML = '<?xml version="1.0" encoding="utf-8"?>'
const NAMESPACES =
  'xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CA="urn:ietf:params:xml:ns:carddav" xmlns:CS="http://calendarserver.org/ns/" xmlns:IC="http://apple.com/ns/ical/"'
const propfindOf = (properties: string) =>
  `${XML}<propfind ${NAMESPACES}><prop>${properties}</prop></propfind>`
const syncSince = (token: string) =>
  `${XML}<sync-collection ${NAMESPACES}><sync-token>${token}</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`

/** Asks for the identifiers alone. */
const UIDS = `${XML}<C:calendar-query ${NAMESPACES}><prop><getetag/><C:calendar-data><C:comp name="VCALENDAR"><C:comp name="VEVENT"><C:prop name="UID"/></C:comp></C:comp></C:calendar-data></prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"/></C:comp-filter></C:filter></C:calendar-query>`

export const evolution: readonly Exchange[] = [
  {
    title: 'probes the root of the host before anything else',
    steps: [
      {
        ask: 'OPTIONS /',
        isAnonymous: true,
        status: 200,
        told: { dav: /\bcalendar-access\b/, allow: /\bPROPFIND\b/ },
      },
      {
        ask: 'PROPFIND /',
        headers: { depth: '0' },
        body: propfindOf('<current-user-principal/>'),
        status: 207,
        responses: { '/dav/': { holds: { 'd:current-user-principal': ['{principal}'] } } },
      },
    ],
  },
  {
    title: 'finds principal, homes and addresses in one question, and calendars in the home',
    steps: [
      {
        ask: 'PROPFIND {principal}',
        headers: { depth: '0' },
        body: propfindOf(
          '<current-user-principal/><principal-URL/><C:calendar-home-set/><CA:addressbook-home-set/><C:calendar-user-address-set/>',
        ),
        status: 207,
        responses: {
          '{principal}': {
            holds: {
              'd:principal-URL': ['{principal}'],
              'c:calendar-home-set': ['{home}'],
              'card:addressbook-home-set': ['{books}'],
              'c:calendar-user-address-set': ['mailto:{email}', '{principal}', '{urn}'],
            },
          },
        },
      },
      {
        ask: 'PROPFIND {home}',
        headers: { depth: '1' },
        body: propfindOf(
          '<displayname/><resourcetype/><C:calendar-description/><C:supported-calendar-component-set/><current-user-privilege-set/><CS:getctag/><IC:calendar-color/><IC:calendar-order/>',
        ),
        status: 207,
        responses: { '{calendar}': { texts: { 'd:displayname': 'Personal' }, found: ['cs:getctag'] } },
      },
    ],
  },
  {
    title:
      'syncs with a Depth of 0 by a token that looks like an address, and knows a wrong one by the name of what is wrong',
    steps: [
      { ask: 'OPTIONS {calendar}', status: 200, told: { dav: /\bcalendar-access\b/ } },
      {
        ask: 'PROPFIND {calendar}',
        headers: { depth: '0' },
        body: propfindOf('<CS:getctag/><supported-report-set/>'),
        status: 207,
        responses: { '{calendar}': { found: ['cs:getctag'] } },
        says: ['<d:sync-collection/>'],
      },
      {
        ask: 'REPORT {calendar}',
        headers: { depth: '0' },
        body: syncSince(''),
        status: 207,
        only: true,
        responses: { '{lunch}': { found: ['d:getetag'] }, '{choir}': { found: ['d:getetag'] } },
        says: [/<d:sync-token>[^<]*:\/[^<]*<\/d:sync-token>/],
      },
      {
        ask: 'REPORT {calendar}',
        headers: { depth: '0' },
        body: syncSince('https://example.org/other/token'),
        status: 403,
        says: ['valid-sync-token'],
      },
    ],
  },
  {
    title: 'asks for the identifiers of all events, and for one by its name and by its identifier',
    steps: [
      {
        ask: 'REPORT {calendar}',
        headers: { depth: '1' },
        body: UIDS,
        status: 207,
        only: true,
        responses: {
          '{choir}': {
            texts: {
              'c:calendar-data':
                /^BEGIN:VCALENDAR\s+BEGIN:VEVENT\s+UID:choir\s+END:VEVENT\s+END:VCALENDAR\s*$/,
            },
          },
          '{lunch}': { texts: { 'c:calendar-data': /^UID:/m } },
        },
        never: ['SUMMARY'],
      },
      {
        ask: 'REPORT {calendar}',
        headers: { depth: '0' },
        body: UIDS,
        status: 207,
        only: true,
        responses: { '{choir}': { found: ['c:calendar-data'] }, '{lunch}': { found: ['c:calendar-data'] } },
      },
      { ask: 'GET {choir}', status: 200, told: { etag: '{choirTag}' } },
      { ask: 'GET {calendar}nothing.ics', status: 404 },
    ],
  },
  {
    title: 'uploads an event with attendees that it invites itself, of which not a byte changes',
    steps: [
      {
        ask: 'PUT {calendar}party.ics',
        headers: {
          'content-type': 'text/calendar; charset="utf-8"',
          'if-none-match': '*',
          prefer: 'return=minimal',
        },
        body: `BEGIN:VCALENDAR\r
PRODID:-//Ximian//NONSGML Evolution Calendar//EN\r
VERSION:2.0\r
BEGIN:VEVENT\r
UID:party\r
DTSTAMP:20260301T100000Z\r
DTSTART:20260312T190000Z\r
DTEND:20260312T230000Z\r
SUMMARY:Party\r
ORGANIZER;SCHEDULE-AGENT=CLIENT:mailto:ada@example.org\r
ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;\r
 RSVP=TRUE;SCHEDULE-AGENT=CLIENT;CN=Bob;LANGUAGE=en:mailto:bob@example.org\r
END:VEVENT\r
END:VCALENDAR\r
`,
        status: 201,
        told: { etag: /^"\d+-1"$/ },
      },
      {
        ask: 'GET {calendar}party.ics',
        status: 200,
        says: [
          'PARTSTAT=NEEDS-ACTION;\r\n RSVP=TRUE;SCHEDULE-AGENT=CLIENT;CN=Bob;LANGUAGE=en:mailto:bob@example.org',
        ],
      },
    ],
  },
]
