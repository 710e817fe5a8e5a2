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

const CALENDAR_OBJECTS = {
  home: 'calendars',
  type: 'text/calendar; charset=utf-8',
  extension: 'ics',
  multiget: 'c:calendar-multiget',
  data: 'c:calendar-data',
} as const

const calendarText = (component: string, lines: readonly string[]) =>
  joined([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Phone//EN',
    `BEGIN:${component}`,
    'DTSTAMP:20260301T100000Z',
    'X-PHONE-ONLY;X-ODD="a;b":kept',
    ...lines,
    `END:${component}`,
    'END:VCALENDAR',
  ])

const mkcalendar = (...components: readonly string[]) => ({
  method: 'MKCALENDAR',
  body: `<c:mkcalendar ${PREFIXES}><d:set><d:prop><d:displayname>Made</d:displayname><c:supported-calendar-component-set>${components.map((name) => `<c:comp name="${name}"/>`).join('')}</c:supported-calendar-component-set></d:prop></d:set></c:mkcalendar>`,
})

const calendarQuery = (component: string) =>
  `<c:calendar-query ${PREFIXES}><d:prop><d:getetag/><c:calendar-data/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="${component}"/></c:comp-filter></c:filter></c:calendar-query>`

export const EVENTS: DavKind = {
  ...CALENDAR_OBJECTS,
  name: 'events',
  area: 'calendars',
  api: '/api/calendars',
  slug: 'calendar',
  make: mkcalendar('VEVENT'),
  isShared: true,
  query: calendarQuery('VEVENT'),
  textOf: (uid, title, lines = []) =>
    calendarText('VEVENT', [
      `UID:${uid}`,
      'DTSTART;TZID=Europe/Berlin:20260310T120000',
      'DTEND;TZID=Europe/Berlin:20260310T130000',
      `SUMMARY:${title}`,
      ...lines,
    ]),
}

export const TODOS: DavKind = {
  ...CALENDAR_OBJECTS,
  name: 'todos',
  area: 'tasks',
  api: '/api/todo-lists',
  slug: 'list',
  make: mkcalendar('VTODO'),
  isShared: false,
  query: calendarQuery('VTODO'),
  textOf: (uid, title, lines = []) =>
    calendarText('VTODO', [
      `UID:${uid}`,
      'DUE;TZID=Europe/Berlin:20260310T120000',
      'PRIORITY:5',
      `SUMMARY:${title}`,
      ...lines,
    ]),
}

export const CARDS: DavKind = {
  name: 'cards',
  home: 'addressbooks',
  area: 'people',
  api: '/api/address-books',
  slug: 'book',
  make: {
    method: 'MKCOL',
    body: `<d:mkcol ${PREFIXES}><d:set><d:prop><d:resourcetype><d:collection/><card:addressbook/></d:resourcetype><d:displayname>Made</d:displayname></d:prop></d:set></d:mkcol>`,
  },
  isShared: false,
  type: 'text/vcard; charset=utf-8',
  extension: 'vcf',
  multiget: 'card:addressbook-multiget',
  data: 'card:address-data',
  query: `<card:addressbook-query ${PREFIXES}><d:prop><d:getetag/><card:address-data/></d:prop><card:filter><card:prop-filter name="FN"/></card:filter></card:addressbook-query>`,
  textOf: (uid, title, lines = []) =>
    joined([
      'BEGIN:VCARD',
      'VERSION:3.0',
      'PRODID:-//Phone//EN',
      `UID:${uid}`,
      `N:;${title};;;`,
      `FN:${title}`,
      'BDAY:1990-03-10',
      'item1.TEL;TYPE=home:+1 2',
      'item1.X-ABLabel:Boat',
      'X-PHONE-ONLY;X-ODD="a;b":kept',
      ...lines,
      'END:VCARD',
    ]),
}

const GROUPS: DavKind = {
  ...CARDS,
  name: 'groups',
  textOf: (uid, title, lines = []) =>
    joined([
      'BEGIN:VCARD',
      'VERSION:3.0',
      `N:${title};;;;`,
      `FN:${title}`,
      'X-ADDRESSBOOKSERVER-KIND:group',
      'X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:somebody',
      `UID:${uid}`,
      ...lines,
      'END:VCARD',
    ]),
}

/** Of which clients make collections. */
export const KINDS: readonly DavKind[] = [EVENTS, TODOS, CARDS, GROUPS]

/** In collections that hold events and todos, which only clients make. */
export const MIXED: DavKind = { ...EVENTS, name: 'mixed', make: mkcalendar('VEVENT', 'VTODO') }

/** In collections that every user has: one of reminders. Birthdays are put by nobody. */
export const REMINDERS: DavKind = { ...TODOS, name: 'reminders', slug: 'reminders' }

/** Of which clients put objects. */
export const ALL_KINDS: readonly DavKind[] = [...KINDS, REMINDERS]

/** Makes a collection of the kind in JSON; answers its id and the address of its name. The one of reminders is there already. */
export async function makeCollection(kind: DavKind, actor: Pick<Actor, 'request'>, name: string) {
  if (kind === REMINDERS) return { id: 0, slug: kind.slug }
  const { status, body } = await actor.request('POST', kind.api, { body: { name } })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  const { id } = body as { id: number }
  return { id, slug: `${kind.slug}-${id}` }
}
