import {
  listObjectsBetween,
  type ObjectEntry,
  readObjects,
} from '../../features/objects/event-objects/service'
import { IMPORT_LIMIT_MS, pauses } from '../../lib/pauses'
import { DAY_MS } from '../../lib/time/wall-time'
import { childOf, type XmlElement } from '../../lib/xml/element'
import { caldav } from '../../lib/xml/names'
import { DavError, refused } from '../errors'
import { multistatus } from '../multistatus'
import { toObject, wantsMinimal } from '../methods/propfind'
import { needsText, responseOf } from '../properties/answer'
import { type Asked, askedWithin } from '../properties/asked'
import { type CalendarFilter, readCalendarFilter, readRange } from '../queries/calendar-filter'
import { matchesCalendar } from '../queries/calendar-match'
import type { QueryClocks } from '../queries/clocks'
import { freeBusy } from '../queries/free-busy'
import { type CalendarObject, readCalendarObject } from '../queries/object'
import { instant, preselectionOf } from '../queries/preselection'
import type { CollectionResource } from '../resources'
import { type Visit, viewerOf } from '../visit'
import { clocksOf, effortFor, readShaping, shaped, withinLimits } from './calendar-data'

/** Objects whose texts are read together. */
const PIECE = 100

interface QueryPlace {
  readonly resource: CollectionResource
  readonly epoch: string
}

const NOTHING: Asked = { kind: 'named', names: [] }

/**
 * Answers calendar-query (RFC 4791, section 7.8).
 * @throws {DavError} 400, 403 for a filter that cannot be, and for what would take too long.
 */
export async function calendarQuery(
  visit: Visit,
  body: XmlElement,
  { resource, epoch }: QueryPlace,
): Promise<Response> {
  const { deps, user, request } = visit
  const filter = readFilter(body)
  const asked = askedWithin(body) ?? NOTHING
  const viewer = await viewerOf(visit, epoch, [resource])
  const clocks = clocksOf(visit, body, resource, viewer)
  const found = await withinLimits(() => matching(visit, resource, { filter, clocks }))
  const shape = readShaping(body, clocks, found.length)
  const question = { asked, isMinimal: wantsMinimal(request) }
  return multistatus(deps, responses())

  async function* responses(): AsyncGenerator<string, void, void> {
    for (let start = 0; start < found.length; start += PIECE) {
      const piece = found.slice(start, start + PIECE)
      const entries = needsText(asked) ? await readObjects(deps, resource.collection, piece) : piece
      for (const entry of entries)
        yield responseOf(toObject(resource, user.session.userId, shaped(entry, shape)), question, viewer)
    }
  }
}

/** @throws {DavError} 400, 403. */
function readFilter(body: XmlElement): CalendarFilter {
  const element = childOf(body, caldav('filter'))
  if (!element) throw new DavError(400)
  const filter = readCalendarFilter(element)
  if ('precondition' in filter) throw refused(403, caldav(filter.precondition))
  return filter
}

interface CalendarQuery {
  readonly filter: CalendarFilter
  readonly clocks: QueryClocks
}

async function matching(
  visit: Visit,
  resource: CollectionResource,
  { filter, clocks }: CalendarQuery,
): Promise<ObjectEntry[]> {
  const { component, from, until, isEmpty } = preselectionOf(filter)
  if (isEmpty || (component !== undefined && component !== 'VEVENT')) return []
  const found: ObjectEntry[] = []
  for await (const [entry, object] of objectsBetween(visit, resource, { span: { from, until }, clocks }))
    if (matchesCalendar(filter, object)) found.push(entry)
  return found
}

interface SpanReading {
  readonly span: { readonly from: Date | undefined; readonly until: Date | undefined }
  readonly clocks: QueryClocks
}

/** The objects that may take place within the span, each read once. */
async function* objectsBetween(
  { deps }: Visit,
  { collection }: CollectionResource,
  { span, clocks }: SpanReading,
): AsyncGenerator<readonly [ObjectEntry, CalendarObject], void, void> {
  const pause = pauses(deps.clock, IMPORT_LIMIT_MS)
  const entries = await listObjectsBetween(deps.db, collection, span)
  const effort = effortFor(entries.length)
  for (let start = 0; start < entries.length; start += PIECE) {
    for (const read of await readObjects(deps, collection, entries.slice(start, start + PIECE))) {
      yield [read, readCalendarObject(read.text, clocks, effort)]
      await pause()
    }
  }
}

/** Answers free-busy-query (RFC 4791, section 7.10). @throws {DavError} 400, 403. */
export async function freeBusyQuery(
  visit: Visit,
  body: XmlElement,
  { resource, epoch }: QueryPlace,
): Promise<Response> {
  const element = childOf(body, caldav('time-range'))
  const range = element && readRange(element)
  if (!range || !Number.isFinite(range.from) || !Number.isFinite(range.until)) throw new DavError(400)
  const viewer = await viewerOf(visit, epoch, [resource])
  const clocks = clocksOf(visit, body, resource, viewer)
  const span = { from: instant(range.from - DAY_MS), until: instant(range.until + DAY_MS) }
  const text = await withinLimits(async () => {
    const objects: CalendarObject[] = []
    for await (const [, object] of objectsBetween(visit, resource, { span, clocks })) objects.push(object)
    return freeBusy(objects, range, {
      uid: `free-busy-${resource.collection.id}`,
      stamp: +visit.deps.clock.now(),
    })
  })
  return new Response(text, { headers: { 'content-type': 'text/calendar; charset=utf-8' } })
}
