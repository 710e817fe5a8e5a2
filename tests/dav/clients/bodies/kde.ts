import type { Exchange } from './exchange'

/** kdav, the library of KDE's programs. */

const NAMESPACES =
  'xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/" xmlns:I="http://apple.com/ns/ical/"'

const queryOf = (component: string) =>
  `<calendar-query xmlns="urn:ietf:params:xml:ns:caldav"><prop xmlns="DAV:"><getetag xmlns="DAV:"/><resourcetype xmlns="DAV:"/></prop><filter xmlns="urn:ietf:params:xml:ns:caldav"><comp-filter xmlns="urn:ietf:params:xml:ns:caldav" name="VCALENDAR"><comp-filter xmlns="urn:ietf:params:xml:ns:caldav" name="${component}"/></comp-filter></filter></calendar-query>`

export const kde: readonly Exchange[] = [
  {
    title: 'finds calendars with colour, privileges, components and a tag that changes',
    steps: [
      {
        ask: 'PROPFIND {principal}',
        headers: { depth: '0' },
        body: `<propfind ${NAMESPACES}><prop><C:calendar-home-set/></prop></propfind>`,
        status: 207,
        responses: { '{principal}': { holds: { 'c:calendar-home-set': ['{home}'] } } },
      },
      {
        ask: 'PROPFIND {home}',
        headers: { depth: '1' },
        body: `<propfind ${NAMESPACES}><prop><displayname/><resourcetype/><I:calendar-color/><C:supported-calendar-component-set/><current-user-privilege-set/><CS:getctag/></prop></propfind>`,
        status: 207,
        responses: {
          '{calendar}': {
            texts: { 'a:calendar-color': /^#[0-9A-F]{8}$/ },
            holds: { 'c:supported-calendar-component-set': ['VEVENT'] },
            found: ['cs:getctag', 'd:current-user-privilege-set'],
          },
        },
      },
    ],
  },
  {
    title: 'lists a calendar component by component, and reads what it does not know',
    steps: [
      {
        ask: 'REPORT {calendar}',
        headers: { depth: '1' },
        body: queryOf('VEVENT'),
        status: 207,
        only: true,
        responses: {
          '{lunch}': { found: ['d:getetag'], holds: { 'd:resourcetype': [] } },
          '{choir}': { found: ['d:getetag'] },
        },
      },
      {
        ask: 'REPORT {calendar}',
        headers: { depth: '1' },
        body: queryOf('VTODO'),
        status: 207,
        only: true,
        responses: {},
      },
      {
        ask: 'REPORT {calendar}',
        headers: { depth: '1' },
        body: `<calendar-multiget xmlns="urn:ietf:params:xml:ns:caldav"><prop xmlns="DAV:"><getetag xmlns="DAV:"/><calendar-data xmlns="urn:ietf:params:xml:ns:caldav"/></prop><href xmlns="DAV:">{lunch}</href></calendar-multiget>`,
        status: 207,
        only: true,
        responses: { '{lunch}': { texts: { 'c:calendar-data': /SUMMARY:Lunch/ } } },
      },
    ],
  },
]
