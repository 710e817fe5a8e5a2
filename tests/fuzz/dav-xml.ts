import { ALL_KINDS, type DavKind, KINDS } from '../support/dav-kinds'
import { PREFIXES } from '../support/dav'
import { cut, insert } from './dav-texts'
import type { Draw } from './draw'

/** Bodies of requests in XML: of each kind, with parts that are drawn, whole or spoiled. */

const PROPERTIES = [
  'd:displayname',
  'd:resourcetype',
  'd:getetag',
  'd:getcontenttype',
  'd:getlastmodified',
  'd:owner',
  'd:current-user-principal',
  'd:current-user-privilege-set',
  'd:principal-URL',
  'd:supported-report-set',
  'd:sync-token',
  'd:creationdate',
  'd:acl',
  'd:lockdiscovery',
  'cs:getctag',
  'c:calendar-home-set',
  'card:addressbook-home-set',
  'c:calendar-user-address-set',
  'c:supported-calendar-component-set',
  'c:calendar-timezone',
  'c:calendar-timezone-id',
  'c:schedule-calendar-transp',
  'c:max-resource-size',
  'c:calendar-description',
  'c:calendar-data',
  'card:address-data',
  'card:addressbook-description',
  'a:calendar-color',
  'a:calendar-order',
  'unknown',
] as const

const VALUES = [
  '#ff0000',
  '#FF0000FF',
  'red',
  '',
  'Home',
  'Europe/Berlin',
  '<d:href>/dav/</d:href>',
  '<c:comp name="VEVENT"/>',
  '<c:comp name="VTODO"/><c:comp name="VEVENT"/>',
  '<d:collection/><c:calendar/>',
  '<d:collection/><card:addressbook/>',
  'BEGIN:VCALENDAR&#13;\nBEGIN:VTIMEZONE\nTZID:x\nEND:VTIMEZONE\nEND:VCALENDAR',
  '<![CDATA[<&>]]>',
  '&#x1F600;&lt;&#8232;',
] as const

const TIMES = [
  '20260301T000000Z',
  '20260401T000000Z',
  '19000101T000000Z',
  '99991231T235959Z',
  '20260301',
  'x',
  '',
] as const

const list = (draw: Draw, max: number, one: () => string): string =>
  Array.from({ length: draw.integer(0, max) }, one).join('')

const range = (draw: Draw, name = 'c:time-range') =>
  `<${name}${draw.percent(85) ? ` start="${draw.pick(TIMES)}"` : ''}${draw.percent(75) ? ` end="${draw.pick(TIMES)}"` : ''}/>`

function property(draw: Draw): string {
  if (draw.percent(12)) return `<x${draw.nat(9)} xmlns="urn:fuzz:${draw.nat(3)}"/>`
  const name = draw.pick(PROPERTIES)
  if (name === 'c:calendar-data' && draw.percent(50)) return calendarData(draw)
  return `<${name}/>`
}

const calendarData = (draw: Draw) =>
  `<c:calendar-data${draw.percent(15) ? ' content-type="text/calendar" version="2.0"' : ''}>${draw.pick([
    range(draw, 'c:expand'),
    range(draw, 'c:limit-recurrence-set'),
    range(draw, 'c:limit-freebusy-set'),
    '<c:comp name="VCALENDAR"><c:prop name="VERSION"/><c:comp name="VEVENT"><c:prop name="SUMMARY"/><c:prop name="UID" novalue="yes"/></c:comp></c:comp>',
    '<c:comp name="VCALENDAR"><c:allprop/><c:allcomp/></c:comp>',
  ])}</c:calendar-data>`

const properties = (draw: Draw) => `<d:prop>${list(draw, 8, () => property(draw))}</d:prop>`

const asked = (draw: Draw) =>
  draw.pick([
    properties(draw),
    properties(draw),
    '<d:allprop/>',
    '<d:propname/>',
    '<d:allprop/><d:include><d:owner/></d:include>',
    '',
  ])

function condition(draw: Draw, depth: number): string {
  const text = `<c:text-match collation="${draw.pick(['i;ascii-casemap', 'i;unicode-casemap', 'i;octet', 'x'])}" negate-condition="${draw.pick(['yes', 'no', 'x'])}">${draw.pick(['a', '', 'Ä', '&#x130;'])}</c:text-match>`
  const inside = () => (depth > 4 ? '' : list(draw, 3, () => condition(draw, depth + 1)))
  return draw.pick([
    `<c:comp-filter name="${draw.pick(['VEVENT', 'VTODO', 'VALARM', 'VTIMEZONE', 'x'])}">${inside()}</c:comp-filter>`,
    `<c:prop-filter name="${draw.pick(['SUMMARY', 'UID', 'DTSTART', 'X-NONE', 'ATTENDEE'])}">${inside()}</c:prop-filter>`,
    `<c:param-filter name="${draw.pick(['PARTSTAT', 'CN', 'TZID'])}">${text}</c:param-filter>`,
    '<c:is-not-defined/>',
    range(draw),
    range(draw),
    text,
  ])
}

const filter = (draw: Draw) =>
  `<c:filter><c:comp-filter name="${draw.percent(95) ? 'VCALENDAR' : 'VEVENT'}">${list(draw, 3, () => condition(draw, 0))}</c:comp-filter></c:filter>`

const cardFilter = (draw: Draw) =>
  `<card:filter test="${draw.pick(['anyof', 'allof', 'x'])}">${list(draw, 3, () => `<card:prop-filter name="${draw.pick(['FN', 'EMAIL', 'UID', 'X'])}">${draw.pick([`<card:text-match match-type="${draw.pick(['contains', 'equals', 'starts-with', 'x'])}">a</card:text-match>`, '<card:is-not-defined/>', ''])}</card:prop-filter>`)}</card:filter>`

const limit = (draw: Draw) =>
  draw.percent(40)
    ? `<d:limit><d:nresults>${draw.pick(['1', '2', '100', '0', '-1', 'x', '99999999999999'])}</d:nresults></d:limit>`
    : ''

/** What the world knows for bodies. */
export interface Known {
  readonly hrefs: readonly string[]
  readonly tokens: readonly string[]
}

const hrefs = (draw: Draw, known: Known) =>
  list(draw, 12, () => `<d:href>${escaped(draw.oneOf(known.hrefs) ?? '/dav/')}</d:href>`)

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const wrap = (name: string, inside: string) => `<${name} ${PREFIXES}>${inside}</${name}>`

const change = (draw: Draw) => {
  const name = draw.percent(80) ? draw.pick(PROPERTIES) : `x${draw.nat(99)}`
  const [open, close] = name.includes(':') ? [name, name] : [`${name} xmlns="urn:fuzz:1"`, name]
  return `<d:prop><${open}>${draw.pick(VALUES)}</${close}></d:prop>`
}

const changes = (draw: Draw) =>
  list(draw, 4, () =>
    draw.percent(75) ? `<d:set>${change(draw)}</d:set>` : `<d:remove>${change(draw)}</d:remove>`,
  )

const typeSet = (draw: Draw) =>
  `<d:set><d:prop><d:resourcetype><d:collection/><${draw.pick(['c:calendar', 'c:calendar', 'card:addressbook', 'c:x'])}/></d:resourcetype></d:prop></d:set>`

const expand = (draw: Draw, depth = 0): string =>
  `<d:property name="${draw.pick(['owner', 'current-user-principal', 'principal-URL', 'principal-collection-set', 'displayname', 'x', 'a b', '', '1&gt;&lt;x'])}">${depth > 5 ? '' : list(draw, 2, () => expand(draw, depth + 1))}</d:property>`

const reports: ReadonlyArray<(draw: Draw, known: Known, kind: DavKind) => string> = [
  (draw, known, kind) => wrap(kind.multiget, asked(draw) + hrefs(draw, known)),
  (draw, known) =>
    wrap(draw.pick(['c:calendar-multiget', 'card:addressbook-multiget']), asked(draw) + hrefs(draw, known)),
  (draw) =>
    wrap(
      'c:calendar-query',
      asked(draw) + filter(draw) + (draw.percent(10) ? '<c:timezone-id>Europe/Paris</c:timezone-id>' : ''),
    ),
  (draw) =>
    wrap('card:addressbook-query', asked(draw) + cardFilter(draw) + limit(draw).replaceAll('d:', 'card:')),
  (draw) => wrap('c:free-busy-query', range(draw)),
  (draw, known) =>
    wrap(
      'd:sync-collection',
      `<d:sync-token>${escaped(draw.percent(30) ? '' : (draw.oneOf(known.tokens) ?? 'x'))}</d:sync-token><d:sync-level>${draw.pick(['1', 'infinite', 'x'])}</d:sync-level>${limit(draw)}${asked(draw)}`,
    ),
  (draw) =>
    wrap(
      'd:expand-property',
      list(draw, 3, () => expand(draw)),
    ),
  (draw) =>
    wrap(
      'd:principal-property-search',
      `<d:property-search><d:prop>${property(draw)}</d:prop><d:match>${draw.pick(['', 'a', 'user'])}</d:match></d:property-search>${properties(draw)}`,
    ),
  () => wrap('d:principal-search-property-set', ''),
  (draw) => wrap('d:acl-principal-prop-set', properties(draw)),
]

/** A body for the method, which reads XML. */
export function xmlBody(method: string, draw: Draw, known: Known): string {
  const kind = draw.oneOf(ALL_KINDS) ?? KINDS[0]
  if (!kind) throw new Error('no kind')
  const body = whole(draw.percent(6) ? 'REPORT' : method, draw, known, kind)
  const declared = draw.percent(20)
    ? `<?xml version="1.0" encoding="${draw.pick(['utf-8', 'UTF-8', 'iso-8859-1'])}"?>${body}`
    : body
  return draw.percent(20) ? (draw.oneOf(SPOILING)?.(declared, draw) ?? declared) : declared
}

const BODIES: Readonly<Record<string, (draw: Draw) => string>> = {
  PROPFIND: (draw) => (draw.percent(10) ? '' : wrap('d:propfind', asked(draw))),
  PROPPATCH: (draw) => wrap('d:propertyupdate', changes(draw)),
  MKCALENDAR: (draw) => (draw.percent(20) ? '' : wrap('c:mkcalendar', draw.percent(60) ? changes(draw) : '')),
  MKCOL: (draw) =>
    draw.percent(15) ? '' : wrap('d:mkcol', `${typeSet(draw)}${draw.percent(40) ? changes(draw) : ''}`),
}

const whole = (method: string, draw: Draw, known: Known, kind: DavKind): string =>
  BODIES[method]?.(draw) ?? draw.oneOf(reports)?.(draw, known, kind) ?? ''

const within = (text: string, more: string) => text.replace(/<\/[^>]*>\s*$/, (end) => more + end)

const SPOILING: ReadonlyArray<(text: string, draw: Draw) => string> = [
  (text, draw) => within(text, '<x>'.repeat(draw.integer(1, 40))),
  (text, draw) => {
    const depth = draw.integer(1, 40)
    return within(text, '<x>'.repeat(depth) + '</x>'.repeat(depth))
  },
  (text, draw) =>
    within(text, `<x ${Array.from({ length: draw.integer(1, 90) }, (_, n) => `a${n}="1"`).join(' ')}/>`),
  (text, draw) => within(text, '<x/>'.repeat(draw.pick([10, 1000, 49_000, 60_000]))),
  (text, draw) => within(text, 'x'.repeat(draw.pick([1000, 100_000, 1_000_000]))),
  (text) => `<!DOCTYPE x [<!ENTITY a "b">]>${within(text, '&a;')}`,
  (text) => `<!DOCTYPE x SYSTEM "file:///etc/passwd">${text}`,
  (text) => within(text, '&nbsp;'),
  (text) => within(text, '&#0;'),
  (text) => within(text, '<!-- - -- -->'),
  (text) => within(text, '<?php x?>'),
  (text) => text.replace('xmlns:d="DAV:"', 'xmlns:d="dav:"'),
  (text) => text.replace('xmlns:d="DAV:"', ''),
  (text) => text.replace('xmlns:d="DAV:"', 'xmlns:d=""'),
  (text) => text.replaceAll('urn:ietf:params:xml:ns:caldav', 'DAV:'),
  (text) => text.replaceAll(/d:(\w)/g, 'D:$1'),
  (text) => text + text,
  (text) => text.replaceAll('"', "'"),
  (text) => `\uFEFF${text}`,
  (text) => ` \n${text}`,
  (text, draw) => cut(text, draw),
  (text, draw) => cut(text, draw),
  (text, draw) => insert(text, draw, draw.pick(['\u0000', '\u0008', '<', '&', '"', ']]>', '\uffff', '😀'])),
  (text, draw) => draw.text(0, 50) + text.slice(0, 0),
]
