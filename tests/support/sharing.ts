import { befriend, type Answered, type Person, person } from './inviting'
import { notificationsOf } from './connecting'
import type { Harness } from './harness'

const CALENDARS = '/api/calendars'

/** What the tests of shared calendars do over and over, through the API. */
function sharesOf(actor: Person) {
  const members = (calendarId: number | string) => `${CALENDARS}/${calendarId}/members`
  const invites = async (query = ''): Promise<Answered> =>
    actor.request('GET', `${CALENDARS}/invites${query}`)
  const accept = (inviteId: number): Promise<Answered> =>
    actor.request('PUT', `${CALENDARS}/invites/${inviteId}/accept`)
  return {
    shareWithId: (calendarId: number, user_id: unknown, permission: unknown): Promise<Answered> =>
      actor.request('POST', members(calendarId), { body: { user_id, permission } }),
    share: (calendarId: number, other: Person, permission: 'read' | 'write' = 'read'): Promise<Answered> =>
      actor.request('POST', members(calendarId), { body: { user_id: other.row.id, permission } }),
    members: (calendarId: number, query = ''): Promise<Answered> =>
      actor.request('GET', `${members(calendarId)}${query}`),
    permit: (calendarId: number, memberId: number, permission: unknown): Promise<Answered> =>
      actor.request('PUT', `${members(calendarId)}/${memberId}`, { body: { permission } }),
    dismiss: (calendarId: number, memberId: number): Promise<Answered> =>
      actor.request('DELETE', `${members(calendarId)}/${memberId}`),
    invites,
    accept,
    reject: (inviteId: number): Promise<Answered> =>
      actor.request('PUT', `${CALENDARS}/invites/${inviteId}/reject`),
    acceptAll: async () => {
      for (const { id } of (await invites()).body.invites) {
        const { status } = await accept(id)
        if (status !== 200) throw new Error(`not accepted: ${status}`)
      }
    },
    /** The notifications about shared calendars, newest first. */
    told: async () =>
      (await notificationsOf(actor)).filter(({ type }) => String(type).startsWith('calendar_')),
  }
}

export async function sharer(h: Harness) {
  const actor = await person(h)
  return { ...actor, ...sharesOf(actor) }
}

export type Sharer = Awaited<ReturnType<typeof sharer>>

/** Somebody, and another with whom they are connected and share a calendar that the other has accepted. */
export async function sharedWith(h: Harness, permission: 'read' | 'write') {
  const [ada, bob] = [await sharer(h), await sharer(h)]
  await befriend(h, ada, [bob])
  const calendar = await ada.createCalendar('Choir')
  const member = (await ada.share(calendar.id, bob, permission)).body
  await bob.acceptAll()
  return { ada, bob, calendar, member }
}

/** A calendar of the one into which the other may write. */
export async function lent(owner: Sharer, writer: Sharer, name = 'Own') {
  const calendar = await owner.createCalendar(name)
  await owner.share(calendar.id, writer, 'write')
  await writer.acceptAll()
  return calendar
}
