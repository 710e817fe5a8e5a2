import type { Exchange } from './exchange'

/** python-caldav. The library itself runs in `python-caldav.test.ts`; here is what newer versions and its users ask besides. */

const NAMESPACES =
  'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/"'

const queryOf = (filter: string, data = '<C:calendar-data/>') =>
  `<?xml version='1.0' encoding='utf-8'?>\n<C:calendar-query ${NAMESPACES}><D:prop>${data}</D:prop><C:filter><C:comp-filter name="VCALENDAR">${filter}</C:comp-filter></C:filter></C:calendar-query>`
const ofEvents = (filter: string) => `<C:comp-filter name="VEVENT">${filter}</C:comp-filter>`
const MARCH = '<C:time-range start="20260301T000000Z" end="20260401T000000Z"/>'

const onlyChoir = {
  only: true,
  responses: { '{choir}': { texts: { 'c:calendar-data': /RRULE:FREQ=WEEKLY/ } } },
}
const onlyLunch = { only: true, responses: { '{lunch}': { texts: { 'c:calendar-data': /SUMMARY:Lunch/ } } } }
const asking = (filter: string) => ({
  ask: 'REPORT {calendar}',
  headers: { depth: '1' },
  body: queryOf(filter),
  status: 207,
})

export const pythonCaldav: readonly Exchange[] = [
  {
    title: 'searches without naming a component, by time',
    steps: [
      {
        ...asking(MARCH),
        only: true,
        responses: { '{lunch}': { found: ['c:calendar-data'] }, '{choir}': { found: ['c:calendar-data'] } },
      },
      {
        ...asking(''),
        only: true,
        responses: { '{lunch}': { found: ['c:calendar-data'] }, '{choir}': { found: ['c:calendar-data'] } },
      },
    ],
  },
  {
    title: 'searches texts in each way that collations compare, and what they are not',
    steps: [
      {
        ...asking(
          ofEvents(
            '<C:prop-filter name="SUMMARY"><C:text-match collation="i;octet">Cho</C:text-match></C:prop-filter>',
          ),
        ),
        ...onlyChoir,
      },
      {
        ...asking(
          ofEvents(
            '<C:prop-filter name="SUMMARY"><C:text-match collation="i;octet">cho</C:text-match></C:prop-filter>',
          ),
        ),
        only: true,
        responses: {},
      },
      {
        ...asking(
          ofEvents(
            '<C:prop-filter name="SUMMARY"><C:text-match collation="i;ascii-casemap">cHO</C:text-match></C:prop-filter>',
          ),
        ),
        ...onlyChoir,
      },
      {
        ...asking(
          ofEvents(
            '<C:prop-filter name="SUMMARY"><C:text-match negate-condition="yes">cho</C:text-match></C:prop-filter>',
          ),
        ),
        ...onlyLunch,
      },
      { ...asking(ofEvents('<C:prop-filter name="RRULE"/>')), ...onlyChoir },
      {
        ...asking(ofEvents('<C:prop-filter name="RRULE"><C:is-not-defined/></C:prop-filter>')),
        ...onlyLunch,
      },
      {
        ...asking(
          ofEvents(
            '<C:prop-filter name="ATTENDEE"><C:param-filter name="PARTSTAT"><C:text-match>ACCEPTED</C:text-match></C:param-filter></C:prop-filter>',
          ),
        ),
        ...onlyChoir,
      },
    ],
  },
  {
    title: 'searches alarms, and todos where there are none',
    steps: [
      {
        ...asking(
          ofEvents(
            '<C:comp-filter name="VALARM"><C:time-range start="20260304T173000Z" end="20260304T180000Z"/></C:comp-filter>',
          ),
        ),
        ...onlyChoir,
      },
      { ...asking('<C:comp-filter name="VTODO"/>'), only: true, responses: {} },
    ],
  },
  {
    title: 'is given occurrences in UTC, and busy times',
    steps: [
      {
        ask: 'REPORT {calendar}',
        headers: { depth: '1' },
        body: queryOf(
          ofEvents(MARCH),
          '<C:calendar-data><C:expand start="20260301T000000Z" end="20260315T000000Z"/></C:calendar-data>',
        ),
        status: 207,
        says: [/RECURRENCE-ID:20260304T180000Z/, /RECURRENCE-ID:20260311T180000Z/],
        never: ['RRULE', 'BEGIN:VTIMEZONE'],
      },
      {
        ask: 'REPORT {calendar}',
        headers: { depth: '1' },
        body: `<?xml version='1.0' encoding='utf-8'?>\n<C:free-busy-query ${NAMESPACES}>${MARCH}</C:free-busy-query>`,
        status: 200,
        told: { 'content-type': /^text\/calendar/ },
        says: ['BEGIN:VFREEBUSY', /FREEBUSY[^\r\n]*:20260304T180000Z/],
      },
    ],
  },
  {
    title: 'finds principals by name, oneself and nobody whom one does not know',
    steps: [
      {
        ask: 'REPORT /dav/principals/',
        headers: { depth: '0' },
        body: `<?xml version='1.0' encoding='utf-8'?>\n<D:principal-property-search ${NAMESPACES}><D:property-search><D:prop><D:displayname/></D:prop><D:match></D:match></D:property-search><D:prop><D:displayname/><C:calendar-home-set/></D:prop></D:principal-property-search>`,
        status: 207,
        only: true,
        responses: {
          '{principal}': { found: ['d:displayname'], holds: { 'c:calendar-home-set': ['{home}'] } },
        },
      },
    ],
  },
]
