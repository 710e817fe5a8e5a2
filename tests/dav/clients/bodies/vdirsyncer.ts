import type { Exchange } from './exchange'

/** vdirsyncer. The program itself runs in `vdirsyncer.proof.test.ts`; here is what it sends besides. */

const NAMESPACES =
  'xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CARD="urn:ietf:params:xml:ns:carddav" xmlns:A="http://apple.com/ns/ical/"'

export const vdirsyncer: readonly Exchange[] = [
  {
    title: 'makes a collection by extended MKCOL, without a word of its components',
    steps: [
      {
        ask: 'MKCOL {home}test-0c1d/',
        headers: { 'content-type': 'application/xml; charset=UTF-8' },
        body: `<?xml version="1.0" encoding="utf-8" ?><mkcol ${NAMESPACES}><set><prop><resourcetype><collection/><C:calendar/></resourcetype></prop></set></mkcol>`,
        status: 201,
      },
      {
        ask: 'PROPFIND {home}',
        headers: { depth: '1' },
        body: `<?xml version="1.0" encoding="utf-8" ?><propfind ${NAMESPACES}><prop><resourcetype/></prop></propfind>`,
        status: 207,
        responses: {
          '{home}test-0c1d/': { holds: { 'd:resourcetype': ['d:collection', 'c:calendar'] } },
        },
      },
    ],
  },
  {
    title: 'lists a calendar with its content types, and reads items by a multiget without a Depth',
    steps: [
      {
        ask: 'PROPFIND {calendar}',
        headers: { depth: '1' },
        body: `<?xml version="1.0" encoding="utf-8" ?><propfind ${NAMESPACES}><prop><resourcetype/><getcontenttype/><getetag/></prop></propfind>`,
        status: 207,
        only: true,
        responses: {
          '{calendar}': { missing: ['d:getcontenttype', 'd:getetag'] },
          '{lunch}': { texts: { 'd:getcontenttype': /calendar/, 'd:getetag': '{lunchTag}' } },
          '{choir}': { texts: { 'd:getcontenttype': /calendar/, 'd:getetag': '{choirTag}' } },
        },
      },
      {
        ask: 'REPORT {calendar}',
        body: `<?xml version="1.0" encoding="utf-8" ?><C:calendar-multiget ${NAMESPACES}><prop><getetag/><C:calendar-data/></prop><href>{lunch}</href></C:calendar-multiget>`,
        status: 207,
        only: true,
        responses: { '{lunch}': { found: ['d:getetag', 'c:calendar-data'] } },
      },
    ],
  },
  {
    title: 'writes under conditions alone',
    steps: [
      {
        ask: 'PUT {lunch}',
        headers: { 'content-type': 'text/calendar; charset=utf-8', 'if-none-match': '*' },
        body: '{text}',
        status: 412,
      },
      { ask: 'DELETE {lunch}', headers: { 'if-match': '"0-0"' }, status: 412 },
      { ask: 'DELETE {lunch}', headers: { 'if-match': '{lunchTag}' }, status: 204 },
    ],
  },
  {
    title: 'sets colour, name, place and description, and reads them as it set them',
    steps: [
      {
        ask: 'PROPPATCH {calendar}',
        headers: { 'content-type': 'application/xml; charset=UTF-8' },
        body: `<?xml version="1.0" encoding="utf-8" ?><propertyupdate ${NAMESPACES}><set><prop><A:calendar-color>#ff0000</A:calendar-color><displayname>hello world</displayname><A:calendar-order>3</A:calendar-order><C:calendar-description>  some text  </C:calendar-description></prop></set></propertyupdate>`,
        status: 207,
        never: ['404 Not Found', '403 Forbidden'],
      },
      {
        ask: 'PROPFIND {calendar}',
        headers: { depth: '0' },
        body: `<?xml version="1.0" encoding="utf-8" ?><propfind ${NAMESPACES}><prop><A:calendar-color/><displayname/><A:calendar-order/><C:calendar-description/></prop></propfind>`,
        status: 207,
        only: true,
        responses: {
          '{calendar}': {
            texts: {
              'a:calendar-color': '#ff0000',
              'd:displayname': 'hello world',
              'a:calendar-order': '3',
              'c:calendar-description': /some text/,
            },
          },
        },
      },
    ],
  },
  {
    title: 'is given no control characters, which it could not read as XML',
    steps: [
      {
        ask: 'PUT {calendar}control.ics',
        headers: { 'content-type': 'text/calendar; charset=utf-8', 'if-none-match': '*' },
        body: `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Somebody//EN\r\nBEGIN:VEVENT\r\nUID:control\r\nDTSTAMP:20260301T100000Z\r\nDTSTART:20260310T120000Z\r\nSUMMARY:A\u0008B\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
        status: 201,
      },
      {
        ask: 'REPORT {calendar}',
        body: `<?xml version="1.0" encoding="utf-8" ?><C:calendar-multiget ${NAMESPACES}><prop><getetag/><C:calendar-data/></prop><href>{calendar}control.ics</href></C:calendar-multiget>`,
        status: 207,
        responses: { '{calendar}control.ics': { texts: { 'c:calendar-data': /^SUMMARY:AB\r?$/m } } },
      },
      { ask: 'GET {calendar}control.ics', status: 200, says: ['SUMMARY:A\u0008B'] },
    ],
  },
]
