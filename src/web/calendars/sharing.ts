import type { CalendarView } from '../../features/calendars/calendars/model'
import type { InviteView } from '../../features/calendars/invites/model'
import type { MembersPage, MemberView, NewMember } from '../../features/calendars/members/model'
import { type Answer, call, pathOf, queryOf } from '../api/call'
import { randomKey } from '../api/random'
import type { Effect, Intent } from '../store/commands'

export type Permission = MemberView['permission']

/** All members of a calendar by network name; its owner also sees who has not accepted yet. */
export async function readMembers(id: number): Promise<readonly MemberView[]> {
  const members: MemberView[] = []
  let cursor: string | undefined
  do {
    const { body } = await call<MembersPage>(
      'GET',
      `${pathOf`calendars/${id}/members`}${queryOf({ limit: 200, cursor })}`,
    )
    members.push(...body.members)
    cursor = body.next_cursor ?? undefined
  } while (cursor !== undefined)
  return members
}

/** Offers a calendar to a connection, who gets it by accepting. */
export const shareCalendar = (id: number, body: NewMember): Promise<Answer<MemberView>> =>
  call('POST', pathOf`calendars/${id}/members`, { body, idempotencyKey: randomKey() })

/** Members are no records of the store: the calendar stands for them, so that what concerns it goes out in order. */
const concerning = (id: number): readonly Effect[] => [{ kind: 'calendar', id, is: 'patch', fields: {} }]

/** Sharing is never undone by the service (contract: undo.operations): another choice takes it back. */
const ABOUT_MEMBERS = { canUndo: false } as const

export const permitting = (
  calendar: CalendarView,
  { id }: MemberView,
  permission: Permission,
  said: string,
): Intent => ({
  said,
  apply: concerning(calendar.id),
  request: {
    method: 'PUT',
    path: pathOf`calendars/${calendar.id}/members/${id}`,
    body: { permission },
    answers: null,
  },
  ...ABOUT_MEMBERS,
})

/** Takes a calendar away from a member, or an offer back. */
export const unsharing = (calendar: CalendarView, { id }: MemberView, said: string): Intent => ({
  said,
  apply: concerning(calendar.id),
  request: { method: 'DELETE', path: pathOf`calendars/${calendar.id}/members/${id}`, answers: null },
  ...ABOUT_MEMBERS,
})

/** Gives up a calendar that somebody else shares. */
export const leaving = (calendar: CalendarView, membership: MemberView, said: string): Intent => ({
  ...unsharing(calendar, membership, said),
  apply: [{ kind: 'calendar', id: calendar.id, is: 'delete' }],
})

const answered = ({ id }: InviteView): readonly Effect[] => [{ kind: 'calendar_invite', id, is: 'delete' }]

/** Takes a calendar that is offered; the feed brings it. */
export const acceptingInvite = (invite: InviteView, said: string): Intent => ({
  said,
  apply: answered(invite),
  request: { method: 'PUT', path: pathOf`calendars/invites/${invite.id}/accept`, answers: null },
  ...ABOUT_MEMBERS,
})

export const rejectingInvite = (invite: InviteView, said: string): Intent => ({
  said,
  apply: answered(invite),
  request: { method: 'PUT', path: pathOf`calendars/invites/${invite.id}/reject`, answers: null },
  ...ABOUT_MEMBERS,
})
