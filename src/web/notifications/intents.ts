import type { NotificationView } from '../../features/notifications/notifications/model'
import { pathOf } from '../api/call'
import type { Intent } from '../store/commands'

/** Notifications are never undone by the service (contract: undo.operations). */
const NEVER_UNDONE = { canUndo: false } as const

const becomesRead = ({ id }: NotificationView) => ({
  kind: 'notification' as const,
  id,
  is: 'patch' as const,
  fields: { is_read: true },
})

export const reading = (notification: NotificationView, said: string): Intent => ({
  said,
  apply: [becomesRead(notification)],
  request: { method: 'PUT', path: pathOf`notifications/${notification.id}/read` },
  ...NEVER_UNDONE,
})

export const readingAll = (unread: readonly NotificationView[], said: string): Intent => ({
  said,
  apply: unread.map(becomesRead),
  request: { method: 'PUT', path: 'notifications/read-all', answers: null },
  ...NEVER_UNDONE,
})

/** It must have been confirmed. */
export const deletingNotification = ({ id }: NotificationView, said: string): Intent => ({
  said,
  apply: [{ kind: 'notification', id, is: 'delete' }],
  request: { method: 'DELETE', path: pathOf`notifications/${id}` },
  ...NEVER_UNDONE,
})

export const ANSWERS = ['Going', 'Tentative', 'Declined'] as const

/** Answers the invitation that a notification is about, for all occurrences. Another answer takes it back. */
export const answeringFrom = (
  notification: NotificationView,
  response: (typeof ANSWERS)[number],
  said: string,
): Intent => ({
  said,
  apply: [{ kind: 'notification', id: notification.id, is: 'patch', fields: {} }],
  request: {
    method: 'PUT',
    path: pathOf`event-invitations/${notification.data['invitation_id'] ?? 0}`,
    body: { response },
    answers: null,
  },
  ...NEVER_UNDONE,
})
