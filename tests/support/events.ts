import {
  calendars,
  eventInvitations,
  type InvitationResponse,
  occurrenceResponses,
  settings,
} from '../../src/db/schema'
import { and, eq } from 'drizzle-orm'
import { wallFromText, wallToText } from '../../src/lib/time/wall-time'
import type { Actor, Harness } from './harness'

const EVENTS = '/api/events'
type Body = Record<string, unknown>

interface Answered {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** What the tests of events do over and over, through the API. */
function eventsOf(actor: Actor) {
  const path = (id: number, query: Record<string, string> = {}) => {
    const search = new URLSearchParams(query).toString()
    return `${EVENTS}/${id}${search && `?${search}`}`
  }
  const list = async (
    from: string,
    to: string,
    query: Record<string, string> = {},
  ): Promise<Answered['body'][]> => {
    const answered = await actor.request(
      'GET',
      `${EVENTS}?${new URLSearchParams({ from, to, ...query }).toString()}`,
    )
    if (answered.status !== 200) throw new Error(JSON.stringify(answered.body))
    return answered.body.events
  }
  return {
    async create(body: Body): Promise<Answered['body']> {
      const created = await actor.request('POST', EVENTS, { body: { title: 'Choir', ...body } })
      if (created.status !== 201) throw new Error(JSON.stringify(created.body))
      return created.body
    },
    attempt: (body: Body): Promise<Answered> =>
      actor.request('POST', EVENTS, { body: { title: 'Choir', ...body } }),
    read: (id: number): Promise<Answered> => actor.request('GET', path(id)),
    change: (id: number, body: Body, query: Record<string, string> = {}, headers = {}): Promise<Answered> =>
      actor.request('PUT', path(id, query), { body, headers }),
    remove: (id: number, query: Record<string, string> = {}, headers = {}): Promise<Answered> =>
      actor.request('DELETE', path(id, query), { headers }),
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
  }
}

/** Somebody who is signed in, and what they do with events. */
export async function organiser(h: Harness, timeZone?: string) {
  const actor = await h.signedIn()
  if (timeZone !== undefined) {
    await h.db.update(settings).set({ timeZone }).where(eq(settings.userId, actor.row.id))
  }
  return { ...actor, ...eventsOf(actor) }
}

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
