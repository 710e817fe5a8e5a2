import { HOME, NAMESPACES, SHORT, XML } from './apple'
import type { Exchange } from './exchange'

/** Calendar of iOS and macOS, when it syncs and changes things. */

const CTAGS = `${XML}<A:propfind ${NAMESPACES}><A:prop><C:getctag/><A:sync-token/></A:prop></A:propfind>`

const syncSince = (token: string) => `${XML}<A:sync-collection ${NAMESPACES}>
  <A:sync-token>${token}</A:sync-token>
  <A:sync-level>1</A:sync-level>
  <A:prop>
    <A:getcontenttype/>
    <A:getetag/>
  </A:prop>
</A:sync-collection>`

const multigetOf = (...hrefs: readonly string[]) => `${XML}<B:calendar-multiget ${NAMESPACES}>
  <A:prop>
    <A:getetag/>
    <B:calendar-data/>
    <B:schedule-tag/>
    <C:created-by/>
    <C:updated-by/>
  </A:prop>
  ${hrefs.map((href) => `<A:href>${href}</A:href>`).join('\n  ')}
</B:calendar-multiget>`

export const appleSync: readonly Exchange[] = [
  {
    title:
      'keeps its default alarms with the home, and a name, a colour, a place and a time zone with a calendar',
    steps: [
      {
        ask: 'PROPPATCH {home}',
        headers: SHORT,
        body: `${XML}<A:propertyupdate ${NAMESPACES}><A:set><A:prop><B:default-alarm-vevent-date>BEGIN:VALARM
X-WR-ALARMUID:6C3E
TRIGGER:-PT15H
ACTION:DISPLAY
END:VALARM
</B:default-alarm-vevent-date></A:prop></A:set></A:propertyupdate>`,
        status: 207,
        responses: { '{home}': { found: ['c:default-alarm-vevent-date'] } },
      },
      {
        ask: 'PROPPATCH {calendar}',
        headers: SHORT,
        body: `${XML}<A:propertyupdate ${NAMESPACES}>
  <A:set>
    <A:prop>
      <A:displayname>Familie &amp; Freunde</A:displayname>
      <D:calendar-color symbolic-color="purple">#CC73E1FF</D:calendar-color>
      <D:calendar-order>7</D:calendar-order>
      <B:schedule-calendar-transp><B:transparent/></B:schedule-calendar-transp>
      <B:calendar-timezone>BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Apple Inc.//iPhone OS 18.1//EN
BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
DTSTART:19961027T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZNAME:CET
END:STANDARD
END:VTIMEZONE
END:VCALENDAR
</B:calendar-timezone>
    </A:prop>
  </A:set>
</A:propertyupdate>`,
        status: 207,
        responses: { '{calendar}': { found: ['d:displayname', 'a:calendar-color', 'a:calendar-order'] } },
        never: ['404 Not Found', '403 Forbidden'],
      },
      {
        ask: 'PROPFIND {home}',
        headers: { ...SHORT, depth: '1' },
        body: HOME,
        status: 207,
        says: ['symbolic-color="purple"'],
        responses: {
          '{home}': { texts: { 'c:default-alarm-vevent-date': /TRIGGER:-PT15H/ } },
          '{calendar}': {
            texts: {
              'd:displayname': 'Familie & Freunde',
              'a:calendar-color': '#CC73E1FF',
              'a:calendar-order': '7',
              'c:calendar-timezone': /TZID:Europe\/Berlin/,
            },
            holds: { 'c:schedule-calendar-transp': ['c:transparent'] },
          },
        },
      },
    ],
  },
  {
    title: 'makes a calendar of events at an address of its own, and is told that it is one',
    steps: [
      {
        ask: 'MKCALENDAR {home}4C7E9B0A-7F4E-4B5B-9F3C-0B6A1D2E3F40/',
        headers: { 'content-type': 'text/xml' },
        body: `${XML}<B:mkcalendar ${NAMESPACES}>
  <A:set>
    <A:prop>
      <D:calendar-color symbolic-color="red">#FF2968FF</D:calendar-color>
      <D:calendar-order>2</D:calendar-order>
      <A:displayname>Reisen</A:displayname>
      <B:supported-calendar-component-set><B:comp name="VEVENT"/></B:supported-calendar-component-set>
    </A:prop>
  </A:set>
</B:mkcalendar>`,
        status: 201,
      },
      {
        ask: 'PROPFIND {home}',
        headers: { ...SHORT, depth: '1' },
        body: HOME,
        status: 207,
        responses: {
          '{home}4C7E9B0A-7F4E-4B5B-9F3C-0B6A1D2E3F40/': {
            texts: { 'd:displayname': 'Reisen', 'a:calendar-color': '#FF2968FF', 'a:calendar-order': '2' },
            holds: { 'c:supported-calendar-component-set': ['VEVENT'] },
          },
        },
      },
    ],
  },
  {
    title: 'syncs a calendar by its token without a Depth, and starts over when it sends one that is made up',
    steps: [
      {
        ask: 'PROPFIND {calendar}',
        headers: { ...SHORT, depth: '0' },
        body: CTAGS,
        status: 207,
        keeps: /<d:sync-token>([^<]+)</,
        responses: { '{calendar}': { found: ['cs:getctag', 'd:sync-token'] } },
      },
      {
        ask: 'REPORT {calendar}',
        headers: SHORT,
        body: syncSince('https://example.org/ns/sync/1'),
        status: 403,
        says: ['<d:valid-sync-token/>'],
      },
      {
        ask: 'REPORT {calendar}',
        headers: SHORT,
        body: syncSince(''),
        status: 207,
        only: true,
        responses: {
          '{lunch}': { texts: { 'd:getetag': '{lunchTag}', 'd:getcontenttype': /^text\/calendar/ } },
          '{choir}': { texts: { 'd:getetag': '{choirTag}' } },
        },
        says: ['<d:sync-token>'],
      },
      { ask: 'DELETE {lunch}', headers: { 'if-match': '{lunchTag}' }, status: 204 },
      {
        ask: 'REPORT {calendar}',
        headers: SHORT,
        body: syncSince('$1'),
        status: 207,
        only: true,
        responses: { '{lunch}': { status: 'HTTP/1.1 404 Not Found' } },
      },
    ],
  },
  {
    title:
      'finds what begins after a day, however old the series is, and reads it by names that it spells its own way',
    steps: [
      {
        ask: 'REPORT {calendar}',
        headers: { ...SHORT, depth: '1' },
        body: `${XML}<B:calendar-query ${NAMESPACES}>
  <A:prop><A:getetag/><A:getcontenttype/></A:prop>
  <B:filter>
    <B:comp-filter name="VCALENDAR">
      <B:comp-filter name="VEVENT"><B:time-range start="20260310T000000Z"/></B:comp-filter>
    </B:comp-filter>
  </B:filter>
</B:calendar-query>`,
        status: 207,
        only: true,
        responses: { '{lunch}': { found: ['d:getetag'] }, '{choir}': { found: ['d:getetag'] } },
      },
      {
        ask: 'PUT {calendar}50%25%20%7Boff%7D%20@%20C.ics',
        headers: { 'content-type': 'text/calendar', 'if-none-match': '*' },
        body: '{text}',
        status: 201,
        told: { etag: /^"\d+-1"$/ },
      },
      {
        ask: 'REPORT {calendar}',
        headers: SHORT,
        body: multigetOf('{calendar}50%25 {off} %40 C.ics', '{calendar}%6Cunch.ics', '{calendar}gone.ics'),
        status: 207,
        responses: {
          '{calendar}50%25%20%7Boff%7D%20@%20C.ics': {
            found: ['d:getetag'],
            texts: { 'c:calendar-data': '{text}' },
          },
          '{lunch}': { found: ['c:calendar-data'], silent: ['c:schedule-tag'] },
          '{calendar}gone.ics': { status: 'HTTP/1.1 404 Not Found' },
        },
      },
      {
        ask: 'PUT {lunch}',
        headers: { 'content-type': 'text/calendar', 'if-match': '"0-0"' },
        body: '{text}',
        status: 412,
      },
    ],
  },
]
