import type { Area } from '../../src/lib/scopes'
import type { Actor } from './harness'
import { PREFIXES } from './dav'

/** A kind of collection as the proof around /dav needs it: a new kind joins with one line in `KINDS`. */
export interface DavKind {
  readonly name: string
  readonly home: 'calendars' | 'addressbooks'
  /** Whose scopes an app password needs. */
  readonly area: Area
  /** Where JSON makes a collection of it, and what the name of its address begins with. */
  readonly api: string
  readonly slug: string
  /** How a client makes a collection of it. */
  readonly make: { readonly method: string; readonly body: string }
  /** Whether others can be members of it. */
  readonly isShared: boolean
  readonly type: string
  readonly extension: string
  /** The report that gives named objects, its property with their text, and the one that looks for objects. */
  readonly multiget: string
  readonly data: string
  readonly query: string
  /** The text of an object as a phone writes it; `lines` come without an end. */
  readonly textOf: (uid: string, title: string, lines?: readonly string[]) => string
}

const joined = (lines: readonly string[]) => lines.map((line) => `${line}\r\n`).join('')

const EVENTS: DavKind = {
  name: 'events',
  home: 'calendars',
  area: 'calendars',
  api: '/api/calendars',
  slug: 'calendar',
  make: {
    method: 'MKCALENDAR',
    body: `<c:mkcalendar ${PREFIXES}><d:set><d:prop><d:displayname>Made</d:displayname><c:supported-calendar-component-set><c:comp name="VEVENT"/></c:supported-calendar-component-set></d:prop></d:set></c:mkcalendar>`,
  },
  isShared: true,
  type: 'text/calendar; charset=utf-8',
  extension: 'ics',
  multiget: 'c:calendar-multiget',
  data: 'c:calendar-data',
  query: `<c:calendar-query ${PREFIXES}><d:prop><d:getetag/><c:calendar-data/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"/></c:comp-filter></c:filter></c:calendar-query>`,
  textOf: (uid, title, lines = []) =>
    joined([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Phone//EN',
      'BEGIN:VEVENT',
      `UID:${uid}`,
      'DTSTAMP:20260301T100000Z',
      'DTSTART;TZID=Europe/Berlin:20260310T120000',
      'DTEND;TZID=Europe/Berlin:20260310T130000',
      `SUMMARY:${title}`,
      'X-PHONE-ONLY;X-ODD="a;b":kept',
      ...lines,
      'END:VEVENT',
      'END:VCALENDAR',
    ]),
}

export const KINDS: readonly DavKind[] = [EVENTS]

/** Makes a collection of the kind in JSON; answers its id and the address of its name. */
export async function makeCollection(kind: DavKind, actor: Pick<Actor, 'request'>, name: string) {
  const { status, body } = await actor.request('POST', kind.api, { body: { name } })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  const { id } = body as { id: number }
  return { id, slug: `${kind.slug}-${id}` }
}
