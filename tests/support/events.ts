import {
  calendars,
  eventInvitations,
  type InvitationResponse,
  occurrenceResponses,
  settings,
} from '../../src/db/schema'
import { and, eq } from 'drizzle-orm'
import { wallFromText, wallToText } from '../../src/lib/time/wall-time'
import type { EventView } from '../../src/features/events/events/model'
import { calendarsOf } from './calendars'
import type { Actor, Harness } from './harness'

const EVENTS = '/api/events'
type Body = Record<string, unknown>

interface Answered {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** An event in a calendar, as its owner or writer sees it. */
type OwnEvent = EventView & { readonly id: number; readonly calendar_id: number }

/** Creates an event and returns it. */
export async function createEvent(actor: Pick<Actor, 'request'>, body: Body): Promise<OwnEvent> {
  const created = await actor.request('POST', EVENTS, { body: { title: 'Choir', ...body } })
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  return created.body
}

/** Names an occurrence in the query of a change or deletion. */
export const at = (occurrence_start: string, scope = 'this') => ({
  scope,
  occurrence_start,
})

/** What a user does with events, through the API. */
function eventsOf(actor: Actor) {
  const path = (id: number, query: Record<string, string> = {}) => {
    const search = new URLSearchParams(query).toString()
    return `${EVENTS}/${id}${search && `?${search}`}`
  }
  const window = (from: string, to: string, query: Record<string, string> = {}): Promise<Answered> =>
    actor.request('GET', `${EVENTS}?${new URLSearchParams({ from, to, ...query }).toString()}`)
  const list = async (
    from: string,
    to: string,
    query: Record<string, string> = {},
  ): Promise<Answered['body'][]> => {
    const answered = await window(from, to, query)
    if (answered.status !== 200) throw new Error(JSON.stringify(answered.body))
    return answered.body.events
  }
  return {
    create: (body: Body) => createEvent(actor, body),
    attempt: (body: Body): Promise<Answered> =>
      actor.request('POST', EVENTS, { body: { title: 'Choir', ...body } }),
    read: (id: number): Promise<Answered> => actor.request('GET', path(id)),
    change: (id: number, body: Body, query: Record<string, string> = {}, headers = {}): Promise<Answered> =>
      actor.request('PUT', path(id, query), { body, headers }),
    remove: (id: number, query: Record<string, string> = {}, headers = {}): Promise<Answered> =>
      actor.request('DELETE', path(id, query), { headers }),
    window,
    /** The events of the window. */
    list,
    /** The starts of what is in the window. */
    starts: async (from: string, to: string, query: Record<string, string> = {}): Promise<string[]> =>
      (await list(from, to, query)).map((event) => event.start_at ?? event.start_date),
    occurrences: (
      id: number,
      from: string,
      to: string,
      query: Record<string, string> = {},
    ): Promise<Answered> =>
      actor.request(
        'GET',
        `${EVENTS}/${id}/occurrences?${new URLSearchParams({ from, to, ...query }).toString()}`,
      ),
    preview: (body: Body): Promise<Answered> =>
      actor.request('POST', `${EVENTS}/preview-recurrence`, { body }),
    dashboard: (date: string): Promise<Answered> => actor.request('GET', `/api/dashboard?date=${date}`),
  }
}

/** Somebody who is signed in, and what they do with events and calendars. */
export async function organiser(h: Harness, timeZone?: string) {
  const actor = await h.signedIn()
  if (timeZone !== undefined) {
    await h.db.update(settings).set({ timeZone }).where(eq(settings.userId, actor.row.id))
  }
  return { ...actor, ...eventsOf(actor), ...calendarsOf(actor) }
}

export type Organiser = Awaited<ReturnType<typeof organiser>>

/** The Birthdays calendar of a user. */
export async function birthdaysOf(h: Harness, userId: number) {
  const [row] = await h.db
    .select()
    .from(calendars)
    .where(and(eq(calendars.userId, userId), eq(calendars.isSystem, true)))
  if (!row) throw new Error('no calendar')
  return row
}

interface Invited {
  readonly eventId: number
  readonly userId: number
  readonly response?: InvitationResponse | null
  readonly displayCalendarId?: number
  /** Answers for single occurrences, by their wall times. */
  readonly answers?: Readonly<Record<string, InvitationResponse>>
}

/** An invitation as the organiser's request leaves it. */
export async function invite(h: Harness, { answers = {}, ...columns }: Invited) {
  const now = { createdAt: h.clock.now(), updatedAt: h.clock.now() }
  const [invitation] = await h.db
    .insert(eventInvitations)
    .values({ ...columns, ...now })
    .returning()
  if (!invitation) throw new Error('no row')
  for (const [wall, response] of Object.entries(answers)) {
    const occurrenceStart = wallToText(wallFromText(wall))
    await h.db
      .insert(occurrenceResponses)
      .values({ invitationId: invitation.id, occurrenceStart, response, ...now })
  }
  return invitation
}
