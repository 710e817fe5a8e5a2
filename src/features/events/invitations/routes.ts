import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { Again } from '../../../http/admission'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { checked, pathId } from '../../../lib/wire/schema'
import {
  DisplayCalendarBody,
  EventInvitationsQuery,
  EventPath,
  InvitationsPage,
  InvitationsView,
  InvitationView,
  NewInvitations,
  OwnInvitationsQuery,
  ResponseBody,
} from './model'
import * as invitations from './service'
import * as answers from './service.answers'

const InvitationPath = t.Object({ id: pathId('The invitation.') })
const idOf = (params: { id: string }) => readId(params.id, 'Invitation')
const eventIdOf = (params: { id: string }) => readId(params.id, 'Event')

const userIdsOf = (body: unknown) => checked(NewInvitations, body).user_ids

/** The options of a route that changes an own invitation. */
const answering = (deps: Deps) => ({
  scope: 'calendars:write' as const,
  readAgain: ({ session, item }: Again) => invitations.readInvitation(deps, session.userId, item),
})

export const eventInvitationRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'event-invitations.routes', prefix: '/api', tags: ['Invitations'] })
    .use(guard)
    .post(
      '/events/:id/invitations',
      async ({ session, params, body, status }) =>
        status(201, {
          invitations: await invitations.invite(deps, session, eventIdOf(params), body.user_ids),
        }),
      {
        session: {
          scope: 'calendars:write',
          readAgain: async ({ session, params: { id = '' }, body }: Again) => ({
            invitations: await invitations.listInvited(
              deps,
              session.userId,
              eventIdOf({ id }),
              userIdsOf(body),
            ),
          }),
        },
        params: EventPath,
        body: NewInvitations,
        response: { 201: InvitationsView, 404: ErrorBody, 409: ErrorBody, 429: ErrorBody },
        detail: {
          operationId: 'inviteToEvent',
          summary: 'Invite connected users to an event',
          description:
            'Only for the owner of the event. Invites all of the users or none; existing invitations stay as they are. At most 20 invitations to an event, and at most 20 a day to the same user, including shared calendars and invitations taken back.',
        },
      },
    )
    .get(
      '/events/:id/invitations',
      ({ session, params, query }) => invitations.listOfEvent(deps, session.userId, eventIdOf(params), query),
      {
        session: { scope: 'calendars:read' },
        params: EventPath,
        query: EventInvitationsQuery,
        response: { 200: InvitationsPage, 404: ErrorBody },
        detail: {
          operationId: 'listInvitationsOfEvent',
          summary: 'List the invitations to an event',
          description:
            'By network name. The owner of the event sees all of them, other users only their own.',
        },
      },
    )
    .delete(
      '/events/:id/invitations/:invitation_id',
      async ({ session, params, status }) => {
        await invitations.removeInvitation(deps, session, {
          id: readId(params.invitation_id, 'Invitation'),
          eventId: eventIdOf(params),
        })
        return status(204, undefined)
      },
      {
        session: { scope: 'calendars:write' },
        params: t.Object({ ...EventPath.properties, invitation_id: pathId('The invitation.') }),
        response: { 204: t.Void(), 404: ErrorBody },
        detail: {
          operationId: 'removeInvitation',
          summary: 'Take an invitation back, or leave the event',
          description:
            'For the owner of the event and for the invitee. Nobody is notified, and earlier notifications about the invitation are deleted.',
        },
      },
    )
    .get('/event-invitations', ({ session, query }) => invitations.listOwn(deps, session.userId, query), {
      session: { scope: 'calendars:read' },
      query: OwnInvitationsQuery,
      response: { 200: InvitationsPage },
      detail: {
        operationId: 'listOwnInvitations',
        summary: "List the caller's invitations",
        description: 'Newest first.',
      },
    })
    .put(
      '/event-invitations/:id',
      ({ session, params, body }) => answers.respond(deps, session, idOf(params), body),
      {
        session: answering(deps),
        params: InvitationPath,
        body: ResponseBody,
        response: { 200: InvitationView, 404: ErrorBody },
        detail: {
          operationId: 'answerInvitation',
          summary: 'Answer an invitation',
          description:
            'The organiser is notified, unless the answer is the same as before. An answer to one occurrence does not depend on the answer to the others, which is the one that the invitation shows.',
        },
      },
    )
    .put(
      '/event-invitations/:id/display-calendar',
      ({ session, params, body }) =>
        answers.chooseDisplayCalendar(deps, session, idOf(params), body.calendar_id),
      {
        session: answering(deps),
        params: InvitationPath,
        body: DisplayCalendarBody,
        response: { 200: InvitationView, 404: ErrorBody },
        detail: {
          operationId: 'chooseDisplayCalendar',
          summary: 'Choose the calendar that shows the event',
          description: "A calendar of the caller's, except the Birthdays calendar; null for none.",
        },
      },
    )
