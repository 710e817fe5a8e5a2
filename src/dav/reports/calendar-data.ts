import { childOf, type XmlElement } from '../../lib/xml/element'
import { caldav, dav } from '../../lib/xml/names'
import { zoneOf } from '../../access/reader/service'
import { zoneNamed } from '../../lib/time/zone-names'
import { textIn } from '../../lib/xml/write'
import { badRequest, refused } from '../errors'
import type { Telling, Untold } from '../objects'
import { readRange } from '../queries/calendar-filter'
import { clockOfTimezone, clockOfZone, type QueryClocks } from '../queries/clocks'
import { type Effort, ObjectTooCostly, QueryRefusal, reportEffort } from '../queries/effort'
import { expandCalendar, limitFreeBusySet, limitRecurrenceSet } from '../queries/expand'
import type { TimeRange } from '../queries/moments'
import { type CalendarObject, readCalendarObject } from '../queries/object'
import { partOfCalendar, readCalendarParts } from '../queries/partial'
import type { CollectionResource, Viewer } from '../resources'
import { placeOf } from '../resources'
import type { Visit } from '../visit'

/** What a report may cost for each object beside what hostile ones may, so that large calendars are answered. */
const OF_EACH = 100
const OF_HOSTILE = 400_000

/** The effort of a report over so many objects, and what else it may cost. */
export const effortFor = (count: number, more = 0): Effort =>
  reportEffort(OF_HOSTILE + OF_EACH * count + more)

/** What a report answers of a text. */
type Shaping = NonNullable<Telling['shape']>

const RANGED = [
  ['expand', expandCalendar],
  ['limit-recurrence-set', limitRecurrenceSet],
  ['limit-freebusy-set', limitFreeBusySet],
] as const

interface Ranged {
  readonly range: TimeRange
  readonly shape: (object: CalendarObject, range: TimeRange) => string
}

/**
 * How the texts of a report are to be shaped: expanded, limited, or in part (RFC 4791, section 9.6).
 * @throws {DavError} 400, 403 for another kind of data.
 */
export function readShaping(body: XmlElement, clocks: QueryClocks, count: number): Shaping {
  const effort = effortFor(count)
  const prop = childOf(body, dav('prop'))
  const data = prop && childOf(prop, caldav('calendar-data'))
  if (!data) return (text) => text
  refuseOtherData(data)
  const ranged = RANGED.flatMap(([name, shape]): Ranged[] => {
    const found = childOf(data, caldav(name))
    return found ? [{ range: readRange(found) ?? badRequest(), shape }] : []
  })
  const part = readCalendarParts(data)
  return (text) =>
    unlessTooCostly(() => {
      const whole = ranged.reduce(
        (one, { range, shape }) => shape(readCalendarObject(one, clocks, effort), range),
        text,
      )
      return part ? partOfCalendar(whole, part) : whole
    })
}

/** Of an object that costs too much the answer says so, and all others are told. */
function unlessTooCostly(work: () => string): string | Untold {
  try {
    return work()
  } catch (error) {
    if (error instanceof ObjectTooCostly) return { precondition: caldav('max-instances') }
    if (error instanceof QueryRefusal) return { precondition: refusedAs(error) }
    throw error
  }
}

function refuseOtherData({ attributes }: XmlElement): void {
  const [type, version] = [
    attributes.get('content-type') ?? 'text/calendar',
    attributes.get('version') ?? '2.0',
  ]
  if (type.toLowerCase() !== 'text/calendar' || version !== '2.0')
    throw refused(403, caldav('supported-calendar-data'))
}

/** The clocks of floating times: those of the query, else of the calendar, else of the user. @throws {DavError} 403. */
export function clocksOf(
  { deps, user }: Visit,
  body: XmlElement,
  resource: CollectionResource,
  { kept }: Viewer,
): QueryClocks {
  const zoneOfName = (name: string) => deps.calendarFiles.zoneOfWindows(name)
  const own = kept.get(placeOf(resource) ?? '')
  const [text, name] = [own?.get(caldav('calendar-timezone')), own?.get(caldav('calendar-timezone-id'))]
  const floating =
    clockOfQuery(body, zoneOfName) ??
    (name === undefined ? undefined : clockNamed(textIn(name))) ??
    (text === undefined ? undefined : clockOfTimezone(textIn(text), zoneOfName)) ??
    clockOfZone(zoneOf(deps.config, user.owner))
  return { floating, zoneOf: zoneOfName }
}

/** @throws {DavError} 403. */
function clockOfQuery(body: XmlElement, zoneOfName: NonNullable<QueryClocks['zoneOf']>) {
  const text = childOf(body, caldav('timezone'))?.text
  if (text !== undefined) return clockOfTimezone(text, zoneOfName) ?? invalidZone('valid-calendar-data')
  const name = childOf(body, caldav('timezone-id'))?.text.trim() ?? ''
  return name === '' ? undefined : clockNamed(name)
}

const clockNamed = (name: string) => clockOfZone(zoneNamed(name) ?? invalidZone('valid-timezone'))

const invalidZone = (precondition: string): never => {
  throw refused(403, caldav(precondition))
}

const refusedAs = ({ precondition }: QueryRefusal, names = caldav): string =>
  precondition === 'number-of-matches-within-limits' ? dav(precondition) : names(precondition)

/** Turns what a query cannot be given into its refusal; `names` is the namespace of the query. @throws {DavError} 403. */
export async function withinLimits<T>(work: () => Promise<T>, names = caldav): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof QueryRefusal)) throw error
    throw refused(403, refusedAs(error, names))
  }
}
