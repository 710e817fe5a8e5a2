import { performance } from 'node:perf_hooks'

/** The requests of clients that sync calendars, and how long they take. */

/** A calendar of a user at a server. */
export interface Place {
  readonly base: string
  readonly authorization: string
  /** The home of the user, and the calendar in it. */
  readonly home: string
  readonly path: string
  /** The server ends connections after an answer, without saying so. */
  readonly isClosing?: boolean
}

export interface Timed {
  readonly firstByteMs: number
  readonly ms: number
  readonly status: number
  readonly text: string
}

interface Sent {
  readonly path?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request, and reads its answer to the end. */
async function timed(
  { base, authorization, path, isClosing = false }: Place,
  method: string,
  { path: other, body, headers = {} }: Sent = {},
): Promise<Timed> {
  const startedAt = performance.now()
  const response = await fetch(`${base}${other ?? path}`, {
    method,
    headers: { authorization, ...headers },
    keepalive: !isClosing,
    ...(body !== undefined && { body }),
  })
  const parts: Uint8Array[] = []
  let firstByteMs = Number.NaN
  for await (const part of response.body ?? []) {
    if (parts.length === 0) firstByteMs = performance.now() - startedAt
    parts.push(part)
  }
  const ms = performance.now() - startedAt
  return { firstByteMs, ms, status: response.status, text: Buffer.concat(parts).toString() }
}

/** @throws {Error} where the server refuses. */
function accepted(answer: Timed): Timed {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text.slice(0, 500)}`)
  return answer
}

const answered = async (place: Place, method: string, sent: Sent = {}): Promise<Timed> =>
  accepted(await timed(place, method, sent))

const SPACES =
  'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/" xmlns:a="http://apple.com/ns/ical/"'
const propfindOf = (names: readonly string[]) =>
  `<d:propfind ${SPACES}><d:prop>${names.map((name) => `<${name}/>`).join('')}</d:prop></d:propfind>`
const queryOf = (range: string) =>
  `<c:calendar-query ${SPACES}><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:time-range ${range}/></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`

export const listing = (place: Place) =>
  answered(place, 'PROPFIND', { body: propfindOf(['d:getetag']), headers: { depth: '1' } })

export const tags = (place: Place) =>
  answered(place, 'PROPFIND', { body: propfindOf(['cs:getctag', 'd:sync-token']), headers: { depth: '0' } })

export const home = (place: Place) =>
  answered(place, 'PROPFIND', {
    path: place.home,
    body: propfindOf([
      'd:displayname',
      'd:resourcetype',
      'd:owner',
      'd:current-user-privilege-set',
      'd:supported-report-set',
      'd:sync-token',
      'cs:getctag',
      'a:calendar-color',
      'a:calendar-order',
      'c:supported-calendar-component-set',
      'c:calendar-timezone',
    ]),
    headers: { depth: '1' },
  })

export const syncSince = (place: Place, token: string) =>
  answered(place, 'REPORT', {
    body: `<d:sync-collection ${SPACES}><d:sync-token>${token}</d:sync-token><d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>`,
  })

export const multiget = (place: Place, names: readonly string[]) =>
  answered(place, 'REPORT', {
    body: `<c:calendar-multiget ${SPACES}><d:prop><d:getetag/><c:calendar-data/></d:prop>${names
      .map((name) => `<d:href>${place.path}${name}</d:href>`)
      .join('')}</c:calendar-multiget>`,
  })

export const month = (place: Place) =>
  answered(place, 'REPORT', {
    body: queryOf('start="20260301T000000Z" end="20260401T000000Z"'),
    headers: { depth: '1' },
  })

export const fromNow = (place: Place) =>
  answered(place, 'REPORT', { body: queryOf('start="20260301T000000Z"'), headers: { depth: '1' } })

export const put = async (place: Place, name: string, body: string) =>
  accepted(await tryPut(place, name, body))

/** A PUT that may be refused. */
export const tryPut = (place: Place, name: string, body: string) =>
  timed(place, 'PUT', {
    path: `${place.path}${name}`,
    body,
    headers: { 'content-type': 'text/calendar; charset=utf-8' },
  })

/** The token of a calendar now. */
export async function tokenOf(place: Place): Promise<string> {
  const [, token = ''] = /sync-token>([^<]+)</.exec((await tags(place)).text) ?? []
  return token
}

/** Queries and texts that cost as much as they can. */
export const SECONDLY = 'DTSTART:19260101T000000Z\r\nDURATION:PT1S\r\nRRULE:FREQ=SECONDLY'
export const exdates = (count: number): string => {
  const dates = Array.from({ length: count }, (_, day) =>
    new Date(Date.UTC(1890, 0, 1 + day)).toISOString().slice(0, 10).replaceAll('-', ''),
  )
  const lines = Array.from({ length: Math.ceil(count / 6) }, (_, n) =>
    dates.slice(n * 6, n * 6 + 6).join(','),
  )
  const start = 'DTSTART;VALUE=DATE:18900101\r\nRRULE:FREQ=DAILY'
  return [start, ...lines.map((line) => `EXDATE;VALUE=DATE:${line}`)].join('\r\n')
}

/** A series of days, of which each is changed: nearly a megabyte. */
export function overridden(count: number): string {
  const uid = crypto.randomUUID().slice(0, 8)
  const event = (...lines: readonly string[]) =>
    ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT'].join('\r\n')
  const changed = Array.from({ length: count }, (_, day) => {
    const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10).replaceAll('-', '')
    return event(`RECURRENCE-ID:${date}T090000Z`, `DTSTART:${date}T100000Z`)
  })
  const series = event('DTSTART:20260101T090000Z', 'RRULE:FREQ=DAILY')
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//bench//EN',
    series,
    ...changed,
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}

export const century = (place: Place) =>
  timed(place, 'REPORT', {
    body: `<c:calendar-query ${SPACES}><d:prop><d:getetag/><c:calendar-data><c:expand start="19260101T000000Z" end="20260101T000000Z"/></c:calendar-data></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:time-range start="19260101T000000Z" end="20260101T000000Z"/></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`,
    headers: { depth: '1' },
  })

export const busyCentury = (place: Place) =>
  timed(place, 'REPORT', {
    body: `<c:free-busy-query ${SPACES}><c:time-range start="19260101T000000Z" end="20260101T000000Z"/></c:free-busy-query>`,
    headers: { depth: '1' },
  })

const MIB = 1_048_576

/** XML of a size, most of it in elements that nobody knows. */
export const largeXml = (place: Place, mebibytes: number) =>
  timed(place, 'PROPFIND', {
    body: `<d:propfind ${SPACES}><d:prop><d:getetag/></d:prop>${'<x:y xmlns:x="urn:x" z="1">text</x:y>'.repeat(
      Math.floor((mebibytes * MIB - 400) / 37),
    )}</d:propfind>`,
    headers: { depth: '0' },
  })

/** One element whose text has the size. */
export const longText = (place: Place, mebibytes: number) =>
  timed(place, 'PROPFIND', {
    body: `<d:propfind ${SPACES}><d:prop><d:getetag/></d:prop><!--${'x'.repeat(mebibytes * MIB - 400)}--></d:propfind>`,
    headers: { depth: '0' },
  })

export const manyFilters = (place: Place, count: number) =>
  timed(place, 'REPORT', {
    body: `<c:calendar-query ${SPACES}><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">${'<c:prop-filter name="SUMMARY"><c:text-match collation="i;unicode-casemap">e</c:text-match></c:prop-filter>'.repeat(count)}</c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`,
    headers: { depth: '1' },
  })
