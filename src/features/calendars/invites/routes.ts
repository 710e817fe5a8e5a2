import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { Again } from '../../../http/admission'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { CalendarView, InvitePath, InvitesPage, InvitesQuery } from './model'
import * as invites from './service'

const idOf = (params: { id: string }) => readId(params.id, 'Invite')

export const calendarInviteRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({
    name: 'calendar-invites.routes',
    prefix: '/api/calendars/invites',
    tags: ['Shared calendars'],
  })
    .use(guard)
    .get('', ({ session, query }) => invites.listInvites(deps, session.userId, query), {
      session: { scope: 'calendars:read' },
      query: InvitesQuery,
      response: { 200: InvitesPage },
      detail: {
        operationId: 'listCalendarInvites',
        summary: 'List the calendars that others would like to share',
        description: 'Newest first.',
      },
    })
    .put('/:id/accept', ({ session, params }) => invites.acceptInvite(deps, session, idOf(params)), {
      session: {
        scope: 'calendars:write',
        readAgain: ({ session, item }: Again) => invites.readAccepted(deps, session.userId, item),
      },
      params: InvitePath,
      response: { 200: CalendarView, 404: ErrorBody },
      detail: {
        operationId: 'acceptCalendarInvite',
        summary: 'Accept a shared calendar',
        description: 'Returns the calendar as the caller now sees it; its owner is notified.',
      },
    })
    .put(
      '/:id/reject',
      async ({ session, params, status }) => {
        await invites.rejectInvite(deps, session, idOf(params))
        return status(204, undefined)
      },
      {
        session: { scope: 'calendars:write' },
        params: InvitePath,
        response: { 204: t.Void(), 404: ErrorBody },
        detail: {
          operationId: 'rejectCalendarInvite',
          summary: 'Reject a shared calendar',
          description: 'Nobody is notified; the owner may share it again.',
        },
      },
    )
