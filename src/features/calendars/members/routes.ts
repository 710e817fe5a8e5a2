import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { requestOrigin } from '../../../http/origin'
import type { Again } from '../../../http/admission'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import {
  CalendarPath,
  MemberChanges,
  MemberPath,
  MembersPage,
  MembersQuery,
  MemberView,
  NewMember,
} from './model'
import * as members from './service'

const calendarIdOf = (params: { id: string }) => readId(params.id, 'Calendar')
const namedBy = (params: { id: string; member_id: string }) => ({
  calendarId: calendarIdOf(params),
  id: readId(params.member_id, 'Member'),
})

/** The options of a route that answers a member. */
const changing = (deps: Deps) => ({
  scope: 'calendars:write' as const,
  readAgain: ({ session, params: { id = '' }, item }: Again) =>
    members.readMember(deps, session.userId, { calendarId: calendarIdOf({ id }), id: item }),
})

export const calendarMemberRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'calendar-members.routes', prefix: '/api/calendars', tags: ['Shared calendars'] })
    .use(guard)
    .get(
      '/:id/members',
      ({ session, params, query }) => members.listMembers(deps, session.userId, calendarIdOf(params), query),
      {
        session: { scope: 'calendars:read' },
        params: CalendarPath,
        query: MembersQuery,
        response: { 200: MembersPage, 404: ErrorBody },
        detail: {
          operationId: 'listCalendarMembers',
          summary: 'List the members of a calendar',
          description: 'By network name; for its owner also those who have not accepted yet.',
        },
      },
    )
    .post(
      '/:id/members',
      async ({ session, params, body, status, request }) => {
        const caller = requestOrigin(deps, request)
        return status(201, await members.share(deps, { session, caller }, calendarIdOf(params), body))
      },
      {
        session: changing(deps),
        params: CalendarPath,
        body: NewMember,
        response: { 201: MemberView, 404: ErrorBody, 409: ErrorBody, 429: ErrorBody },
        detail: {
          operationId: 'shareCalendar',
          summary: 'Share a calendar with a connected user',
          description:
            'Only for the owner of the calendar; the other user sees it after accepting. The Birthdays calendar cannot be shared. At most 20 invitations a day to the same user, including those to events.',
        },
      },
    )
    .put(
      '/:id/members/:member_id',
      ({ session, params, body }) => members.changeMember(deps, session, namedBy(params), body),
      {
        session: changing(deps),
        params: MemberPath,
        body: MemberChanges,
        response: { 200: MemberView, 404: ErrorBody },
        detail: {
          operationId: 'changeCalendarMember',
          summary: 'Change what a member may do',
          description: 'Only for the owner of the calendar; takes effect at once.',
        },
      },
    )
    .delete(
      '/:id/members/:member_id',
      async ({ session, params, status }) => {
        await members.removeMember(deps, session, namedBy(params))
        return status(204, undefined)
      },
      {
        session: { scope: 'calendars:write' },
        params: MemberPath,
        response: { 204: t.Void(), 404: ErrorBody },
        detail: {
          operationId: 'removeCalendarMember',
          summary: 'Stop sharing a calendar with a user, or leave it',
          description:
            'For the owner of the calendar and for the member. Nobody is notified, and earlier notifications about the membership are deleted.',
        },
      },
    )
