import type { Exchange } from './exchange'

/** Contacts of Apple's programs, DAVx5, Thunderbird, Evolution and vdirsyncer: what they ask of address books. */

const SPACES =
  'xmlns:D="DAV:" xmlns:CARD="urn:ietf:params:xml:ns:carddav" xmlns:CS="http://calendarserver.org/ns/"'
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
const propfindOf = (properties: string) =>
  `${XML}<D:propfind ${SPACES}><D:prop>${properties}</D:prop></D:propfind>`
const syncSince = (token: string, properties: string) =>
  `${XML}<D:sync-collection ${SPACES}><D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level><D:prop>${properties}</D:prop></D:sync-collection>`
const multigetOf = (data: string, ...hrefs: readonly string[]) =>
  `${XML}<CARD:addressbook-multiget ${SPACES}><D:prop><D:getetag/>${data}</D:prop>${hrefs
    .map((href) => `<D:href>${href}</D:href>`)
    .join('')}</CARD:addressbook-multiget>`

export const appleContacts: readonly Exchange[] = [
  {
    title: 'finds an address book with a tag that changes, in the home that the principal names',
    steps: [
      {
        ask: 'PROPFIND {books}',
        headers: { brief: 't', prefer: 'return=minimal', depth: '1' },
        body: propfindOf(
          '<D:add-member/><CARD:max-image-size/><CARD:max-resource-size/><CS:me-card/><CS:push-transports/><CS:pushkey/><D:bulk-requests/><D:current-user-privilege-set/><D:displayname/><CS:getctag/><D:owner/><D:quota-used-bytes/><D:resource-id/><D:resourcetype/><D:supported-report-set/><D:sync-token/>',
        ),
        status: 207,
        responses: {
          '{book}': {
            found: [
              'cs:getctag',
              'd:sync-token',
              'd:displayname',
              'd:current-user-privilege-set',
              'd:resource-id',
            ],
            holds: { 'd:resourcetype': ['d:collection', 'card:addressbook'], 'd:owner': ['{principal}'] },
            silent: ['cs:me-card', 'card:max-image-size', 'd:quota-used-bytes'],
          },
        },
      },
    ],
  },
  {
    title: 'keeps a group as a card, which no person is, and gets it back byte for byte',
    steps: [
      {
        ask: 'PUT {book}6E2F-group.vcf',
        headers: { 'content-type': 'text/vcard', 'if-none-match': '*' },
        body: 'BEGIN:VCARD\r\nVERSION:3.0\r\nN:Choir\r\nFN:Choir\r\nX-ADDRESSBOOKSERVER-KIND:group\r\nX-ADDRESSBOOKSERVER-MEMBER:urn:uuid:eve\r\nUID:6E2F-group\r\nEND:VCARD\r\n',
        status: 201,
        told: { etag: /^"[^"]+"$/ },
      },
      {
        ask: 'GET {book}6E2F-group.vcf',
        status: 200,
        told: { 'content-type': 'text/vcard; charset=utf-8' },
        says: ['X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:eve\r\n'],
      },
    ],
  },
]

export const davx5Contacts: readonly Exchange[] = [
  {
    title: 'is told the versions of cards and their size, and reads and writes the fourth',
    steps: [
      {
        ask: 'PROPFIND {book}',
        headers: { depth: '0' },
        body: propfindOf(
          '<CARD:max-resource-size/><CARD:supported-address-data/><D:supported-report-set/><CS:getctag/><D:sync-token/>',
        ),
        status: 207,
        responses: { '{book}': { texts: { 'card:max-resource-size': '10485760' } } },
        says: [/version="3\.0"/, /version="4\.0"/, '<d:report><d:sync-collection/></d:report>'],
      },
      {
        ask: 'REPORT {book}',
        body: multigetOf(
          '<D:getcontenttype/><CARD:address-data content-type="text/vcard" version="4.0"/>',
          '{eve}',
        ),
        status: 207,
        only: true,
        responses: { '{eve}': { texts: { 'card:address-data': /VERSION:4\.0\r?\n[^]*FN:Eve Example/ } } },
      },
      {
        ask: 'PUT {book}new.vcf',
        headers: { 'content-type': 'text/vcard; charset=utf-8', 'if-none-match': '*' },
        body: 'BEGIN:VCARD\r\nVERSION:4.0\r\nUID:urn:uuid:new\r\nFN:Nina New\r\nN:New;Nina;;;\r\nBDAY:--0229\r\nEND:VCARD\r\n',
        status: 201,
        told: { etag: /^"[^"]+"$/ },
      },
      {
        ask: 'REPORT {book}',
        body: multigetOf('<CARD:address-data/>', '{book}new.vcf'),
        status: 207,
        responses: { '{book}new.vcf': { found: ['card:address-data'] } },
      },
    ],
  },
]

export const thunderbirdContacts: readonly Exchange[] = [
  {
    title:
      'syncs a book with its cards in the answer, is never refused an own token, and writes without conditions',
    steps: [
      {
        ask: 'REPORT {book}',
        headers: { depth: '1' },
        body: syncSince('', '<D:getetag/><CARD:address-data/>'),
        status: 207,
        only: true,
        keeps: /<d:sync-token>([^<]+)</,
        says: ['<d:status>HTTP/1.1 200 OK</d:status>'],
        responses: { '{eve}': { texts: { 'd:getetag': '{eveTag}', 'card:address-data': '{card}' } } },
      },
      {
        ask: 'PUT {book}eve.vcf',
        headers: { 'content-type': 'text/vcard' },
        body: 'BEGIN:VCARD\r\nVERSION:3.0\r\nUID:eve\r\nFN:Eve Changed\r\nN:Changed;Eve;;;\r\nEND:VCARD\r\n',
        status: 204,
      },
      {
        ask: 'REPORT {book}',
        headers: { depth: '1' },
        body: syncSince('$1', '<D:getetag/><CARD:address-data/>'),
        status: 207,
        only: true,
        responses: { '{eve}': { texts: { 'card:address-data': /FN:Eve Changed/ } } },
      },
    ],
  },
]

export const evolutionContacts: readonly Exchange[] = [
  {
    title: 'finds address books, syncs them with a Depth of 0, and searches them by name and address',
    steps: [
      {
        ask: 'PROPFIND {books}',
        headers: { depth: '1' },
        body: propfindOf(
          '<D:displayname/><D:resourcetype/><CARD:addressbook-description/><D:current-user-privilege-set/><CS:getctag/>',
        ),
        status: 207,
        responses: { '{book}': { found: ['d:displayname', 'cs:getctag'] } },
      },
      {
        ask: 'REPORT {book}',
        headers: { depth: '0' },
        body: syncSince('', '<D:getetag/>'),
        status: 207,
        only: true,
        responses: { '{eve}': { texts: { 'd:getetag': '{eveTag}' } } },
      },
      ...[
        '<CARD:prop-filter name="FN"><CARD:text-match collation="i;unicode-casemap" match-type="contains">exam</CARD:text-match></CARD:prop-filter>',
        '<CARD:prop-filter name="EMAIL"><CARD:text-match collation="i;ascii-casemap" match-type="starts-with">EVE@</CARD:text-match></CARD:prop-filter>',
      ].map((filter) => ({
        ask: 'REPORT {book}',
        headers: { depth: '1' },
        body: `${XML}<CARD:addressbook-query ${SPACES}><D:prop><D:getetag/><CARD:address-data/></D:prop><CARD:filter test="anyof">${filter}</CARD:filter></CARD:addressbook-query>`,
        status: 207,
        only: true,
        responses: { '{eve}': { found: ['card:address-data'] } },
      })),
    ],
  },
]

export const vdirsyncerContacts: readonly Exchange[] = [
  {
    title: 'makes an address book by extended MKCOL, lists cards by content type, and reads them as it says',
    steps: [
      {
        ask: 'MKCOL {books}test-0c1d/',
        headers: { 'content-type': 'application/xml; charset=UTF-8' },
        body: `${XML}<D:mkcol ${SPACES}><D:set><D:prop><D:resourcetype><D:collection/><CARD:addressbook/></D:resourcetype></D:prop></D:set></D:mkcol>`,
        status: 201,
      },
      {
        ask: 'PROPFIND {book}',
        headers: { depth: '1' },
        body: propfindOf('<D:resourcetype/><D:getcontenttype/><D:getetag/>'),
        status: 207,
        responses: { '{eve}': { texts: { 'd:getcontenttype': /vcard/, 'd:getetag': '{eveTag}' } } },
      },
      {
        ask: 'REPORT {book}',
        body: multigetOf('<CARD:address-data content-type="text/vcard" version="3.0"/>', '{eve}'),
        status: 207,
        only: true,
        responses: { '{eve}': { texts: { 'card:address-data': '{card}' } } },
      },
    ],
  },
]
