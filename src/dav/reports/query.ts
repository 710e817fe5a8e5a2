import { type Collection, partTaking } from '../../features/objects/collections/rules'
import { addressOf } from '../../features/objects/invitation-objects/rules'
import type { ObjectEntry, OpenSpan } from '../../features/objects/sources/rules'
import { IMPORT_LIMIT_MS, pauses } from '../../lib/pauses'
import { DAY_MS } from '../../lib/time/wall-time'
import { childOf, type XmlElement } from '../../lib/xml/element'
import { caldav } from '../../lib/xml/names'
import { DavError, refused } from '../errors'
import { multistatus } from '../multistatus'
import { wantsMinimal } from '../methods/propfind'
import { objectResponses, piecesOf } from '../objects'
import { askedWithin, NOTHING } from '../properties/asked'
import { type CalendarFilter, readCalendarFilter, readRange } from '../queries/calendar-filter'
import { matchesCalendar } from '../queries/calendar-match'
import type { QueryClocks } from '../queries/clocks'
import { freeBusy } from '../queries/free-busy'
import { type CalendarObject, readCalendarObject } from '../queries/object'
import { asksForSpanAlone, instant, preselectionOf } from '../queries/preselection'
import type { CollectionResource, Found } from '../resources'
import { sourceOf } from '../sources'
import { type Visit, viewerOf } from '../visit'
import { clocksOf, effortFor, readShaping, withinLimits } from './calendar-data'

/**
 * Answers calendar-query (RFC 4791, section 7.8).
 * @throws {DavError} 400, 403 for a filter that cannot be, and for what would take too long.
 */
export async function calendarQuery(
  visit: Visit,
  body: XmlElement,
  { resource, journal }: Found<CollectionResource>,
): Promise<Response> {
  const filter = readFilter(body)
  const asked = askedWithin(body) ?? NOTHING
  const viewer = await viewerOf(visit, journal, [resource])
  const clocks = clocksOf(visit, body, resource, viewer)
  const found = await withinLimits(() => matching(visit, resource, { filter, clocks }))
  const shape = readShaping(body, clocks, found.length)
  const question = { asked, isMinimal: wantsMinimal(visit.request), viewer, shape }
  return multistatus(visit.deps, objectResponses(visit, resource, found, question))
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
  const { collection } = resource
  const asked = component === undefined ? collection : partTaking(collection, component)
  if (isEmpty || !asked) return []
  const isCertain = (entry: ObjectEntry) => asksForSpanAlone(filter) && entry.isWithin === true
  const found: ObjectEntry[] = []
  const reading = { span: { from, until }, clocks, isKnown: isCertain }
  for await (const [entry, object] of objectsBetween(visit, asked, reading))
    if (!object || matchesCalendar(filter, object)) found.push(entry)
  return found
}

interface SpanReading {
  readonly span: OpenSpan
  readonly clocks: QueryClocks
  /** Which objects need not be read. */
  readonly isKnown?: (entry: ObjectEntry) => boolean
}

type PerhapsRead = readonly [entry: ObjectEntry, object: CalendarObject | undefined]

/** The objects that may take place within the span, each read once. */
async function* objectsBetween(
  { deps }: Visit,
  collection: Collection,
  { span, clocks, isKnown = () => false }: SpanReading,
): AsyncGenerator<PerhapsRead, void, void> {
  const source = sourceOf(collection)
  const pause = pauses(deps.clock, IMPORT_LIMIT_MS)
  const entries = await source.list(deps.db, collection, span)
  const effort = effortFor(entries.length)
  for (const entry of entries) if (isKnown(entry)) yield [entry, undefined]
  for (const piece of piecesOf(entries.filter((entry) => !isKnown(entry)))) {
    for (const read of await source.read(deps, collection, piece)) {
      yield [read, readCalendarObject(read.text, clocks, effort)]
      await pause()
    }
  }
}

/** What the visitor is called among attendees, in lower case. */
const addressesOf = ({ user }: Visit): ReadonlySet<string> =>
  new Set(
    [addressOf({ id: user.session.userId }), `mailto:${user.owner.profile.email ?? ''}`].map((one) =>
      one.toLowerCase(),
    ),
  )

/** Answers free-busy-query (RFC 4791, section 7.10). @throws {DavError} 400, 403. */
export async function freeBusyQuery(
  visit: Visit,
  body: XmlElement,
  { resource, journal }: Found<CollectionResource>,
): Promise<Response> {
  const element = childOf(body, caldav('time-range'))
  const range = element && readRange(element)
  if (!range || !Number.isFinite(range.from) || !Number.isFinite(range.until)) throw new DavError(400)
  const viewer = await viewerOf(visit, journal, [resource])
  const clocks = clocksOf(visit, body, resource, viewer)
  const span = { from: instant(range.from - DAY_MS), until: instant(range.until + DAY_MS) }
  const { collection } = resource
  const events = partTaking(collection, 'VEVENT') ?? collection
  async function* objects(): AsyncGenerator<CalendarObject, void, void> {
    for await (const [, object] of objectsBetween(visit, events, { span, clocks })) if (object) yield object
  }
  const text = await withinLimits(() =>
    freeBusy(objects(), range, {
      uid: `free-busy-${collection.id}`,
      stamp: +visit.deps.clock.now(),
      pause: pauses(visit.deps.clock),
      addresses: collection.isOthers ? new Set() : addressesOf(visit),
    }),
  )
  return new Response(text, { headers: { 'content-type': 'text/calendar; charset=utf-8' } })
}
