import type { CalendarView } from '../../features/calendars/calendars/model'
import type { EventChanges, EventView, NewEvent } from '../../features/events/events/model'
import type { InvitationView, ResponseBody } from '../../features/events/invitations/model'
import { pathOf, queryOf } from '../api/call'
import { creation, type Effect, type Intent, localId } from '../store/commands'
import type { RecordName } from '../store/kinds'
import { now } from '../time/now'
import { changedParts, changesOf, EVENT_PARTS, type EventPart } from './changes'

/** How much of a series a change concerns. */
export type SeriesReach = 'this' | 'following' | 'all'

export const nameOf = ({ id, occurrence_start: at }: EventView): RecordName => ({
  kind: 'event',
  id: id ?? 0,
  at: at ?? undefined,
})

const isOccurrence = (event: EventView) => event.occurrence_start !== null

/** The address of a write of an event, or of so much of its series. */
export const pathFor = (event: EventView, scope: SeriesReach): string =>
  pathOf`events/${event.id ?? 0}` +
  (isOccurrence(event) ? queryOf({ scope, occurrence_start: event.occurrence_start ?? undefined }) : '')

/** What is meant by a reach, of those occurrences that this device holds. */
function meant(event: EventView, scope: SeriesReach): RecordName & Pick<Effect, 'onwards'> {
  if (scope === 'all') return { kind: 'event', id: event.id ?? 0 }
  return { ...nameOf(event), ...(scope === 'following' && { onwards: true as const }) }
}

interface EventWords {
  /** What is done, in the user's language. */
  readonly said: string
  /** The address of the editor. */
  readonly from?: string
}

/** Makes an event. Of a series the first occurrence shows at once, the others after the answer, as the service alone expands it. */
export function creating(body: NewEvent, calendars: readonly CalendarView[], words: EventWords) {
  const item = { ...EMPTY, created_at: now().toString(), updated_at: now().toString() }
  const shown = { ...item, ...shownFields(body, EVENT_PARTS, calendars), id: localId() }
  return { item: shown, intent: creation({ kind: 'event', item: shown }, 'events', { ...body }, words) }
}

interface EventEdit {
  readonly opened: EventView
  readonly before: NewEvent
  readonly after: NewEvent
  readonly scope: SeriesReach
}

/**
 * Changes what differs of an event or so much of its series. Where times or the rule change, the other occurrences show it after the
 * answer; nothing when nothing differs.
 */
export function changing(
  { opened, before, after, scope }: EventEdit,
  calendars: readonly CalendarView[],
  words: EventWords,
): Intent | undefined {
  const parts = changedParts(before, after)
  if (parts.length === 0) return undefined
  const isExpandedAnew = parts.includes('times') || parts.includes('recurrence_rule')
  const target = isExpandedAnew ? nameOf(opened) : meant(opened, scope)
  return {
    ...words,
    apply: [{ ...target, is: 'patch', fields: shownFields(after, parts, calendars) }],
    request: { method: 'PUT', path: pathFor(opened, scope), body: { ...changesOf(after, parts) } },
    guard: nameOf(opened),
    opened,
  }
}

/** Gives an event, or the whole series of an occurrence, former fields again. Other times of a series show after the answer. */
export function restoring(event: EventView, fields: EventChanges, said: string): Intent {
  const parts = EVENT_PARTS.filter((part) => (part === 'times' ? 'all_day' : part) in fields)
  const isExpandedAnew = parts.includes('times') || parts.includes('recurrence_rule')
  const target = isExpandedAnew ? nameOf(event) : meant(event, 'all')
  return {
    said,
    apply: [{ ...target, is: 'patch', fields: isExpandedAnew && isOccurrence(event) ? {} : fields }],
    request: {
      method: 'PUT',
      path: pathOf`events/${event.id ?? 0}`,
      body: { ...changesOf(fields, parts) },
    },
    guard: nameOf(event),
  }
}

/** Deletes an occurrence, it and what follows it, or the whole event. */
export const deleting = (event: EventView, scope: SeriesReach, said: string): Intent => ({
  said,
  apply: [{ ...meant(event, isOccurrence(event) ? scope : 'all'), is: 'delete' }],
  request: { method: 'DELETE', path: pathFor(event, scope) },
  guard: nameOf(event),
})

/** Invites users to an event, which may still be on its way. They are told, so that nothing undoes it. */
export const inviting = (eventId: number, userIds: readonly number[], said: string): Intent => ({
  said,
  apply: [{ kind: 'event', id: eventId, is: 'patch', fields: {} }],
  request: {
    method: 'POST',
    path: pathOf`events/${eventId}/invitations`,
    body: { user_ids: userIds },
    answers: null,
  },
  canUndo: false,
})

/** Takes an invitation back, which nothing undoes; it must have been confirmed. */
export const takingBack = ({ id, event_id: eventId }: InvitationView, said: string): Intent => ({
  said,
  apply: [{ kind: 'event', id: eventId, is: 'patch', fields: {} }],
  request: { method: 'DELETE', path: pathOf`events/${eventId}/invitations/${id}`, answers: null },
  canUndo: false,
})

type MyInvitation = NonNullable<EventView['my_invitation']>

/** Answers an invitation, for one occurrence or for all. Another answer takes it back. */
export function answering(
  { id }: EventView,
  mine: MyInvitation,
  { response, occurrence_start: at }: ResponseBody,
  said: string,
): Intent {
  const fields = { my_invitation: { ...mine, response } }
  return {
    said,
    apply: [{ kind: 'event', id: id ?? 0, ...(at != null && { at }), is: 'patch', fields }],
    request: {
      method: 'PUT',
      path: pathOf`event-invitations/${mine.id}`,
      body: { response, ...(at != null && { occurrence_start: at }) },
      answers: null,
    },
    canUndo: false,
  }
}

/** Chooses the calendar of one's own that shows an event to which one is invited. Another choice takes it back. */
export const showingIn = (
  { id }: EventView,
  mine: MyInvitation,
  calendar: CalendarView | undefined,
  said: string,
): Intent => ({
  said,
  apply: [
    {
      kind: 'event',
      id: id ?? 0,
      is: 'patch',
      fields: {
        my_invitation: { ...mine, display_calendar_id: calendar?.id ?? null },
        ...shownIn(calendar),
      },
    },
  ],
  request: {
    method: 'PUT',
    path: pathOf`event-invitations/${mine.id}/display-calendar`,
    body: { calendar_id: calendar?.id ?? null },
    answers: null,
  },
  canUndo: false,
})

/** Gives up an invitation. The event goes, unless it stands in a calendar that one sees anyway. */
export const leaving = (event: EventView, mine: MyInvitation, isShared: boolean, said: string): Intent => {
  const id = event.id ?? 0
  const gone: Effect = { kind: 'event', id, is: 'delete' }
  const kept: Effect = { kind: 'event', id, is: 'patch', fields: { my_invitation: null } }
  return {
    said,
    apply: [isShared ? kept : gone],
    request: { method: 'DELETE', path: pathOf`events/${id}/invitations/${mine.id}`, answers: null },
    canUndo: false,
  }
}

const EMPTY: Omit<EventView, 'id' | 'created_at' | 'updated_at'> = {
  calendar_id: null,
  calendar_name: null,
  calendar_color: null,
  title: '',
  description: null,
  location: null,
  all_day: false,
  start_at: null,
  end_at: null,
  time_zone: null,
  start_date: null,
  end_date: null,
  recurrence_rule: null,
  recurrence_unsupported: false,
  is_cancelled: false,
  reminder_minutes: null,
  visibility: 'public',
  access: 'owner',
  my_invitation: null,
  is_virtual: false,
  occurrence_start: null,
  is_override: false,
  version: 0,
}

/** Parts of a request as the service will show them. */
function shownFields(
  after: NewEvent,
  parts: readonly EventPart[],
  calendars: readonly CalendarView[],
): Partial<EventView> {
  const calendar = calendars.find(({ id, is_default: isDefault }) =>
    after.calendar_id === undefined ? isDefault : id === after.calendar_id,
  )
  const others = parts.filter((part) => part !== 'times' && part !== 'calendar_id' && part !== 'visibility')
  return {
    ...Object.fromEntries(others.map((part) => [part, after[part] ?? null])),
    ...(parts.includes('times') && shownTimes(after)),
    ...(parts.includes('calendar_id') && shownIn(calendar)),
    ...(parts.includes('visibility') && { visibility: after.visibility ?? 'public' }),
  }
}

const shownIn = (calendar: CalendarView | undefined) => ({
  calendar_id: calendar?.id ?? null,
  calendar_name: calendar?.name ?? null,
  calendar_color: calendar?.color ?? null,
})

function shownTimes(event: NewEvent): Partial<EventView> {
  const { all_day: isAllDay, start_at, end_at, start_date = null, end_date = null } = event
  const zone = event.time_zone ?? null
  if (isAllDay === true)
    return { all_day: true, start_date, end_date, start_at: null, end_at: null, time_zone: null }
  const instant = (wall: string | null | undefined) =>
    Temporal.PlainDateTime.from(wall ?? '')
      .toZonedDateTime(zone ?? 'UTC')
      .toString({ timeZoneName: 'never', smallestUnit: 'second' })
  return {
    all_day: false,
    start_at: instant(start_at),
    end_at: instant(end_at),
    time_zone: zone,
    start_date: null,
    end_date: null,
  }
}
