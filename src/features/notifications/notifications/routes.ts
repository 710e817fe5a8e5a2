import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { Again } from '../../../http/admission'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { pathId } from '../../../lib/wire/schema'
import { AllReadView, NotificationsPage, NotificationsQuery, NotificationView } from './model'
import * as notifications from './service'

const NotificationPath = t.Object({ id: pathId('The notification.') })
const idOf = (params: { id: string }) => readId(params.id, 'Notification')

export const notificationRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'notifications.routes', prefix: '/api/notifications', tags: ['Notifications'] })
    .use(guard)
    .get('', ({ query, session }) => notifications.listNotifications(deps, session.userId, query), {
      session: { scope: 'overview:read' },
      query: NotificationsQuery,
      response: { 200: NotificationsPage },
      detail: {
        operationId: 'listNotifications',
        summary: 'List the notifications',
        description:
          'Newest first; kept for 90 days. For each type there is at most one unread notification about the same event, invite, request or connection: a new one replaces it and comes first. For answers to invitations there is one for each invitee. Notifications about security and the system are never replaced.',
      },
    })
    .put('/read-all', ({ session }) => notifications.readAllNotifications(deps, session), {
      session: { scope: 'notifications:write' },
      response: { 200: AllReadView },
      detail: { operationId: 'readAllNotifications', summary: 'Mark all notifications as read' },
    })
    .put('/:id/read', ({ session, params }) => notifications.readNotification(deps, session, idOf(params)), {
      session: {
        scope: 'notifications:write',
        readAgain: async ({ session, item }: Again) =>
          (await notifications.pageNotificationsById(deps, session.userId, { ids: [item] }))[0],
      },
      params: NotificationPath,
      response: { 200: NotificationView, 404: ErrorBody },
      detail: { operationId: 'readNotification', summary: 'Mark a notification as read' },
    })
    .delete(
      '/:id',
      async ({ session, params, status }) => {
        await notifications.deleteNotification(deps, session, idOf(params))
        return status(204, undefined)
      },
      {
        session: { scope: 'notifications:write' },
        params: NotificationPath,
        response: { 204: t.Void(), 404: ErrorBody },
        detail: { operationId: 'deleteNotification', summary: 'Delete a notification' },
      },
    )
