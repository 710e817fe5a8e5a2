import type { Site } from './schemas'

/** Files of media types that are no JSON, mostly good ones. */

const CARD = [
  'VERSION:4.0',
  'VERSION:3.0',
  'FN:Ada Lovelace',
  'N:Lovelace;Ada;;;',
  'NICKNAME:Ada',
  'BDAY:18151210',
  'BDAY:--1210',
  'BDAY;VALUE=text:circa 1800',
  'TEL;TYPE=cell:+44 20 7946 0001',
  'EMAIL;PREF=1:ada@example.org',
  'ADR:;;12 Square;London;;SW1Y;England',
  'ORG:Engines\\, Ltd.;Research',
  'TITLE:Programmer',
  'CATEGORIES:friends,work',
  'NOTE:two\\nlines\\; and more',
  'NOTE;ENCODING=QUOTED-PRINTABLE:=C3=A4=\r\n=C3=B6',
  'item1.X-ABLabel:_$!<Other>!$_',
  'PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRg==',
  'BEGIN:VCARD',
  'END:VCARD',
]

const EVENT = [
  'DTSTAMP:20260301T000000Z',
  'DTSTART:20260310T090000Z',
  'DTSTART;TZID=Europe/Berlin:20260310T090000',
  'DTSTART;VALUE=DATE:20260310',
  'DTSTART:20260310T090000',
  'DTEND:20260310T100000Z',
  'DTEND;VALUE=DATE:20260312',
  'DURATION:PT1H',
  'SUMMARY:Choir',
  'DESCRIPTION:Bring\\n the scores\\, all',
  'LOCATION:Hall',
  'RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10',
  'RRULE:FREQ=HOURLY',
  'EXDATE:20260317T090000Z',
  'RDATE:20260318T090000Z',
  'RECURRENCE-ID:20260324T090000Z',
  'STATUS:CANCELLED',
  'X-OTHER;X-P="a;b":kept',
  'BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM',
  'BEGIN:VEVENT',
  'END:VEVENT',
]

const file = (kind: string, outer: readonly string[]) => (components: readonly string[][]) =>
  [
    ...outer.map((line) => line),
    ...components.flatMap((lines) => [`BEGIN:${kind}`, ...lines, `END:${kind}`]),
    ...outer.slice(0, 1).map((line) => line.replace('BEGIN', 'END')),
  ].join('\r\n')

const KINDS: Readonly<
  Record<string, { lines: readonly string[]; first: readonly string[]; wrap: ReturnType<typeof file> }>
> = {
  'text/vcard': { lines: CARD, first: ['VERSION:4.0', 'FN:Ada'], wrap: file('VCARD', []) },
  'text/calendar': {
    lines: EVENT,
    first: ['DTSTAMP:20260301T000000Z', 'DTSTART:20260310T090000Z', 'SUMMARY:Choir'],
    wrap: file('VEVENT', ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Fuzz//EN']),
  },
}

/** A file of the media type; noise for one that is not known here. */
export function fileOf({ draw, marker }: Site, mediaType: string): string {
  if (mediaType === 'application/x-www-form-urlencoded') return `logout_token=${marker}`
  const kind = KINDS[mediaType]
  if (!kind || draw.percent(5)) return draw.text(0, 200)
  const text = kind.wrap(
    Array.from({ length: draw.nat(4) }, (_, i) => [
      ...(draw.percent(85) ? kind.first : []),
      `UID:${draw.pick(['one', 'two', `${marker}-${i}`])}`,
      ...Array.from({ length: draw.nat(6) }, () => draw.oneOf(kind.lines) ?? ''),
      `X-${marker}:${draw.text(0, 30)}`,
    ]),
  )
  return draw.percent(10) ? text.slice(0, draw.nat(text.length)) : text
}
