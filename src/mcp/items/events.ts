import type { EventView } from '../../features/events/events/model'
import { otherAuthorsOf, ownerNamesOf } from '../../features/events/events/service'
import { type Assistant, zoneFor } from '../assistant'
import { type AssistantItem, inZone, present, told, weekdayOf } from './item'
import { type Sharing, sharingOf } from './sharing'

/** Events and occurrences as an assistant is told of them. */
export async function eventItems(
  assistant: Assistant,
  events: readonly EventView[],
): Promise<AssistantItem[]> {
  const others = events.flatMap(({ id, access }) => (id === null || access === 'owner' ? [] : [id]))
  const own = events.flatMap(({ id, access }) => (id === null || access !== 'owner' ? [] : [id]))
  const [sharing, owners, authors] = await Promise.all([
    sharingOf(
      assistant,
      events.flatMap(({ calendar_id }) => calendar_id ?? []),
    ),
    ownerNamesOf(assistant.deps, [...new Set(others)]),
    otherAuthorsOf(assistant.deps, assistant.session, [...new Set(own)]),
  ])
  const former = Map.groupBy(authors, ({ id }) => id)
  const zone = zoneFor(assistant)
  return events.map((event) => {
    const calendar = event.calendar_id === null ? undefined : sharing.get(event.calendar_id)
    const names = former.get(event.id ?? 0)?.map(({ networkName }) => networkName ?? SOMEBODY) ?? []
    const by =
      event.access === 'owner'
        ? writersOf(event, calendar, names)
        : (owners.get(event.id ?? 0) ?? calendar?.owner ?? SOMEBODY)
    return eventItem(zone, event, { calendar, by })
  })
}

const SOMEBODY = 'somebody else'

/**
 * Who but the user may have written the texts of an event of their own: those who write into its calendar, and those who wrote it
 * when they did; null where only the user can have.
 */
function writersOf(
  { is_virtual }: EventView,
  calendar: Sharing | undefined,
  former: readonly string[],
): string | null {
  const names = new Set([...(calendar?.writers ?? []), ...former])
  return is_virtual || names.size === 0 ? null : [...names].join(', ')
}

interface Around {
  readonly calendar: Sharing | undefined
  readonly by: string | null
}

const eventItem = (zone: string, event: EventView, { calendar, by }: Around): AssistantItem => ({
  type: 'event',
  id: event.id,
  version: event.version,
  ...present({
    title: told(event.title, by),
    ...timesIn(zone, event),
    description: told(event.description, by),
    location: told(event.location, by),
    recurrence_rule: event.recurrence_rule,
    occurrence: event.occurrence_start,
    calendar_id: event.calendar_id,
    calendar: calendar && told(calendar.name, calendar.owner),
    access: event.access === 'owner' ? null : event.access,
    visibility: event.visibility === 'private' ? 'private' : null,
    is_birthday: event.is_virtual || null,
    is_cancelled: event.is_cancelled || null,
    invitation: event.my_invitation && {
      id: event.my_invitation.id,
      response: event.my_invitation.response,
    },
  }),
})

/** The times by the user's clocks; `held_in` is the zone of an event elsewhere, whose clocks a series follows. */
function timesIn(zone: string, event: EventView): Readonly<Record<string, unknown>> {
  if (event.all_day) {
    const { start_date, end_date } = event
    return { start_date, end_date: end_date === start_date ? null : end_date, weekday: weekdayOf(start_date) }
  }
  const start = inZone(zone, event.start_at)
  return {
    start_at: start,
    end_at: inZone(zone, event.end_at),
    weekday: weekdayOf(start),
    held_in: event.time_zone === zone ? null : event.time_zone,
  }
}
