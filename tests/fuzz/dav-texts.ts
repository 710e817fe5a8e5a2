import type { DavKind } from '../support/dav-kinds'
import type { Draw } from './draw'

/** Texts of objects: as programs write them, odd but right ones, and broken ones. */

const MOMENTS = [
  '20260310T120000Z',
  '20260310T120000',
  '20260310',
  '00010101T000000Z',
  '99991231T235959Z',
  '20260231T250000Z',
  '19000101',
  '20260329T023000',
  '',
  '2026-03-10',
  '+20260310',
] as const
const RULES = [
  'FREQ=DAILY',
  'FREQ=DAILY;COUNT=10',
  'FREQ=WEEKLY;BYDAY=MO,TU;UNTIL=20270101T000000Z',
  'FREQ=MONTHLY;BYDAY=-1FR;BYSETPOS=-1',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
  'FREQ=SECONDLY',
  'FREQ=SECONDLY;BYHOUR=25',
  'FREQ=YEARLY;BYWEEKNO=53;BYYEARDAY=366;BYHOUR=0,1,2,3;BYMINUTE=0,30',
  'FREQ=MINUTELY;INTERVAL=0',
  'FREQ=DAILY;COUNT=0',
  'FREQ=DAILY;UNTIL=19700101',
  'FREQ=NEVER',
  'COUNT=3',
  'FREQ=DAILY;COUNT=99999999999999999999',
  'FREQ=MONTHLY;BYMONTHDAY=31;WKST=XX',
  'FREQ=WEEKLY;BYDAY=+53MO',
  'RSCALE=HEBREW;FREQ=YEARLY;SKIP=FORWARD',
] as const
const ZONES = ['Europe/Berlin', 'W. Europe Standard Time', 'Nowhere/Land', '/x/Europe/Paris', ''] as const

/** Further lines of an event or todo. */
const LINES: ReadonlyArray<(draw: Draw) => string> = [
  (draw) => `RRULE:${draw.pick(RULES)}`,
  (draw) => `RRULE:${draw.pick(RULES)}`,
  (draw) => `EXDATE:${draw.pick(MOMENTS)}`,
  (draw) =>
    `EXDATE;TZID=${draw.pick(ZONES)}:${Array.from({ length: draw.integer(1, 400) }, (_, n) => `2026${String(1 + (n % 12)).padStart(2, '0')}${String(1 + (n % 28)).padStart(2, '0')}T120000`).join(',')}`,
  (draw) => `RDATE;VALUE=PERIOD:${draw.pick(MOMENTS)}/PT${draw.integer(0, 99)}H`,
  (draw) => `RDATE:${draw.pick(MOMENTS)}`,
  (draw) => `RECURRENCE-ID;TZID=${draw.pick(ZONES)}:${draw.pick(MOMENTS)}`,
  (draw) => `DTSTART;TZID=${draw.pick(ZONES)}:${draw.pick(MOMENTS)}`,
  (draw) => `DTEND:${draw.pick(MOMENTS)}`,
  (draw) => `DUE;VALUE=DATE:${draw.pick(MOMENTS)}`,
  (draw) => `COMPLETED:${draw.pick(MOMENTS)}`,
  (draw) => `DURATION:${draw.pick(['PT1H', '-PT1H', 'P99999W', 'PT', 'x'])}`,
  (draw) => `CLASS:${draw.pick(['PRIVATE', 'CONFIDENTIAL', 'PUBLIC', 'X-ODD'])}`,
  (draw) => `STATUS:${draw.pick(['CANCELLED', 'TENTATIVE', 'COMPLETED', 'NEEDS-ACTION', ''])}`,
  (draw) => `PRIORITY:${draw.integer(-1, 11)}`,
  (draw) => `PERCENT-COMPLETE:${draw.integer(-1, 101)}`,
  (draw) => `SUMMARY;LANGUAGE=de:${draw.text(0, 300)}`,
  (draw) => `DESCRIPTION:${draw.text(0, 80).repeat(draw.integer(1, 200))}`,
  (draw) => `X-${draw.matching('^[A-Z]{1,8}$')};P="a;b:c,d":${draw.text(0, 40)}`,
  (draw) => `ATTENDEE;CN="${draw.text(0, 10)}";PARTSTAT=ACCEPTED:mailto:someone@example.org`,
  () => 'ORGANIZER:mailto:boss@example.org',
  (draw) => `SEQUENCE:${draw.pick(['0', '2147483648', '-1', 'x'])}`,
  (draw) => `UID:${draw.text(0, 12)}`,
  (draw) => `GEO:${draw.pick(['1;2', '91;181', 'x'])}`,
  (draw) => `ATTACH;ENCODING=BASE64;VALUE=BINARY:${'QUJD'.repeat(draw.integer(0, 3000))}`,
  (draw) => `RELATED-TO;RELTYPE=PARENT:${draw.text(0, 8)}`,
  (draw) =>
    `BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER${draw.pick([':-PT15M', ';VALUE=DATE-TIME:20260310T110000Z', ';RELATED=END:PT0S', ':x', ''])}\r\nREPEAT:${draw.integer(0, 9999)}\r\nDURATION:PT1S\r\nEND:VALARM`,
  () => 'BEGIN:VEVENT\r\nEND:VEVENT',
  (draw) => `BDAY:${draw.pick(['--0229', '1990-02-30', '19900228', 'x', '--02'])}`,
  (draw) => `item1.TEL;TYPE=CELL,"odd;type":${draw.text(0, 20)}`,
  (draw) => `PHOTO;ENCODING=b;TYPE=JPEG:${'QUJD'.repeat(draw.integer(0, 3000))}`,
  (draw) => `ANNIVERSARY${draw.pick(['', ';VALUE=text'])}:${draw.pick(['--0229', '1990', 'x'])}`,
  (draw) =>
    `ADR;TYPE=${draw.pick(['HOME', 'x,y', ''])}:;;${draw.text(0, 20)};;${draw.pick(['', ';', ';;;;;;'])}`,
  (draw) => `KIND:${draw.pick(['group', 'org', ''])}`,
  (draw) =>
    `${draw.pick(['MEMBER', 'X-ADDRESSBOOKSERVER-MEMBER'])}:${draw.pick(['urn:uuid:n1', 'mailto:a@b', ''])}`,
  (draw) => `REV:${draw.pick(MOMENTS)}`,
  (draw) => `VERSION:${draw.pick(['4.0', '2.1', ''])}`,
  (draw) => `PHOTO:${draw.pick(['data:image/png;base64,QUJD', 'data:,x', 'http://[', ''])}`,
  (draw) => `CATEGORIES:${draw.text(0, 10)},,${draw.text(0, 10)}`,
]

const OTHER_KINDS = [
  'BEGIN:VCARD\r\nVERSION:3.0\r\nUID:card\r\nFN:Somebody\r\nN:;Somebody;;;\r\nEND:VCARD\r\n',
  'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:todo\r\nSUMMARY:Todo\r\nEND:VTODO\r\nEND:VCALENDAR\r\n',
  'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:m\r\nDTSTART:20260310\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VJOURNAL\r\nUID:j\r\nEND:VJOURNAL\r\nEND:VCALENDAR\r\n',
  'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n',
  '',
  'hello',
] as const

/** Changes of whole texts; each may leave it readable. */
export const SPOILING: ReadonlyArray<(text: string, draw: Draw) => string> = [
  (text) => text.replaceAll('\r\n', '\n'),
  (text) => text.replaceAll('\r\n', '\r'),
  (text) => `\uFEFF${text}`,
  (text) => text + text,
  (text) => text.toLowerCase(),
  (text) => text.replace(/^END:.*$/m, ''),
  (text) => text.replace(/^UID:.*\r\n/m, ''),
  (text) => text.replace(/^VERSION:.*\r\n/m, ''),
  (text) => text.replace(/(.{20})/g, '$1\r\n '),
  (text) => text.replace(/^BEGIN:(V\w+)$/m, 'BEGIN:VTIMEZONE\r\nTZID:Odd\r\nEND:VTIMEZONE\r\nBEGIN:$1'),
  (text) => `${text}\r\n${'x'.repeat(1_048_576)}`,
  (text, draw) => cut(text, draw),
  (text, draw) => cut(text, draw),
  (text, draw) =>
    insert(text, draw, draw.pick(['\u0000', '\u0007', '\u2028', '\r\n', ':', ';', '"', '😀', '\\', '^'])),
  (text, draw) => insert(text, draw, draw.pick(['\u0000', '\u000b', '\ufffe', '\r\n\r\n', '<', '&', ']]>'])),
]

export function cut(text: string, draw: Draw): string {
  const start = draw.nat(Math.max(0, text.length - 1))
  return text.slice(0, start) + text.slice(start + draw.integer(1, 30))
}

export function insert(text: string, draw: Draw, what: string): string {
  const at = draw.nat(text.length)
  return text.slice(0, at) + what + text.slice(at)
}

/** The text of an object with this UID, good in half of all cases. */
export function objectText(kind: DavKind, uid: string, draw: Draw): string {
  if (draw.percent(6)) return draw.pick(OTHER_KINDS)
  const lines = draw.percent(30)
    ? []
    : Array.from({ length: draw.integer(1, 6) }, () => draw.oneOf(LINES)?.(draw) ?? '')
  const text = kind.textOf(uid, draw.text(1, 30).replace(/[\\,;]/g, ''), lines)
  return draw.percent(25) ? (draw.oneOf(SPOILING)?.(text, draw) ?? text) : text
}
