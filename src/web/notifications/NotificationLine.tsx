import { useMemo } from 'react'
import { Link } from 'wouter'
import type { NotificationView } from '../../features/notifications/notifications/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Icon } from '../parts/Icon'
import type { MenuAction } from '../parts/Menu'
import { MenuButton } from '../parts/MenuButton'
import { useStore } from '../store/use-store'
import { useMoments } from '../time/use-moments'
import { addressOf, ICONS } from './data'
import { reading } from './intents'
import { NotificationActions } from './NotificationActions'
import { useNotificationWords } from './words'

const messages = defineMessages({
  en: {
    unread: 'Unread:',
    more: (title: string) => `More actions for ${title}`,
    read: 'Mark as read',
    delete: 'Delete',
  },
  de: {
    unread: 'Ungelesen:',
    more: (title) => `Weitere Aktionen für ${title}`,
    read: 'Als gelesen markieren',
    delete: 'Löschen',
  },
})

interface NotificationLineProps {
  readonly notification: NotificationView
  readonly onDelete: (notification: NotificationView) => void
}

/** A notification with what can be done about it. */
export function NotificationLine({ notification, onDelete }: NotificationLineProps) {
  const m = useMessages(messages)
  const store = useStore()
  const moments = useMoments()
  const words = useNotificationWords()(notification)
  const { is_read: isRead, created_at: at, type } = notification
  const address = addressOf(notification)
  const read = () => {
    if (!isRead) store.run(reading(notification, words.title))
  }
  return (
    <div className="reminder-line notification" data-unread={!isRead || undefined}>
      <Icon name={ICONS[type]} />
      <div className="reminder-text">
        {!isRead && <span className="visually-hidden">{m.unread} </span>}
        {address === undefined ? (
          <b>{words.title}</b>
        ) : (
          <Link href={address} onClick={read}>
            {words.title}
          </Link>
        )}
        <p>{words.message}</p>
        <span className="reminder-facts">{moments(at)}</span>
      </div>
      <NotificationActions notification={notification} onDone={read} />
      <LineMenu notification={notification} title={words.title} onRead={read} onDelete={onDelete} />
    </div>
  )
}

interface LineMenuProps extends NotificationLineProps {
  readonly title: string
  readonly onRead: () => void
}

function LineMenu({ notification, title, onRead, onDelete }: LineMenuProps) {
  const m = useMessages(messages)
  const isRead = notification.is_read
  const actions = useMemo<readonly MenuAction[]>(
    () => [
      ...(isRead ? [] : [{ id: 'read', label: m.read, icon: 'check', run: onRead } as const]),
      {
        id: 'delete',
        label: m.delete,
        icon: 'delete',
        isDangerous: true,
        run: () => onDelete(notification),
      },
    ],
    [m, isRead, onRead, onDelete, notification],
  )
  const more = m.more(title)
  return (
    <MenuButton kind="quiet" actions={actions} aria-label={more} title={more}>
      <Icon name="more" />
    </MenuButton>
  )
}
