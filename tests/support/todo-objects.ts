import type { Phone } from './dav'

/** A text with components of a todo, as a phone writes it: with lines that JSON does not know. */
export const todoText = (...components: ReadonlyArray<readonly string[]>): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Phone//EN',
    'X-WR-THING:kept',
    ...components.flatMap((lines) => ['BEGIN:VTODO', ...lines, 'END:VTODO']),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

/** The lines of a todo with an alarm. */
export const todoLines = (uid: string, ...more: readonly string[]): readonly string[] => [
  `UID:${uid}`,
  'DTSTAMP:20260301T100000Z',
  'SUMMARY:Water the plants',
  'X-APPLE-SORT-ORDER:12',
  ...more,
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  'TRIGGER;RELATED=END:-PT15M',
  'END:VALARM',
]

export const putText = (
  phone: Phone,
  href: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
) =>
  phone.send('PUT', href, { body, headers: { 'content-type': 'text/calendar; charset=utf-8', ...headers } })

/** What says when an object was changed. */
const STAMPS = /^(?:DTSTAMP|LAST-MODIFIED|SEQUENCE):.*\r\n/gm

export const withoutStamps = (text: string): string => text.replace(STAMPS, '')
